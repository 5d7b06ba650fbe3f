import type { Timestamp, TokenId } from '../ids.js';
import { FIRST_HASH, type Sha256 } from '../performance/track-record.js';

/** `ok`: done. `denied`: the caller may not do it. `refused`: the request was wrong and is recorded. */
export type AuditOutcome = 'ok' | 'denied' | 'refused';

/**
 * An entry of the audit log: one change of stored data, or one denied access. Its hash covers the entry before, so nobody can
 * change, remove or insert an entry before a known hash unnoticed.
 */
export interface AuditEntry {
  /** 1, 2, 3, … without a gap. */
  readonly seq: number;
  readonly at: Timestamp;
  /** A user's id, `operator`, `anonymous`, or `system` for actions of the service itself. */
  readonly actor: string;
  readonly tokenId: TokenId | null;
  /** The address of the request; null when it has none. */
  readonly ip: string | null;
  /** The operation, or the service's own action. */
  readonly action: string;
  /** The objects that were changed or requested, as `kind:id`; at most twenty, then `more:` with the number of others. */
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

/** The fields of an entry before it has its place in the log. */
export type AuditEvent = Omit<AuditEntry, 'seq' | 'prevHash' | 'hash'>;

/** The place and the hash of the entry before. */
export type AuditHead = Pick<AuditEntry, 'seq' | 'hash'>;

/** The head that the first entry follows. */
export const AUDIT_BEGINNING: AuditHead = { seq: 0, hash: FIRST_HASH };

/** The text that is hashed: every field but the hash, one line each; null is an empty line. */
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

/** Checks that the entries, oldest first, follow `head` one after another; returns the head for the next check. */
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
