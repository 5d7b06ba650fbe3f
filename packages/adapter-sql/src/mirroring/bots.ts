import { type BotId, type StrategyId, type Timestamp, type UserId, id } from '@slipstream/domain';
import type { BotStore, LastCheck } from '@slipstream/ports';
import { sql } from 'kysely';
import { build, prepared, update, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { botColumns } from './columns.js';

const botById = rowBy('bots', 'id');
const anyBot = prepared<object>()(() => build.selectFrom('bots').selectAll().limit(sql.lit(1)));
const botsOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('bots')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
/** The condition is a literal, as in the index of each. */
const dueBots = ({ failed }: { readonly failed: boolean }) =>
  prepared<{ now: Timestamp; limit: number }>()((param) =>
    build
      .selectFrom('bots')
      .select('id')
      .where('attempts', failed ? '>' : '=', sql.lit(0))
      .where('next_run_at', '<=', param('now'))
      .orderBy('next_run_at')
      .orderBy('id')
      .limit(param('limit')),
  );
const dueAfter = {
  well: dueBots({ failed: false }),
  failed: dueBots({ failed: true }),
} satisfies Record<LastCheck, unknown>;
const mirroringBots = prepared<{ strategyId: StrategyId }>()((param) =>
  build
    .selectFrom('bot_strategies')
    .select('bot_id')
    .where('strategy_id', '=', param('strategyId'))
    .orderBy('bot_id'),
);
const strategiesOfBot = prepared<{ id: BotId }>()((param) =>
  build.selectFrom('bot_strategies').select('strategy_id').where('bot_id', '=', param('id')),
);
const botsOfAccount = prepared<{ broker: string; accountId: string }>()((param) =>
  build
    .selectFrom('bots')
    .selectAll()
    .where('broker', '=', param('broker'))
    .where('account_id', '=', param('accountId'))
    .where('status', '<>', 'off')
    .orderBy('id'),
);
const botsNotOff = prepared<{ after: string; limit: number }>()((param) =>
  build
    .selectFrom('bots')
    .selectAll()
    .where('id', '>', param('after'))
    .where('status', '<>', 'off')
    .orderBy('id')
    .limit(param('limit')),
);
const saveBot = upsert('bots', botColumns, 'id');
const changeBot = update('bots', botColumns, 'id');
const removeBot = prepared<{ id: BotId }>()((param) =>
  build.deleteFrom('bots').where('id', '=', param('id')),
);
const removeOrders = prepared<{ id: BotId }>()((param) =>
  build.deleteFrom('bot_orders').where('bot_id', '=', param('id')),
);
const removeHistory = prepared<{ id: BotId }>()((param) =>
  build.deleteFrom('bot_history').where('bot_id', '=', param('id')),
);
const removeStrategies = prepared<{ id: BotId }>()((param) =>
  build.deleteFrom('bot_strategies').where('bot_id', '=', param('id')),
);
const addStrategy = prepared<{ id: BotId; strategyId: StrategyId }>()((param) =>
  build
    .insertInto('bot_strategies')
    .values({ bot_id: param('id'), strategy_id: param('strategyId') }),
);

export const sqlBots = (session: Session): BotStore => ({
  find: async (botId) => {
    const known = session.records.get('bots', botId);
    if (known) return known;
    const row = await session.row(botById(botId));
    const bot = row && botColumns.load(row);
    if (bot) session.records.read('bots', botId, bot);
    return bot;
  },
  any: () => session.find(anyBot({}), botColumns.load),
  listOf: (userId) => session.list(botsOfUser({ userId }), botColumns.load),
  due: (now, limit, lastCheck) =>
    session.list(dueAfter[lastCheck]({ now, limit }), (row) => id<'bot'>(row.id)),
  mirroring: async (strategyId) => {
    const known = session.records.get('mirrors', strategyId);
    if (known) return known.botIds;
    // In pieces: thousands at once would hold the event loop for as long as a hundred alerts.
    const botIds = await session.all(mirroringBots({ strategyId }), (row) => id<'bot'>(row.bot_id));
    session.records.read('mirrors', strategyId, { botIds });
    return botIds;
  },
  usingAccount: (broker, accountId) =>
    session.list(botsOfAccount({ broker, accountId }), botColumns.load),
  notOff: (after, limit) =>
    session.list(botsNotOff({ after: after ?? '', limit }), botColumns.load),
  save: async (bot) => {
    const before = session.records.get('bots', bot.id);
    const change = before && changeBot(before, bot);
    if (change) session.write(change, 1);
    else session.write(saveBot(bot));
    session.records.written('bots', bot.id, bot);
    if (before?.allocations === bot.allocations) return;
    await saveMirrored(
      session,
      bot.id,
      bot.allocations.map(({ strategyId }) => strategyId),
    );
  },
  remove: async (botId) => {
    await saveMirrored(session, botId, []);
    session.write(removeBot({ id: botId }));
    session.records.written('bots', botId, undefined);
    session.write(removeOrders({ id: botId }));
    session.records.written('outstanding', botId, undefined);
    session.records.written('lateOrders', botId, undefined);
    session.write(removeHistory({ id: botId }));
    session.records.written('lastAccounts', botId, undefined);
  },
});

/** Which strategies a bot mirrors; most of the time they are what they were. */
async function saveMirrored(
  session: Session,
  botId: BotId,
  mirrored: readonly StrategyId[],
): Promise<void> {
  const before = new Set(
    await session.list(strategiesOfBot({ id: botId }), (row) => row.strategy_id),
  );
  const after = new Set<string>(mirrored);
  if (before.size === after.size && mirrored.every((strategyId) => before.has(strategyId))) return;
  session.write(removeStrategies({ id: botId }));
  for (const strategyId of new Set(mirrored)) session.write(addStrategy({ id: botId, strategyId }));
  for (const strategyId of before) session.records.written('mirrors', strategyId, undefined);
  for (const strategyId of after) session.records.written('mirrors', strategyId, undefined);
}
