import {
  BASES,
  type Basis,
  RANK_KINDS,
  type Ranks,
  type StrategyId,
  TIMEFRAMES,
  type Timeframe,
  byAge,
  byPlace,
  isContender,
} from '@slipstream/domain';
import type { Contestant, Pooled } from './contestants.js';
import { Order } from './order.js';
import type { Candidate, Table } from './ranking.js';

type List = keyof Ranks | 'age';
const LISTS: readonly List[] = [...RANK_KINDS, 'age'];
type Orders = { readonly [Name in List]: Order };

/** The lists in which the place of a contestant may be another one. */
function changedLists(before: Pooled | undefined, after: Pooled | undefined): readonly List[] {
  if (before?.pool !== after?.pool) return LISTS;
  return RANK_KINDS.filter((kind) => before?.scores[kind] !== after?.scores[kind]);
}

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

  constructor(private readonly ownPool: Basis) {
    const pools = [ownPool, ...BASES.filter((pool) => pool !== ownPool)];
    const byPool = (first: Pooled, second: Pooled): number =>
      first.pool === second.pool ? 0 : pools.indexOf(first.pool) - pools.indexOf(second.pool);
    const orderOf = (kind: keyof Ranks): Order => {
      const compare = byPlace(kind);
      return new Order({
        isIn: (one) => isContender(kind, one),
        isSame: (before, after) =>
          before.pool === after.pool && before.scores[kind] === after.scores[kind],
        compare: (first, second) => byPool(first, second) || compare(first, second),
      });
    };
    // The same strategies are in the same order by followers, and by age, in every timeframe.
    const [popular, age] = [
      orderOf('popular'),
      new Order({
        isIn: () => true,
        isSame: (before, after) => before.pool === after.pool,
        compare: (first, second) => byPool(first, second) || byAge(first, second),
      }),
    ];
    this.orders = TIMEFRAMES.map(() => ({
      performance: orderOf('performance'),
      popular,
      trending: orderOf('trending'),
      top: orderOf('top'),
      age,
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
    for (const [index, orders] of this.orders.entries())
      for (const list of changedLists(before?.scored[index], next?.scored[index]))
        this.stale.add(orders[list]);
  }

  /** The ranks, if a contestant was put or removed since the last call. */
  async tables(breathe: () => Promise<void>): Promise<ReadonlyMap<Timeframe, Table> | undefined> {
    if (!this.hasChanged) return undefined;
    this.hasChanged = false;
    const tables = new Map<Timeframe, Table>();
    for (const [index, timeframe] of TIMEFRAMES.entries()) {
      const present = this.contestants.map((one) => one?.scored[index]);
      const orders = this.orders[index] as Orders;
      for (const order of Object.values(orders))
        if (this.stale.delete(order)) await order.update(present, breathe);
      const { performance, popular, trending, top } = orders;
      const places = {
        performance: performance.places,
        popular: popular.places,
        trending: trending.places,
        top: top.places,
      };
      tables.set(timeframe, { places, candidates: this.candidates(orders) });
      await breathe();
    }
    return tables;
  }

  /** Of the own pool: by rank_top, then those without it by rank_performance, then the others by age. */
  private candidates({ top, performance, age }: Orders): Iterable<Candidate> {
    const { contestants, ownPool } = this;
    const lists = [top.sorted, performance.sorted, age.sorted];
    const placed = [top.places, performance.places];
    return {
      *[Symbol.iterator]() {
        for (const [index, sorted] of lists.entries()) {
          const earlier = placed.slice(0, index);
          for (const { strategyId, pool, slot } of sorted) {
            if (pool !== ownPool) break;
            if (earlier.some((places) => places[slot])) continue;
            yield { strategyId, categories: contestants[slot]?.listing.categories ?? [] };
          }
        }
      },
    };
  }
}
