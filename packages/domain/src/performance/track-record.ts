import type { StrategyId, Timestamp } from '../ids.js';
import {
  CHAIN_BEGINNING,
  type ChainHead,
  FIRST_HASH,
  type Sha256,
  linkFault,
} from '../hash-chain.js';
import { Refusal } from '../refusal.js';
import type { TrackEntryKind } from './track-bodies.js';
import { sourceCheck } from './track-sources.js';

/**
 * An entry of a strategy's track record. Its hash covers the entry before, so nobody can change, remove or insert an entry before
 * a known hash unnoticed.
 */
export interface TrackEntry extends ChainHead {
  readonly strategyId: StrategyId;
  readonly kind: TrackEntryKind;
  readonly at: Timestamp;
  /** The event as the text that was hashed: JSON with decimals as strings. */
  readonly body: string;
  /** Of the entry before; 64 zeros before the first. */
  readonly previousHash: string;
}

/** An entry as its reader sees it: who may not see the fills gets its hashes without the body. */
export type ShownEntry = Omit<TrackEntry, 'body'> & { readonly body: string | null };

/** The entries with their bodies. @throws {Refusal} when one has hashes only. */
export const withBodies = (entries: readonly ShownEntry[]): TrackEntry[] =>
  entries.map((entry) => {
    const { body } = entry;
    if (body === null) throw new Refusal('invalid_field', 'the record has hashes only');
    return { ...entry, body };
  });

/** The text that is hashed: every field but the hash, one line each. */
export const hashedText = (entry: Omit<TrackEntry, 'hash'>): string =>
  [
    'slipstream track record 1',
    entry.previousHash,
    entry.strategyId,
    String(entry.seq),
    entry.kind,
    String(entry.at),
    entry.body,
  ].join('\n');

/** The entry that follows `last` (undefined: the first one). */
export function nextEntry(
  last: ChainHead = CHAIN_BEGINNING,
  event: Pick<TrackEntry, 'strategyId' | 'kind' | 'at' | 'body'>,
  sha256: Sha256,
): TrackEntry {
  const { strategyId, kind, at, body } = event;
  const open = { strategyId, seq: last.seq + 1, kind, at, body, previousHash: last.hash };
  return { hash: sha256(hashedText(open)), ...open };
}

const UNKNOWN_HEAD = 'the hash that was known before is not part of it';

/** The result of a check: the head, or the first entry that breaks the chain and why. */
export type TrackVerdict =
  | { readonly intact: true; readonly entries: number; readonly head: string }
  | { readonly intact: false; readonly seq: number; readonly reason: string };

const bodyFault = (last: ChainHead, entry: TrackEntry, sha256: Sha256): string | undefined =>
  linkFault(last, { text: hashedText(entry), ...entry }, sha256);

const orderFault = (last: ChainHead, { seq, previousHash }: ShownEntry): string | undefined =>
  seq === last.seq + 1 && previousHash === last.hash
    ? undefined
    : 'it does not follow the entry before';

/** Checks that the hashes of a record follow one another, oldest first, and the bodies that it has; what the other hashes are of it cannot check. */
export function verifyHashes(
  entries: readonly ShownEntry[],
  sha256: Sha256,
  knownHead?: string,
): TrackVerdict {
  let last = CHAIN_BEGINNING;
  for (const entry of entries) {
    const { seq, hash, body } = entry;
    const reason =
      body === null ? orderFault(last, entry) : bodyFault(last, { ...entry, body }, sha256);
    if (reason !== undefined) return { intact: false, seq, reason };
    last = { seq, hash };
  }
  const isKnown = knownHead === undefined || entries.some(({ hash }) => hash === knownHead);
  return isKnown
    ? { intact: true, entries: entries.length, head: last.hash }
    : { intact: false, seq: entries.length, reason: UNKNOWN_HEAD };
}

/**
 * Checks a whole record, oldest first: its chain, and that no fill is of another kind of market than its segment. With an earlier
 * `head`, it also checks that this head is still part of the record.
 */
export function verifyTrack(
  entries: readonly TrackEntry[],
  sha256: Sha256,
  knownHead?: string,
): TrackVerdict {
  let last = CHAIN_BEGINNING;
  let isKnown = knownHead === undefined || knownHead === FIRST_HASH;
  const sourceFault = sourceCheck();
  for (const entry of entries) {
    const broken = (reason: string): TrackVerdict => ({ intact: false, seq: entry.seq, reason });
    if (entry.strategyId !== entries[0]?.strategyId) return broken('it is of another strategy');
    const reason = bodyFault(last, entry, sha256);
    if (reason !== undefined) return broken(reason);
    const fault = sourceFault(entry);
    if (fault !== undefined) return broken(fault);
    last = entry;
    isKnown ||= entry.hash === knownHead;
  }
  if (!isKnown) {
    return {
      intact: false,
      seq: entries.length,
      reason: UNKNOWN_HEAD,
    };
  }
  return { intact: true, entries: entries.length, head: last.hash };
}
