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
  checkedJson,
  columnsOf,
  decimalAsText,
  flag,
  integer,
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

type Field = 'string' | 'number';
/** Whether a value is an object that has these fields. */
const has = (value: unknown, fields: Readonly<Record<string, Field>>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(fields).every(
    ([name, type]) => typeof (value as Record<string, unknown>)[name] === type,
  );
const isStamp = (value: unknown): value is TimeStamp =>
  has(value, { token: 'string', nonce: 'string', at: 'number' });
const areLeaves = (value: unknown): value is readonly AnchorLeaf[] =>
  Array.isArray(value) &&
  value.every((leaf) => has(leaf, { chain: 'string', seq: 'number', hash: 'string' }));
const areRoots = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((root) => typeof root === 'string');

/** A changed anchor is read all the same, and proves nothing: it has no path to its root, or a stamp of nothing. */
export const anchorColumns = columnsOf<Anchor>()({
  day: text(),
  madeAt: integer,
  size: integer,
  root: text(),
  branches: checkedJson(areRoots, []),
  stamp: nullable(checkedJson(isStamp, { token: '', nonce: '', at: 0 })),
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
  leaves: checkedJson(areLeaves, []),
});

export interface PerformanceTables {
  readonly claimed_histories: RowOf<typeof claimedColumns>;
  readonly value_buckets: RowOf<typeof bucketColumns>;
  readonly value_days: RowOf<typeof dayColumns>;
  readonly track_entries: RowOf<typeof trackColumns>;
  readonly anchors: RowOf<typeof anchorColumns>;
  readonly anchor_branches: RowOf<typeof anchorBranchColumns>;
}
