import type { AccountBucket, BotId, Timestamp } from '@slipstream/domain';
import type { BotHistoryStore } from '@slipstream/ports';
import { chunks } from '../storage/lists.js';
import { build, prepared, removal, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { accountBucketColumns } from './columns.js';

/** The longest bucket is a day: none that starts before has its end after. */
const LONGEST = 86_400_000;

const bucketsFrom = prepared<{ botId: BotId; earliest: Timestamp; from: Timestamp }>()((param) =>
  build
    .selectFrom('bot_history')
    .selectAll()
    .where('bot_id', '=', param('botId'))
    .where('start', '>', param('earliest'))
    .where((row) => row(row('start', '+', row.ref('length')), '>', param('from')))
    .orderBy('start'),
);
const lastAsLong = prepared<{ botId: BotId; before: Timestamp; length: number }>()((param) =>
  build
    .selectFrom('bot_history')
    .select('start')
    .where('bot_id', '=', param('botId'))
    .where('start', '<', param('before'))
    .where('length', '>=', param('length'))
    .orderBy('start', 'desc')
    .limit(1),
);
const bucketsBetween = prepared<{ botId: BotId; after: Timestamp; before: Timestamp }>()((param) =>
  build
    .selectFrom('bot_history')
    .selectAll()
    .where('bot_id', '=', param('botId'))
    .where('start', '>', param('after'))
    .where('start', '<', param('before'))
    .orderBy('start'),
);
const lastBucket = prepared<{ botId: BotId }>()((param) =>
  build
    .selectFrom('bot_history')
    .selectAll()
    .where('bot_id', '=', param('botId'))
    .orderBy('start', 'desc')
    .limit(1),
);
const removeBucket = removal<{ bot_id: BotId; start: Timestamp }>('bot_history', 'bot_id', 'start');
const saveBucket = upsert('bot_history', accountBucketColumns, 'bot_id', 'start');

function bucketOf(row: object): AccountBucket {
  const { botId: _, ...bucket } = accountBucketColumns.load(row);
  return bucket;
}

export const sqlBotHistory = (session: Session): BotHistoryStore => ({
  list: async (botId, from) =>
    session.all(bucketsFrom({ botId, earliest: from - LONGEST, from }), bucketOf),
  shorterBefore: async (botId, before, length) => {
    const longer = await session.row(lastAsLong({ botId, before, length }));
    const after = longer?.start ?? Number.MIN_SAFE_INTEGER;
    return session.all(bucketsBetween({ botId, after, before }), bucketOf);
  },
  last: async (botId) => {
    const known = session.records.get('lastAccounts', botId);
    if (known) return known.bucket;
    const row = await session.row(lastBucket({ botId }));
    const bucket = row && bucketOf(row);
    session.records.read('lastAccounts', botId, { bucket });
    return bucket;
  },
  save: async (botId, bucket) => {
    session.write(saveBucket({ botId, ...bucket }));
    const known = session.records.get('lastAccounts', botId);
    const isLast = known !== undefined && bucket.start >= (known.bucket?.start ?? -Infinity);
    session.records.written('lastAccounts', botId, isLast ? { bucket } : undefined);
  },
  remove: async (botId, starts) => {
    session.records.written('lastAccounts', botId, undefined);
    for (const some of chunks(starts)) {
      await session.rest();
      for (const start of some) session.write(removeBucket({ bot_id: botId, start }));
    }
  },
});
