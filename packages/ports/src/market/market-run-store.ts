import type { FillMarket, Timestamp } from '@slipstream/domain';

/** The last moment at which the service ran, with the kind of its market. */
export interface MarketRun {
  readonly market: FillMarket;
  readonly at: Timestamp;
}

/** Keeps the last run only. */
export interface MarketRunStore {
  /** The run that was saved last; undefined before the first. */
  last(): Promise<MarketRun | undefined>;
  save(run: MarketRun): Promise<void>;
}
