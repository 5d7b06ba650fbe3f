import {
  BASES,
  type Basis,
  RANK_KINDS,
  type Ranks,
  type Scores,
  type StrategyId,
  TIMEFRAMES,
  type Timeframe,
  byAge,
} from '@slipstream/domain';
import { mergeInTurns, sortInTurns } from '../sort-in-turns.js';
import type { Contestant } from './contestants.js';
import { Order, PIECE } from './order.js';
import type { Candidate, Table } from './ranking.js';

type Orders = { readonly [Kind in keyof Ranks]: Order };

/** Strategies without figures are found, but they have no ranks. */
const isScored = (one: Contestant | undefined): one is Contestant =>
  one !== undefined && one.scored.length > 0;

/** All contestants with their orders in every timeframe, kept from computation to computation. */
export class Standings {
  /** Where the strategies are in the places. */
  readonly slots = new Map<StrategyId, number>();
  private readonly contestants: (Contestant | undefined)[] = [];
  /** In the order of the timeframes. */
  private readonly orders: readonly Orders[];
  /** The orders to bring up to date. */
  private readonly stale = new Set<Order>();
  /** Whether a contestant was put or removed since the tables were made. */
  private hasChanged = false;
  /** The slots of those that have scores, the older first. */
  private aged: readonly number[] = [];
  /** Whether others have scores now than those. */
  private hasOthers = false;

  constructor(private readonly ownPool: Basis) {
    // The same strategies are in the same order by followers in every timeframe.
    const popular = new Order('popular');
    this.orders = TIMEFRAMES.map(() => ({
      performance: new Order('performance'),
      popular,
      trending: new Order('trending'),
      top: new Order('top'),
    }));
  }

  /** The slot of the strategy, for good. */
  slotOf(strategyId: StrategyId): number {
    const known = this.slots.get(strategyId);
    if (known !== undefined) return known;
    const slot = this.contestants.push(undefined) - 1;
    this.slots.set(strategyId, slot);
    return slot;
  }

  find(strategyId: StrategyId): Contestant | undefined {
    const slot = this.slots.get(strategyId);
    return slot === undefined ? undefined : this.contestants[slot];
  }

  all(): readonly (Contestant | undefined)[] {
    return this.contestants;
  }

  /** Takes what a strategy is now; undefined: it is not public any more. */
  put(strategyId: StrategyId, next: Contestant | undefined): void {
    const slot = this.slotOf(strategyId);
    const before = this.contestants[slot];
    this.contestants[slot] = next;
    this.hasChanged = true;
    this.hasOthers ||= isScored(before) !== isScored(next);
    const hasMoved = before?.pool !== next?.pool;
    for (const [index, orders] of this.orders.entries()) {
      const [was, is] = [before?.scored[index], next?.scored[index]];
      if (was === is && !hasMoved) continue;
      for (const kind of RANK_KINDS)
        if (hasMoved || was?.[kind] !== is?.[kind]) this.stale.add(orders[kind]);
    }
  }

  /** The ranks, if a contestant was put or removed since the last call. */
  async tables(breathe: () => Promise<void>): Promise<ReadonlyMap<Timeframe, Table> | undefined> {
    if (!this.hasChanged) return undefined;
    this.hasChanged = false;
    await this.ageAnew(breathe);
    const pools = [this.ownPool, ...BASES.filter((pool) => pool !== this.ownPool)].map((pool) =>
      this.aged.filter((slot) => this.at(slot).pool === pool),
    );
    await breathe();
    const tables = new Map<Timeframe, Table>();
    let before: readonly (Scores | undefined)[] = [];
    for (const [index, timeframe] of TIMEFRAMES.entries()) {
      const orders = this.orders[index] as Orders;
      const { scores, isSame } = await this.scoresOver(index, before, breathe);
      before = scores;
      const scoresOf = (slot: number): Scores => scores[slot] as Scores;
      for (const kind of RANK_KINDS) {
        const order = orders[kind];
        if (!this.stale.delete(order)) continue;
        const shorter = this.orders[index - 1]?.[kind];
        if (isSame && shorter) order.become(shorter);
        else await order.update({ pools, scoresOf, slots: this.contestants.length }, breathe);
      }
      const { performance, popular, trending, top } = orders;
      const places = {
        performance: performance.places,
        popular: popular.places,
        trending: trending.places,
        top: top.places,
      };
      tables.set(timeframe, { places, candidates: this.candidates(orders, pools[0] ?? []) });
    }
    return tables;
  }

  /**
   * The scores over a timeframe by their slots, and whether all are those over the one before: of strategies that are younger than a
   * month, over a month and over a year.
   */
  private async scoresOver(
    timeframe: number,
    before: readonly (Scores | undefined)[],
    breathe: () => Promise<void>,
  ) {
    const scores = new Array<Scores | undefined>(this.contestants.length);
    let isSame = true;
    for (const [index, slot] of this.aged.entries()) {
      const found = this.at(slot).scored[timeframe];
      scores[slot] = found;
      isSame &&= found === before[slot];
      if (index % PIECE === PIECE - 1) await breathe();
    }
    return { scores, isSame };
  }

  /** One that has scores. */
  private at(slot: number): Contestant {
    return this.contestants[slot] as Contestant;
  }

  /** Takes those into the order by age that have scores now, and the others out. */
  private async ageAnew(breathe: () => Promise<void>): Promise<void> {
    if (!this.hasOthers) return;
    this.hasOthers = false;
    const known = new Uint8Array(this.contestants.length);
    for (const slot of this.aged) known[slot] = 1;
    const compare = (one: number, other: number): number =>
      byAge(this.at(one).listing, this.at(other).listing);
    const kept = this.aged.filter((slot) => isScored(this.contestants[slot]));
    await breathe();
    const fresh = [...this.contestants.keys()].filter(
      (slot) => isScored(this.contestants[slot]) && known[slot] === 0,
    );
    await breathe();
    const sorted = await sortInTurns(fresh, compare, breathe);
    this.aged = await mergeInTurns(kept, sorted, compare, breathe);
  }

  /** Of the own pool: by rank_top, then those without it by rank_performance, then the others by age. */
  private candidates({ top, performance }: Orders, aged: readonly number[]): Iterable<Candidate> {
    const { contestants, ownPool } = this;
    const lists = [top.sorted, performance.sorted, aged];
    const placed = [top.places, performance.places];
    return {
      *[Symbol.iterator]() {
        for (const [index, sorted] of lists.entries()) {
          const earlier = placed.slice(0, index);
          for (const slot of sorted) {
            const one = contestants[slot];
            if (one?.pool !== ownPool || earlier.some((places) => places[slot])) continue;
            yield { strategyId: one.listing.strategyId, categories: one.listing.categories };
          }
        }
      },
    };
  }
}
