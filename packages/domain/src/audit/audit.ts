import type { Timestamp, TokenId } from '../ids.js';
import { FIRST_HASH, type Sha256 } from '../performance/track-record.js';

/** `ok`: it was done. `denied`: it is not the caller's to do. `refused`: what was asked is wrong, and that it came was kept. */
export type AuditOutcome = 'ok' | 'denied' | 'refused';

/**
 * A link of the audit log: one change of what is kept, or one access that was denied. Its hash covers the one before, so
 * nothing behind a known hash can be changed, left out or slipped in unnoticed.
 */
export interface AuditEntry {
  /** 1, 2, 3, … without a gap. */
  readonly seq: number;
  readonly at: Timestamp;
  /** A user's id, `operator`, `anonymous`, or `system` for what the service does by itself. */
  readonly actor: string;
  readonly tokenId: TokenId | null;
  /** The address that the request came from; null when it came from none. */
  readonly ip: string | null;
  /** The operation, or what the service was about. */
  readonly action: string;
  /** What was changed or asked for, as `kind:id`; twenty at most, then how many `more:`. */
  readonly objects: readonly string[];
  readonly outcome: AuditOutcome;
  /** Why it was denied or refused; null when it was done. */
  readonly code: string | null;
  readonly requestId: string | null;
  /** Of the entry before; 64 zeros before the first. */
  readonly prevHash: string;
  /** Hex SHA-256 of `auditText`. */
  readonly hash: string;
}

/** What is known of an entry before it has its place in the log. */
export type AuditEvent = Omit<AuditEntry, 'seq' | 'prevHash' | 'hash'>;

/** What an entry follows: the place and the hash of the one before. */
export type AuditHead = Pick<AuditEntry, 'seq' | 'hash'>;

/** What the first entry follows. */
export const AUDIT_BEGINNING: AuditHead = { seq: 0, hash: FIRST_HASH };

/** What an entry's hash is of: every field but the hash, a line each; what is null is an empty one. */
export const auditText = (entry: Omit<AuditEntry, 'hash'>): string =>
  [
    'slipstream audit log 1',
    entry.prevHash,
    entry.seq,
    entry.at,
    entry.actor,
    entry.tokenId,
    entry.ip,
    entry.action,
    JSON.stringify(entry.objects),
    entry.outcome,
    entry.code,
    entry.requestId,
  ].join('\n');

/** More objects of one entry are counted, not named. */
const MOST_NAMED = 20;

const atMost = (objects: readonly string[]): readonly string[] => {
  const more = objects.length - MOST_NAMED;
  return more > 0 ? [...objects.slice(0, MOST_NAMED), `more:${more}`] : objects;
};

/** The entry that follows `last` (undefined: the first one). */
export function nextAuditEntry(
  last: AuditHead = AUDIT_BEGINNING,
  event: AuditEvent,
  sha256: Sha256,
): AuditEntry {
  const entry = {
    seq: last.seq + 1,
    at: event.at,
    actor: event.actor,
    tokenId: event.tokenId,
    ip: event.ip,
    action: event.action,
    objects: atMost(event.objects),
    outcome: event.outcome,
    code: event.code,
    requestId: event.requestId,
    prevHash: last.hash,
    hash: '',
  };
  entry.hash = sha256(auditText(entry));
  return entry;
}

/** The result of a check: the head, or the first entry that breaks the chain and why. */
export type AuditVerdict =
  | { readonly intact: true; readonly head: AuditHead }
  | { readonly intact: false; readonly seq: number; readonly reason: string };

/** Checks that the entries, oldest first, follow `head` one after another; answers the head to go on from. */
export function verifyAudit(
  head: AuditHead,
  entries: readonly AuditEntry[],
  sha256: Sha256,
): AuditVerdict {
  let { seq, hash } = head;
  for (const entry of entries) {
    seq += 1;
    const broken = (reason: string): AuditVerdict => ({ intact: false, seq, reason });
    if (entry.seq !== seq) return broken('it is missing');
    if (entry.prevHash !== hash) return broken('it does not follow the one before');
    if (sha256(auditText(entry)) !== entry.hash) return broken('it was changed after it was made');
    hash = entry.hash;
  }
  return { intact: true, head: { seq, hash } };
}
