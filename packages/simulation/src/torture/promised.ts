/** The effects that servers have answered with 200, which must never be lost. */
export interface Promised {
  readonly orders: Set<string>;
  readonly cancelled: Set<string>;
  readonly trades: Set<string>;
  /** Of new orders: each belongs to one request. */
  readonly totals: Set<string>;
  /** The last seen hash of each track record. */
  readonly heads: Map<string, string>;
}

export const nothingPromised = (): Promised => ({
  orders: new Set(),
  cancelled: new Set(),
  trades: new Set(),
  totals: new Set(),
  heads: new Map(),
});

/** A copy that later answers do not change. */
export const copyOf = ({ orders, cancelled, trades, totals }: Promised): Promised => ({
  orders: new Set(orders),
  cancelled: new Set(cancelled),
  trades: new Set(trades),
  totals: new Set(totals),
  heads: new Map(),
});

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
