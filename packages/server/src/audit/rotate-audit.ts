import { setTimeout as pause } from 'node:timers/promises';
import { sha256Fingerprints } from '@slipstream/adapter-crypto';
import {
  type AuditEntry,
  type AuditVerdict,
  CHAIN_BEGINNING,
  type ChainHead,
  DAY,
  HOUR,
  type Timestamp,
  hasPassed,
  verifyAudit,
} from '@slipstream/domain';
import { type Clock, type Log, type SecretBox, type UnitOfWork, isSure } from '@slipstream/ports';
import {
  type ArchiveFile,
  archiveFiles,
  isSigned,
  readArchive,
  signingKey,
  writeArchive,
} from './audit-archives.js';
import type { ServerSettings } from '../settings/settings.js';

/** Entries from this time on stay in the database. */
export const auditKeptSince = (
  { AUDIT_KEPT_DAYS: days }: Pick<ServerSettings, 'AUDIT_KEPT_DAYS'>,
  now: Timestamp,
): Timestamp => now - days * DAY;

/** The hour (UTC) in which a running server archives: night in America. */
const QUIET_HOUR = 6;

/** A machine that is off in that hour archives so long after its start. */
const AFTER_START = HOUR;

/** Called regularly; rotates once a day in a quiet hour, or after the start of a server that no such hour sees. */
export function nightlyRotation(
  rotate: () => Promise<number>,
  clock: Clock,
  log: Log,
): () => Promise<void> {
  let doneOn = -1;
  let doneAt = clock.now() - DAY + AFTER_START;
  return async () => {
    const now = clock.now();
    const today = Math.floor(now / DAY);
    const isQuiet = today !== doneOn && new Date(now).getUTCHours() === QUIET_HOUR;
    if ((!isQuiet && !hasPassed(DAY, doneAt, now)) || !isSure(clock)) return;
    [doneOn, doneAt] = [today, now];
    const moved = await rotate();
    if (moved > 0) log.info({ entries: moved }, 'archived audit entries');
  };
}

/** The most entries in one archive. */
const LARGEST = 100_000;
/** The number of entries removed in one transaction: few, so that commands run in between. */
const CHUNK = 200;
const PAGE = 1_000;
const BREATH = 20;

const { sha256 } = sha256Fingerprints();

/** Checks that an archive follows `head`, is complete, and is signed (with the given key, if any). */
export async function verifyArchive(
  { path, first, last: named }: ArchiveFile,
  head: ChainHead,
  publicKey?: string,
): Promise<AuditVerdict> {
  let last = head;
  const broken = (reason: string): AuditVerdict => ({ intact: false, seq: last.seq + 1, reason });
  if (first !== head.seq + 1) return broken('it is in no archive that is here');
  try {
    for await (const part of readArchive(path)) {
      if ('entries' in part) {
        const verdict = verifyAudit(last, part.entries, sha256);
        if (!verdict.intact) return verdict;
        last = verdict.head;
        continue;
      }
      const { seal } = part;
      const isOfThese =
        seal.first === first && seal.last === last.seq && seal.prevHash === head.hash;
      if (!isOfThese || seal.hash !== last.hash || !isSigned(seal))
        return broken(`${path} is not signed as it is`);
      if (publicKey !== undefined && seal.publicKey !== publicKey)
        return broken(`${path} is signed by another key`);
      if (named !== last.seq) return broken(`${path} is named after other entries than it has`);
      return { intact: true, head: last };
    }
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error));
  }
  return broken(`${path} is not whole`);
}

/** The last entry before that time that may be archived. The newest entry of the log may not. */
async function endOf(
  unitOfWork: UnitOfWork,
  after: ChainHead,
  before: Timestamp,
): Promise<ChainHead> {
  const newest = await unitOfWork.read(({ audit }) => audit.last());
  let end = after;
  for (;;) {
    const page = await unitOfWork.read(({ audit }) => audit.listAfter(end.seq, PAGE));
    const old = page.findIndex(
      ({ seq, at }) => at >= before || seq === newest?.seq || seq > after.seq + LARGEST,
    );
    const whole = old === -1 ? page : page.slice(0, old);
    end = whole.at(-1) ?? end;
    if (whole.length < PAGE) return { seq: end.seq, hash: end.hash };
  }
}

async function* entriesOf(
  unitOfWork: UnitOfWork,
  after: ChainHead,
  upTo: ChainHead,
): AsyncGenerator<AuditEntry[]> {
  for (let { seq } = after; seq < upTo.seq;) {
    const limit = Math.min(PAGE, upTo.seq - seq);
    const page = await unitOfWork.read(({ audit }) => audit.listAfter(seq, limit));
    if (page.length === 0) throw new Error(`audit entry ${seq + 1} is not there`);
    yield page;
    seq += page.length;
  }
}

/**
 * Throws unless the database has the last entry of an archive that an earlier process wrote. A database that was restored from an
 * older copy goes on with other entries under the same numbers; it would refuse to remove them without a word that helps.
 */
async function requireSame(
  unitOfWork: UnitOfWork,
  path: string,
  { seq, hash }: ChainHead,
): Promise<void> {
  const [stored] = await unitOfWork.read(({ audit }) => audit.listAfter(seq - 1, 1));
  if (stored?.seq === seq && stored.hash === hash) return;
  throw new Error(
    `${path} has other entries than the database, which may be restored from a copy before it: move it to another folder, and keep it`,
  );
}

async function removeUpTo(
  unitOfWork: UnitOfWork,
  head: ChainHead,
  goesOn: () => boolean,
): Promise<void> {
  while (goesOn() && (await unitOfWork.run(({ audit }) => audit.remove(head, CHUNK))) > 0)
    await pause(BREATH);
}

/**
 * Moves entries from before that time into signed archives and returns their number. An archive is complete, on the disk and read
 * back before the first of its entries is removed. So even after a crash each entry is in the database or in an archive.
 * Stops early if `goesOn` returns false, and continues the next time.
 */
export async function rotateAudit(
  {
    unitOfWork,
    secretBox,
  }: { readonly unitOfWork: UnitOfWork; readonly secretBox: Pick<SecretBox, 'mac'> },
  folder: string,
  before: Timestamp,
  goesOn: () => boolean = () => true,
): Promise<number> {
  const known = await unitOfWork.read(({ audit }) => audit.archived());
  // Finishes a rotation that an earlier process left incomplete.
  if (known) await removeUpTo(unitOfWork, known, goesOn);
  let moved = 0;
  for (let head = known ?? CHAIN_BEGINNING; ;) {
    if (!goesOn()) return moved;
    const written = (await archiveFiles(folder)).find(({ first }) => first === head.seq + 1);
    if (!written) {
      const end = await endOf(unitOfWork, head, before);
      if (end.seq === head.seq) return moved;
      await writeArchive(
        folder,
        head,
        end,
        entriesOf(unitOfWork, head, end),
        signingKey(secretBox),
      );
    }
    const archive = (await archiveFiles(folder)).find(({ first }) => first === head.seq + 1);
    const verdict = archive && (await verifyArchive(archive, head));
    if (!verdict?.intact)
      throw new Error(
        `the audit archive from entry ${head.seq + 1} on: ${verdict?.reason ?? 'it is not there'}`,
      );
    if (written) await requireSame(unitOfWork, written.path, verdict.head);
    await removeUpTo(unitOfWork, verdict.head, goesOn);
    moved += verdict.head.seq - head.seq;
    head = verdict.head;
  }
}
