import type { OrderId, StockId, StrategyId, Timestamp } from '@slipstream/domain';

/** A quote, or another change of the market, with which a book has not been matched yet. */
export interface Moment {
  /** The position in the order of receipt, over all stocks. */
  readonly place: number;
  readonly receivedAt: Timestamp;
  /** The stock of the quote. Null for another change, after which any order of the book may execute. */
  readonly stockId: StockId | null;
  /** The orders that were known to be concerned at its receipt. */
  readonly due: readonly OrderId[];
}

/** The moments with which one book has not been matched yet, in order of receipt. */
export class Backlog {
  private moments: Moment[] = [];
  /** How many of them the running transaction has matched. */
  private met = 0;
  /** The next transaction, which will match the newest moment; undefined once it has started to match. */
  turn: Promise<void> | undefined;
  /** The last transaction; the next one waits for it. */
  last: Promise<void> = Promise.resolve();
  /** Matches the moments again; undefined unless the last attempt failed. */
  retry: (() => Promise<void>) | undefined;

  constructor(readonly strategyId: StrategyId) {}

  add(moment: Moment): void {
    this.moments.push(moment);
  }

  /** Adds one that the book was not known to meet when it came, in its place. Those that are met or known are as they were. */
  addLate(moment: Moment): void {
    const next = this.moments.findIndex(({ place }) => place >= moment.place);
    if (next === -1) this.moments.push(moment);
    else if (this.moments[next]?.place !== moment.place) this.moments.splice(next, 0, moment);
  }

  get isEmpty(): boolean {
    return this.moments.length === 0;
  }

  /** Returns every moment for a transaction, also those of an earlier attempt that was rolled back. */
  meetAll(): readonly Moment[] {
    this.met = this.moments.length;
    this.turn = undefined;
    this.retry = undefined;
    return this.moments.slice();
  }

  /** Removes the matched moments after the commit. */
  commit(): void {
    this.moments.splice(0, this.met);
    this.met = 0;
  }

  /** After a rollback the next attempt, by `retry`, starts with the same moments. */
  rollback(retry: () => Promise<void>): void {
    this.met = 0;
    this.turn = undefined;
    this.retry = retry;
  }

  /** Drops moments received before `time`: their quotes are too old to trade at. */
  forgetBefore(time: Timestamp): void {
    if (this.met > 0) return;
    const first = this.moments.findIndex(({ receivedAt }) => receivedAt >= time);
    this.moments.splice(0, first === -1 ? this.moments.length : first);
  }

  /** The last place that a change of the book may use: the one before the first moment that is not matched. */
  knownUpTo(): number {
    const next = this.moments[this.met];
    return next ? next.place - 1 : Infinity;
  }

  /** The place before the oldest moment of the backlog. */
  get neededFrom(): number {
    const oldest = this.moments[0];
    return oldest ? oldest.place - 1 : Infinity;
  }
}

/** The books that have a backlog: most of the time none. */
export class Backlogs {
  private readonly behind = new Map<StrategyId, Backlog>();

  get size(): number {
    return this.behind.size;
  }

  find(strategyId: StrategyId): Backlog | undefined {
    return this.behind.get(strategyId);
  }

  open(strategyId: StrategyId): Backlog {
    const found = this.behind.get(strategyId) ?? new Backlog(strategyId);
    this.behind.set(strategyId, found);
    return found;
  }

  /** Removes an empty backlog. */
  close(backlog: Backlog): void {
    if (this.behind.get(backlog.strategyId) === backlog) this.behind.delete(backlog.strategyId);
  }

  all(): Iterable<Backlog> {
    return this.behind.values();
  }

  strategies(): Iterable<StrategyId> {
    return this.behind.keys();
  }

  /** Only places after this one may still be needed. */
  neededFrom(): number {
    let from = Infinity;
    for (const backlog of this.behind.values()) from = Math.min(from, backlog.neededFrom);
    return from;
  }
}
