import type { StrategyId, TrackEntry, ValueBucket, ValueDay } from '@slipstream/domain';
import { type RowOf, columnsOf, decimalAsText, flag, integer, text } from '../storage/codec.js';

export const bucketColumns = columnsOf<ValueBucket & { readonly strategyId: StrategyId }>()({
  strategyId: text(),
  start: integer,
  length: integer,
  last: decimalAsText,
  lastAt: integer,
  high: decimalAsText,
  low: decimalAsText,
  drawdown: decimalAsText,
});

export const dayColumns = columnsOf<ValueDay & { readonly strategyId: StrategyId }>()({
  strategyId: text(),
  last: decimalAsText,
  lastAt: integer,
  high: decimalAsText,
  low: decimalAsText,
  drawdown: decimalAsText,
  gross: decimalAsText,
  heldFor: integer,
  isRecorded: flag,
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
  readonly value_days: RowOf<typeof dayColumns>;
  readonly track_entries: RowOf<typeof trackColumns>;
}
