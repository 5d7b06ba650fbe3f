import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sha256Fingerprints } from '@slipstream/adapter-crypto';
import { UnreadableEntry, auditPages, postgresAuditPages } from '@slipstream/adapter-sql';
import {
  type AuditEntry,
  type AuditVerdict,
  CHAIN_BEGINNING,
  type ChainHead,
  Refusal,
  verifyAudit,
} from '@slipstream/domain';
import { archiveFiles, readArchive } from '../../audit/audit-archives.js';
import { lineOf } from '../../audit/audit-lines.js';
import { verifyArchive } from '../../audit/rotate-audit.js';
import type { ServerSettings } from '../../settings/settings.js';

/** An audit log: its archives, and the database with the later entries. */
export interface AuditLog {
  readonly database: Extract<ServerSettings['DATABASE_URL'], { kind: 'sqlite' | 'postgres' }>;
  /** The folder of the archives. */
  readonly archives: string;
}

/** Says of the entries between those two that they are not here. */
const missingWords = (before: number, next: number): string =>
  `entries ${before + 1} to ${next - 1} are missing; give the folder of their archives with --archives`;

/** The entries in the database after the given one. */
const storedAfter = (
  { database }: AuditLog,
  after: number,
): Iterable<AuditEntry[]> | AsyncIterable<AuditEntry[]> =>
  database.kind === 'sqlite'
    ? auditPages(database.file, after)
    : postgresAuditPages(database.url, after);

/** The entries after the given one, from the archives, then from the database. */
async function* pagesAfter(log: AuditLog, after: number): AsyncGenerator<AuditEntry[]> {
  let seq = after;
  for (const { path, last } of await archiveFiles(log.archives)) {
    if (last <= seq) continue;
    for await (const part of readArchive(path)) {
      if (!('entries' in part)) continue;
      const from = seq;
      const wanted = part.entries.filter((entry) => entry.seq > from);
      if (wanted.length > 0) yield wanted;
      seq = wanted.at(-1)?.seq ?? seq;
    }
  }
  yield* storedAfter(log, seq);
}

/** Prints the log as fast as it is read, so that a log of any length fits through a pipe. Missing entries are named at the end. */
export async function printAll(log: AuditLog, after: number): Promise<void> {
  const missing: string[] = [];
  async function* lines(): AsyncGenerator<string> {
    let seq = after;
    for await (const page of pagesAfter(log, after)) {
      for (const entry of page) {
        if (entry.seq > seq + 1) missing.push(`${seq + 1} to ${entry.seq - 1}`);
        seq = entry.seq;
      }
      yield page.map((entry) => `${lineOf(entry)}\n`).join('');
    }
  }
  try {
    await pipeline(Readable.from(lines()), process.stdout, { end: false });
  } catch (error) {
    // The reader closed the pipe.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
  if (missing.length > 0)
    throw new Refusal(
      'not_found',
      `entries ${missing.join(', ')} are missing; give the folder of their archives with --archives`,
    );
}

/** The head after the entry `after`; it is trusted without a check. */
async function headAt(log: AuditLog, after: number): Promise<ChainHead> {
  if (after === 0) return CHAIN_BEGINNING;
  for await (const [entry] of pagesAfter(log, after - 1)) {
    if (entry?.seq === after) return { seq: after, hash: entry.hash };
    // The archives may be in another place; they end where the database starts.
    if (entry?.seq === after + 1) return { seq: after, hash: entry.prevHash };
    break;
  }
  throw new Refusal('not_found', `the audit log has no entry ${after}`);
}

/** Checks the signature of every archive, and that they follow one another from the first entry on. */
async function verifyArchives(log: AuditLog, publicKey: string | undefined): Promise<AuditVerdict> {
  let head = CHAIN_BEGINNING;
  for (const archive of await archiveFiles(log.archives)) {
    const verdict = await verifyArchive(archive, head, publicKey);
    if (!verdict.intact) return verdict;
    head = verdict.head;
  }
  return { intact: true, head };
}

/** After a crash during a removal, entries are in the database and in an archive. Checks that both are equal. */
async function verifyOverlap(log: AuditLog, archived: ChainHead): Promise<AuditVerdict> {
  let head: ChainHead | undefined;
  for await (const page of storedAfter(log, 0)) {
    const [first] = page;
    if (!first || (head === undefined && first.seq > archived.seq)) break;
    const verdict: AuditVerdict = verifyAudit(
      head ?? { seq: first.seq - 1, hash: first.prevHash },
      page.filter(({ seq }) => seq <= archived.seq),
      sha256Fingerprints().sha256,
    );
    if (!verdict.intact) return verdict;
    head = verdict.head;
    if (head.seq === archived.seq) break;
  }
  if (head === undefined || head.hash === archived.hash) return { intact: true, head: archived };
  return { intact: false, seq: archived.seq, reason: 'it differs from the entry in its archive' };
}

/** What the log must have beside a chain that holds. */
interface Checks {
  readonly head?: string | undefined;
  readonly key?: string | undefined;
}

/** Checks the entries after `after`, archives and database as one chain. */
export async function verifyAll(
  log: AuditLog,
  after: number,
  checks: Checks,
): Promise<AuditVerdict> {
  try {
    return await verifyChain(log, after, checks);
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error;
    return { intact: false, seq: error.seq, reason: error.reason };
  }
}

async function verifyChain(
  log: AuditLog,
  after: number,
  { head: known, key }: Checks,
): Promise<AuditVerdict> {
  const archives = await verifyArchives(log, key);
  if (!archives.intact) return archives;
  const overlap = await verifyOverlap(log, archives.head);
  if (!overlap.intact) return overlap;
  let head = await headAt(log, after);
  let isKnown = known === undefined || known === head.hash;
  for await (const page of pagesAfter(log, after)) {
    const [first = head] = page;
    const isEndOfArchives = head.seq === Math.max(after, archives.head.seq);
    if (isEndOfArchives && first.seq > head.seq + 1)
      return { intact: false, seq: head.seq + 1, reason: missingWords(head.seq, first.seq) };
    const verdict = verifyAudit(head, page, sha256Fingerprints().sha256);
    if (!verdict.intact) return verdict;
    head = verdict.head;
    isKnown ||= page.some(({ hash }) => hash === known);
  }
  if (isKnown) return { intact: true, head };
  const reason = 'the log does not contain the head that was stored earlier';
  return { intact: false, seq: head.seq, reason };
}
