import { NO_RANKS, type Ranks, type StrategyId, type Timeframe } from '@slipstream/domain';

/** A ranked strategy that can be recommended. */
export interface Candidate {
  readonly strategyId: StrategyId;
  /** In lower case. */
  readonly categories: readonly string[];
}

/** The ranks in one timeframe, and the strategies in the order of recommendation. */
export interface Table {
  readonly places: { readonly [Kind in keyof Ranks]: ReadonlyMap<StrategyId, number> };
  readonly candidates: readonly Candidate[];
}

/** The ranks of the last computation; empty before the first one. Only public strategies have ranks. */
export class Ranking {
  private latest: ReadonlyMap<Timeframe, Table> = new Map();

  /** A new object after each computation, so identity shows whether a rank may have changed. */
  get tables(): ReadonlyMap<Timeframe, Table> {
    return this.latest;
  }

  replace(tables: ReadonlyMap<Timeframe, Table>): void {
    this.latest = tables;
  }

  ranksOf(strategyId: StrategyId, timeframe: Timeframe): Ranks {
    const places = this.tables.get(timeframe)?.places;
    if (!places) return NO_RANKS;
    const { performance, popular, trending, top } = places;
    return {
      performance: performance.get(strategyId) ?? null,
      popular: popular.get(strategyId) ?? null,
      trending: trending.get(strategyId) ?? null,
      top: top.get(strategyId) ?? null,
    };
  }

  /** Ordered by rank_top; strategies without it follow, by rank_performance, then by age. */
  candidates(timeframe: Timeframe): readonly Candidate[] {
    return this.tables.get(timeframe)?.candidates ?? [];
  }
}
