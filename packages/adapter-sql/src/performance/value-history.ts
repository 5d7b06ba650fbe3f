import type { StrategyId, Timestamp, ValueBucket } from '@slipstream/domain';
import type { ValueHistoryStore } from '@slipstream/ports';
import { chunks } from '../storage/lists.js';
import { build, prepared, removal, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { bucketColumns } from './columns.js';

const lastEnded = prepared<{ strategyId: StrategyId; from: Timestamp }>()((param) =>
  build
    .selectFrom('value_buckets')
    .select('start')
    .where('strategy_id', '=', param('strategyId'))
    .where('start', '<=', param('from'))
    .where((row) => row(row('start', '+', row.ref('length')), '<=', param('from')))
    .orderBy('start', 'desc')
    .limit(1),
);
const bucketsFrom = prepared<{
  strategyId: StrategyId;
  start: Timestamp;
  before: Timestamp;
}>()((param) =>
  build
    .selectFrom('value_buckets')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .where('start', '>=', param('start'))
    .where('start', '<', param('before'))
    .orderBy('start'),
);
const lastAsLong = prepared<{ strategyId: StrategyId; before: Timestamp; length: number }>()(
  (param) =>
    build
      .selectFrom('value_buckets')
      .select('start')
      .where('strategy_id', '=', param('strategyId'))
      .where('start', '<', param('before'))
      .where('length', '>=', param('length'))
      .orderBy('start', 'desc')
      .limit(1),
);
const bucketsBetween = prepared<{
  strategyId: StrategyId;
  after: Timestamp;
  before: Timestamp;
}>()((param) =>
  build
    .selectFrom('value_buckets')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .where('start', '>', param('after'))
    .where('start', '<', param('before'))
    .orderBy('start'),
);
const lastBucket = prepared<{ strategyId: StrategyId }>()((param) =>
  build
    .selectFrom('value_buckets')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .orderBy('start', 'desc')
    .limit(1),
);
const removeBucket = removal<{ strategy_id: StrategyId; start: Timestamp }>(
  'value_buckets',
  'strategy_id',
  'start',
);
const saveBucket = upsert('value_buckets', bucketColumns, 'strategy_id', 'start');

function bucketOf(row: object): ValueBucket {
  const { strategyId: _, ...bucket } = bucketColumns.load(row);
  return bucket;
}

/** From memory when it is there; so is that there is none. */
async function findLast(
  session: Session,
  strategyId: StrategyId,
): Promise<ValueBucket | undefined> {
  const known = session.records.get('lastBuckets', strategyId);
  if (known) return known.bucket;
  const row = await session.row(lastBucket({ strategyId }));
  const bucket = row && bucketOf(row);
  session.records.read('lastBuckets', strategyId, { bucket });
  return bucket;
}

export const sqlValueHistory = (session: Session): ValueHistoryStore => ({
  list: async (strategyId, from, before = Number.MAX_SAFE_INTEGER) => {
    const first = await session.row(lastEnded({ strategyId, from }));
    const start = first?.start ?? Number.MIN_SAFE_INTEGER;
    return session.all(bucketsFrom({ strategyId, start, before }), bucketOf);
  },
  shorterBefore: async (strategyId, before, length) => {
    const longer = await session.row(lastAsLong({ strategyId, before, length }));
    const after = longer?.start ?? Number.MIN_SAFE_INTEGER;
    return session.all(bucketsBetween({ strategyId, after, before }), bucketOf);
  },
  last: async (strategyId) => findLast(session, strategyId),
  lastOfEach: async (strategyIds) =>
    Promise.all(strategyIds.map((strategyId) => findLast(session, strategyId))),
  save: async (strategyId, bucket) => {
    session.write(saveBucket({ strategyId, ...bucket }));
    const last = session.records.get('lastBuckets', strategyId);
    if (!last) session.records.written('lastBuckets', strategyId, undefined);
    // Older ones are saved when they are merged.
    else if (bucket.start >= (last.bucket?.start ?? -Infinity))
      session.records.written('lastBuckets', strategyId, { bucket });
  },
  remove: async (strategyId, starts) => {
    for (const some of chunks(starts)) {
      await session.rest();
      for (const start of some) session.write(removeBucket({ strategy_id: strategyId, start }));
    }
    session.records.written('lastBuckets', strategyId, undefined);
  },
});
