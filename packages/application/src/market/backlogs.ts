import type { OrderId, StockId, StrategyId, Timestamp } from '@slipstream/domain';

/** Something that came and that a book has yet to meet. */
export interface Moment {
  /** Its place in the order of receipt, over all stocks. */
  readonly place: number;
  readonly receivedAt: Timestamp;
  /** A quote of this stock; null: another change that may let any order of the book execute. */
  readonly stockId: StockId | null;
  /** Orders that were known to be concerned as it came. */
  readonly due: readonly OrderId[];
}

/** What one book has yet to meet, in order of receipt. */
export class Backlog {
  private moments: Moment[] = [];
  /** How many of them the transaction that is under way has met. */
  private met = 0;
  /** Of the transaction that will meet what came last; undefined once one has begun to meet them. */
  turn: Promise<void> | undefined;
  /** Of the last transaction: the next one waits for it. */
  last: Promise<void> = Promise.resolve();

  constructor(readonly strategyId: StrategyId) {}

  add(moment: Moment): void {
    this.moments.push(moment);
  }

  get isEmpty(): boolean {
    return this.moments.length === 0;
  }

  /** A transaction meets everything: also what an earlier try met, which was taken back. */
  meetAll(): readonly Moment[] {
    this.met = this.moments.length;
    this.turn = undefined;
    return this.moments.slice();
  }

  /** What was met is committed. */
  commit(): void {
    this.moments.splice(0, this.met);
    this.met = 0;
  }

  /** What was met was taken back; it comes first at the next try. */
  rollback(): void {
    this.met = 0;
    this.turn = undefined;
  }

  /** What was received before `time` trades nothing any more. */
  forgetBefore(time: Timestamp): void {
    if (this.met > 0) return;
    const first = this.moments.findIndex(({ receivedAt }) => receivedAt >= time);
    this.moments.splice(0, first === -1 ? this.moments.length : first);
  }

  /** The last place that a change of the book may know of: it comes before what the book has yet to meet. */
  knownUpTo(): number {
    const next = this.moments[this.met];
    return next ? next.place - 1 : Infinity;
  }

  /** The place before the oldest moment that may still be met. */
  get neededFrom(): number {
    const oldest = this.moments[0];
    return oldest ? oldest.place - 1 : Infinity;
  }
}

/** The books that have something to meet: most of the time none. */
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

  /** Once nothing is left of it. */
  close(backlog: Backlog): void {
    if (this.behind.get(backlog.strategyId) === backlog) this.behind.delete(backlog.strategyId);
  }

  all(): Iterable<Backlog> {
    return this.behind.values();
  }

  strategies(): Iterable<StrategyId> {
    return this.behind.keys();
  }

  /** Which places of the order of receipt may still be asked for: those after this one. */
  neededFrom(): number {
    let from = Infinity;
    for (const backlog of this.behind.values()) from = Math.min(from, backlog.neededFrom);
    return from;
  }
}
