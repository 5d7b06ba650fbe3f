import { NO_RANKS, type Ranks, type StrategyId, type Timeframe } from '@slipstream/domain';

/** A ranked strategy that can be recommended. */
export interface Candidate {
  readonly strategyId: StrategyId;
  /** In lower case. */
  readonly categories: readonly string[];
}

/** The places in one timeframe, and who is to be recommended first. */
export interface Table {
  readonly places: { readonly [Kind in keyof Ranks]: ReadonlyMap<StrategyId, number> };
  readonly candidates: readonly Candidate[];
}

/** The ranks as they were last found; there are none before the first time. Only public strategies have any. */
export class Ranking {
  private latest: ReadonlyMap<Timeframe, Table> = new Map();

  /** Others whenever any rank may be another. */
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

  /** By rank_top; after those that have one, the others by rank_performance, then by age. */
  candidates(timeframe: Timeframe): readonly Candidate[] {
    return this.tables.get(timeframe)?.candidates ?? [];
  }
}
