import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sha256Fingerprints } from '@slipstream/adapter-crypto';
import { auditPages } from '@slipstream/adapter-sql';
import {
  AUDIT_BEGINNING,
  type AuditEntry,
  type AuditHead,
  type AuditVerdict,
  Refusal,
  verifyAudit,
} from '@slipstream/domain';
import { type Command, InvalidArgumentError } from 'commander';
import { SettingError, readSettings } from '../settings.js';
import { complain, print } from './output.js';
import type { Environment } from './remote.js';

interface AuditOptions {
  readonly after: number;
  readonly verify?: true;
  readonly head?: string;
}

const place = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is the seq of an entry.');
  return Number(text);
};

/** One line, as the API would write it. */
const lineOf = (entry: AuditEntry): string => {
  const { seq, at, actor, tokenId, ip, action, objects, outcome, code, requestId } = entry;
  return JSON.stringify({
    seq,
    at: new Date(at).toISOString(),
    actor,
    token_id: tokenId,
    ip,
    action,
    objects,
    outcome,
    code,
    request_id: requestId,
    prev_hash: entry.prevHash,
    hash: entry.hash,
  });
};

function* linesAfter(file: string, after: number): Generator<string> {
  for (const page of auditPages(file, after))
    yield page.map((entry) => `${lineOf(entry)}\n`).join('');
}

/** As fast as it is read: a log of any length goes through a pipe. */
async function printAll(file: string, after: number): Promise<void> {
  try {
    await pipeline(Readable.from(linesAfter(file, after)), process.stdout, { end: false });
  } catch (error) {
    // Whoever read it has seen enough.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** The head that the entry `after` made; it is believed. */
function headAt(file: string, after: number): AuditHead {
  if (after === 0) return AUDIT_BEGINNING;
  for (const [entry] of auditPages(file, after - 1)) if (entry?.seq === after) return entry;
  throw new Refusal('not_found', `the audit log has no entry ${after}`);
}

/** Checks what comes after the entry `after`. */
function verifyAll(file: string, after: number, known: string | undefined): AuditVerdict {
  let head = headAt(file, after);
  let isKnown = known === undefined || known === head.hash;
  for (const page of auditPages(file, after)) {
    const verdict = verifyAudit(head, page, sha256Fingerprints().sha256);
    if (!verdict.intact) return verdict;
    head = verdict.head;
    isKnown ||= page.some(({ hash }) => hash === known);
  }
  if (isKnown) return { intact: true, head };
  const reason = 'the head that was known before is not part of it';
  return { intact: false, seq: head.seq, reason };
}

/** `audit` prints the audit log or checks its chain, also beside a running server. */
export function auditing(program: Command, environment: Environment): void {
  program
    .command('audit')
    .description('print the audit log as JSON lines, or check it, also beside a running server')
    .option('--after <seq>', 'only the entries after this one', place, 0)
    .option('--verify', 'check instead that nothing was changed, left out or slipped in')
    .option('--head <hash>', 'with --verify: a head that you kept earlier must still be part of it')
    .action(async ({ after, verify, head: known }: AuditOptions) => {
      const { DATABASE_URL: url } = readSettings(environment);
      if (url.kind !== 'sqlite') throw new SettingError('DATABASE_URL must name a SQLite file');
      if (!existsSync(url.file)) throw new Refusal('not_found', `there is no database ${url.file}`);
      if (!verify) {
        if (known === undefined) return printAll(url.file, after);
        throw new Refusal('invalid_field', '--head is checked by --verify: name both');
      }

      const verdict = verifyAll(url.file, after, known);
      if (verdict.intact) {
        const { seq, hash } = verdict.head;
        return print(`The audit log is intact: ${seq - after} entries, head ${hash}.`);
      }
      complain(`The audit log is NOT intact at entry ${verdict.seq}: ${verdict.reason}.`);
      process.exitCode = 1;
    });
}
