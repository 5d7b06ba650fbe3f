import {
  type Anchor,
  type AnchorLeaf,
  type ClaimedPoint,
  type StrategyId,
  type TimeStamp,
  type TrackEntry,
  type ValueBucket,
  type ValueDay,
  decimal,
} from '@slipstream/domain';
import {
  type Codec,
  type RowOf,
  columnsOf,
  decimalAsText,
  flag,
  integer,
  json,
  nullable,
  text,
} from '../storage/codec.js';

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

type StoredPoint = Pick<ClaimedPoint, 'at'> & { readonly value: string };

const points: Codec<readonly ClaimedPoint[], string> = {
  store: (list) =>
    JSON.stringify(list.map(({ at, value }): StoredPoint => ({ at, value: value.toFixed() }))),
  load: (kept) =>
    (JSON.parse(kept) as StoredPoint[]).map(({ at, value }) => ({ at, value: decimal(value) })),
};

export const claimedColumns = columnsOf<{
  readonly strategyId: StrategyId;
  readonly points: readonly ClaimedPoint[];
}>()({ strategyId: text(), points });
export const anchorColumns = columnsOf<Anchor>()({
  day: text(),
  madeAt: integer,
  size: integer,
  root: text(),
  branches: json<readonly string[]>(),
  stamp: nullable(json<TimeStamp>()),
});

/** The leaves under one branch of an anchor. */
export interface BranchRow {
  readonly day: string;
  readonly branch: number;
  readonly lastChain: string;
  readonly leaves: readonly AnchorLeaf[];
}

export const anchorBranchColumns = columnsOf<BranchRow>()({
  day: text(),
  branch: integer,
  lastChain: text(),
  leaves: json<readonly AnchorLeaf[]>(),
});

export interface PerformanceTables {
  readonly claimed_histories: RowOf<typeof claimedColumns>;
  readonly value_buckets: RowOf<typeof bucketColumns>;
  readonly value_days: RowOf<typeof dayColumns>;
  readonly track_entries: RowOf<typeof trackColumns>;
  readonly anchors: RowOf<typeof anchorColumns>;
  readonly anchor_branches: RowOf<typeof anchorBranchColumns>;
}
