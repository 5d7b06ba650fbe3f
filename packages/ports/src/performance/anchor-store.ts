import type { Anchor, AnchorLeaf } from '@slipstream/domain';

/** The leaves under one branch of an anchor, in the order of their chains. */
export interface AnchorBranch {
  /** 0, 1, 2, … */
  readonly index: number;
  readonly leaves: readonly AnchorLeaf[];
}

/** Keeps the anchors of the days with their leaves. Only a stamp is added later. */
export interface AnchorStore {
  /** The anchor of the newest day; undefined while there is none. */
  last(): Promise<Anchor | undefined>;
  find(day: string): Promise<Anchor | undefined>;
  /** The anchors of that day and of later ones, oldest first. */
  listFrom(day: string, limit: number): Promise<Anchor[]>;
  /** Those without a stamp, newest first. */
  unstamped(limit: number): Promise<Anchor[]>;
  /** The branch that has the chain's leaf if the anchor has one: the first whose last chain is not before it. */
  branchWith(day: string, chain: string): Promise<AnchorBranch | undefined>;
  /** The branches from that index on, in their order. */
  branchesFrom(day: string, index: number, limit: number): Promise<AnchorBranch[]>;
  /**
   * With `leaves`, the leaves of each branch, the anchor is new: throws when the day has one. Without, the stamp of the day's anchor
   * is stored and nothing else: throws when the day has none.
   */
  save(anchor: Anchor, leaves?: readonly (readonly AnchorLeaf[])[]): Promise<void>;
}
