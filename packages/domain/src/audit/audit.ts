import type { Timestamp, TokenId } from '../ids.js';
import { CHAIN_BEGINNING, type ChainHead, type Sha256, linkFault } from '../hash-chain.js';

/** `ok`: done. `denied`: the caller has no right to it. `refused`: the request was wrong, and the refusal is recorded. */
export type AuditOutcome = 'ok' | 'denied' | 'refused';

/**
 * An entry of the audit log: one change of stored data, or one denied access. Its hash covers the entry before, so nobody can
 * change, remove or insert an entry before a known hash unnoticed.
 */
export interface AuditEntry extends ChainHead {
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
}

/** The fields of an entry before it has its place in the log. */
export type AuditEvent = Omit<AuditEntry, 'seq' | 'prevHash' | 'hash'>;

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
  last: ChainHead = CHAIN_BEGINNING,
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
  | { readonly intact: true; readonly head: ChainHead }
  | { readonly intact: false; readonly seq: number; readonly reason: string };

/** Checks that the entries, oldest first, follow `head` one after another; returns the head for the next check. */
export function verifyAudit(
  head: ChainHead,
  entries: readonly AuditEntry[],
  sha256: Sha256,
): AuditVerdict {
  let last: ChainHead = { seq: head.seq, hash: head.hash };
  for (const entry of entries) {
    const { seq, hash, prevHash: previousHash } = entry;
    const link = { seq, hash, previousHash, text: auditText(entry) };
    const reason = linkFault(last, link, sha256);
    if (reason !== undefined) return { intact: false, seq: last.seq + 1, reason };
    last = { seq, hash };
  }
  return { intact: true, head: last };
}
