import { NO_RANKS, type Ranks, type StrategyId, type Timeframe } from '@slipstream/domain';

/** A ranked strategy that can be recommended. */
export interface Candidate {
  readonly strategyId: StrategyId;
  /** In lower case. */
  readonly categories: readonly string[];
}

/** The places by the strategies' slots; 0 is none. */
export type Places = Uint32Array;

/** The ranks in one timeframe, and the strategies in the order of recommendation. */
export interface Table {
  readonly places: { readonly [Kind in keyof Ranks]: Places };
  /** Made while they are read: a recommendation needs the first few. */
  readonly candidates: Iterable<Candidate>;
}

/** The ranks of the last computation; empty before the first one. Only public strategies have ranks. */
export class Ranking {
  private latest: ReadonlyMap<Timeframe, Table> = new Map();
  private slots: ReadonlyMap<StrategyId, number> = new Map();

  /** A new object after each computation that changed something, so identity shows whether a rank may have changed. */
  get tables(): ReadonlyMap<Timeframe, Table> {
    return this.latest;
  }

  /** `slots`: where the strategies are in the places. */
  replace(tables: ReadonlyMap<Timeframe, Table>, slots: ReadonlyMap<StrategyId, number>): void {
    this.latest = tables;
    this.slots = slots;
  }

  ranksOf(strategyId: StrategyId, timeframe: Timeframe): Ranks {
    const places = this.tables.get(timeframe)?.places;
    const slot = this.slots.get(strategyId);
    if (!places || slot === undefined) return NO_RANKS;
    const placeIn = (kind: keyof Ranks): number | null => places[kind][slot] || null;
    return {
      performance: placeIn('performance'),
      popular: placeIn('popular'),
      trending: placeIn('trending'),
      top: placeIn('top'),
    };
  }

  /** Ordered by rank_top; strategies without it follow, by rank_performance, then by age. */
  candidates(timeframe: Timeframe): Iterable<Candidate> {
    return this.tables.get(timeframe)?.candidates ?? [];
  }
}
