import type { ChainHead } from '../../hash-chain.js';
import type { StrategyId, Timestamp } from '../../ids.js';
import { dayStart, isoDay } from '../../calendar.js';
import { DAY, HOUR, MINUTE } from '../../time.js';
import { dayOf } from '../values/value-day.js';
import {
  type Sha256OfBytes,
  type TreePlace,
  leafHash,
  rootOfPath,
  treePath,
  treeRoot,
} from './merkle-tree.js';

/** The head of one chain at the moment of an anchor. */
export interface AnchorLeaf extends ChainHead {
  /** `audit`, or `track:` and the id of a strategy. */
  readonly chain: string;
}

/** The chain of the audit log. */
export const AUDIT_CHAIN = 'audit';
/** The chain of a strategy's track record. */
export const trackChain = (strategyId: StrategyId): string => `track:${strategyId}`;

/** A time-stamp authority's word that an anchor existed (RFC 3161). */
export interface TimeStamp {
  /** The token in DER, in base64. */
  readonly token: string;
  /** The number in the request, that the token repeats; hex. */
  readonly nonce: string;
  /** The time in the token. */
  readonly at: Timestamp;
}

/** The heads of all chains, once a day (UTC), under one root: who keeps the root can show later what the records said (contract 8). */
export interface Anchor {
  /** The day (UTC), `YYYY-MM-DD`. It has every entry of the day that is older than `madeAt`. */
  readonly day: string;
  readonly madeAt: Timestamp;
  /** The number of leaves. */
  readonly size: number;
  /** Of the Merkle tree over the leaves, in the order of their chains; hex SHA-256. */
  readonly root: string;
  /** The roots of the parts of `LEAVES_OF_BRANCH` leaves: with one part and these, a path needs no other leaf. */
  readonly branches: readonly string[];
  /** Null without an authority, and until it answers. */
  readonly stamp: TimeStamp | null;
}

/** The leaves under a branch; a power of two, so that every branch but the last is a full subtree. */
export const LEAVES_OF_BRANCH = 128;

/** Shows that a leaf is in the anchor of a day. */
export interface AnchorProof extends TreePlace {
  readonly leaf: AnchorLeaf;
}

/** The text of a leaf. It names the day, so that no proof fits another day. */
export const leafText = (day: string, { chain, seq, hash }: AnchorLeaf): string =>
  ['slipstream anchor leaf 1', day, chain, String(seq), hash].join('\n');

const hashesOf = (day: string, leaves: readonly AnchorLeaf[], sha256: Sha256OfBytes): string[] =>
  leaves.map((leaf) => leafHash(leafText(day, leaf), sha256));

/** The text of an anchor that an authority stamps: the imprint is its SHA-256. */
export const anchorText = ({ day, size, root }: Pick<Anchor, 'day' | 'size' | 'root'>): string =>
  ['slipstream anchor 1', day, String(size), root].join('\n');

/** The root of at most `LEAVES_OF_BRANCH` leaves that follow one another. */
export const branchOf = (
  day: string,
  leaves: readonly AnchorLeaf[],
  sha256: Sha256OfBytes,
): string => treeRoot(hashesOf(day, leaves, sha256), sha256);

/** The leaves of each branch. The order is that of the chains' names. */
export function branchesOfLeaves(leaves: readonly AnchorLeaf[]): AnchorLeaf[][] {
  const ordered = [...leaves].sort(({ chain: one }, { chain: other }) => (one < other ? -1 : 1));
  const parts: AnchorLeaf[][] = [];
  for (let at = 0; at < ordered.length; at += LEAVES_OF_BRANCH)
    parts.push(ordered.slice(at, at + LEAVES_OF_BRANCH));
  return parts;
}

/** The anchor of a day whose branches are computed, without a stamp. */
export const newAnchor = (
  { day, madeAt, size, branches }: Pick<Anchor, 'day' | 'madeAt' | 'size' | 'branches'>,
  sha256: Sha256OfBytes,
): Anchor => ({ day, madeAt, size, root: treeRoot(branches, sha256), branches, stamp: null });

/** The path of a chain's leaf to the root of the anchor; undefined if the branch does not have it. */
export function proofOf(
  { day, size, branches }: Anchor,
  branch: number,
  leaves: readonly AnchorLeaf[],
  chain: string,
  sha256: Sha256OfBytes,
): AnchorProof | undefined {
  const at = leaves.findIndex((leaf) => leaf.chain === chain);
  const leaf = leaves[at];
  if (!leaf) return undefined;
  const path = [
    ...treePath(hashesOf(day, leaves, sha256), at, sha256),
    ...treePath(branches, branch, sha256),
  ];
  return { leaf, index: branch * LEAVES_OF_BRANCH + at, size, path };
}

/** The root to which a proof leads on that day; undefined if it cannot be a path. */
export const rootOfProof = (
  day: string,
  { leaf, ...place }: AnchorProof,
  sha256: Sha256OfBytes,
): string | undefined => rootOfPath(leafHash(leafText(day, leaf), sha256), place, sha256);

/** After the end of a day its anchor waits this long, so that it has the day's last entries. */
const COMPLETE_AFTER = 10 * MINUTE;
/** A stamp this long after the end of its day, or later, is late. */
export const STAMPED_WITHIN = 48 * HOUR;

/** The end of a day that is written as `YYYY-MM-DD`. */
export const endOfDay = (day: string): Timestamp => dayStart(day) + DAY;

/** Whether the time is more than 48 hours after the end of the day. */
export const isLate = (day: string, at: Timestamp): boolean => at > endOfDay(day) + STAMPED_WITHIN;

/**
 * The days that are over and can still be anchored in time, oldest first: none before `since`, none up to `last`, the newest day with
 * an anchor.
 */
export function daysToAnchor(
  now: Timestamp,
  since: Timestamp,
  last: string | undefined,
  completeAfter = COMPLETE_AFTER,
): string[] {
  const days: string[] = [];
  const newest = dayOf(now - completeAfter) - 1;
  for (let day = dayOf(now - STAMPED_WITHIN); day <= newest; day += 1) {
    const name = isoDay(day * DAY);
    if (day >= dayOf(since) && (last === undefined || name > last)) days.push(name);
  }
  return days;
}
