import type { StrategyId, TrackEntry, ValueBucket } from '@slipstream/domain';
import { type RowOf, columnsOf, exact, integer, text } from '../storage/codec.js';

export const bucketColumns = columnsOf<ValueBucket & { readonly strategyId: StrategyId }>()({
  strategyId: text(),
  start: integer,
  length: integer,
  last: exact,
  lastAt: integer,
  high: exact,
  low: exact,
  drawdown: exact,
});

export const trackColumns = columnsOf<TrackEntry>()({
  strategyId: text(),
  seq: integer,
  kind: text(),
  at: integer,
  body: text(),
  previousHash: text(),
  hash: text(),
});

export interface PerformanceTables {
  readonly value_buckets: RowOf<typeof bucketColumns>;
  readonly track_entries: RowOf<typeof trackColumns>;
}
