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
export async function printAll(file: string, after: number): Promise<void> {
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
export function verifyAll(file: string, after: number, known: string | undefined): AuditVerdict {
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
