import { type BotId, type StrategyId, type Timestamp, type UserId, id } from '@slipstream/domain';
import type { BotStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { botColumns } from './columns.js';

const botById = prepared<{ id: BotId }>()((slot) =>
  build.selectFrom('bots').selectAll().where('id', '=', slot('id')),
);
const botsOfUser = prepared<{ userId: UserId }>()((slot) =>
  build
    .selectFrom('bots')
    .selectAll()
    .where('user_id', '=', slot('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const dueBots = prepared<{ now: Timestamp; limit: number }>()((slot) =>
  build
    .selectFrom('bots')
    .selectAll()
    .where('next_run_at', '<=', slot('now'))
    .orderBy('next_run_at')
    .orderBy('id')
    .limit(slot('limit')),
);
const mirroringBots = prepared<{ strategyId: StrategyId }>()((slot) =>
  build
    .selectFrom('bot_strategies')
    .select('bot_id')
    .where('strategy_id', '=', slot('strategyId'))
    .orderBy('bot_id'),
);
const strategiesOfBot = prepared<{ id: BotId }>()((slot) =>
  build.selectFrom('bot_strategies').select('strategy_id').where('bot_id', '=', slot('id')),
);
const botsOfAccount = prepared<{ broker: string; accountId: string }>()((slot) =>
  build
    .selectFrom('bots')
    .selectAll()
    .where('broker', '=', slot('broker'))
    .where('account_id', '=', slot('accountId'))
    .where('status', '<>', 'off')
    .orderBy('id'),
);
const saveBot = upsert('bots', botColumns, 'id');
const removeBot = prepared<{ id: BotId }>()((slot) =>
  build.deleteFrom('bots').where('id', '=', slot('id')),
);
const removeOrders = prepared<{ id: BotId }>()((slot) =>
  build.deleteFrom('bot_orders').where('bot_id', '=', slot('id')),
);
const removeStrategies = prepared<{ id: BotId }>()((slot) =>
  build.deleteFrom('bot_strategies').where('bot_id', '=', slot('id')),
);
const addStrategy = prepared<{ id: BotId; strategyId: StrategyId }>()((slot) =>
  build
    .insertInto('bot_strategies')
    .values({ bot_id: slot('id'), strategy_id: slot('strategyId') }),
);

export const sqlBots = (session: Session): BotStore => ({
  find: async (botId) => {
    const row = session.row(botById({ id: botId }));
    return row && botColumns.load(row);
  },
  listOf: async (userId) => session.rows(botsOfUser({ userId })).map(botColumns.load),
  due: async (now, limit) => session.rows(dueBots({ now, limit })).map(botColumns.load),
  mirroring: async (strategyId) => {
    const known = session.records.get('mirrors', strategyId);
    if (known) return known.botIds;
    const botIds = session.rows(mirroringBots({ strategyId })).map((row) => id<'bot'>(row.bot_id));
    session.records.read('mirrors', strategyId, { botIds });
    return botIds;
  },
  usingAccount: async (broker, accountId) =>
    session.rows(botsOfAccount({ broker, accountId })).map(botColumns.load),
  save: async (bot) => {
    session.write(saveBot(bot));
    saveMirrored(
      session,
      bot.id,
      bot.allocations.map(({ strategyId }) => strategyId),
    );
  },
  remove: async (botId) => {
    saveMirrored(session, botId, []);
    session.write(removeBot({ id: botId }));
    session.write(removeOrders({ id: botId }));
  },
});

/** Which strategies a bot mirrors; most of the time they are what they were. */
function saveMirrored(session: Session, botId: BotId, mirrored: readonly StrategyId[]): void {
  const before = new Set(
    session.rows(strategiesOfBot({ id: botId })).map((row) => row.strategy_id),
  );
  const after = new Set<string>(mirrored);
  if (before.size === after.size && mirrored.every((strategyId) => before.has(strategyId))) return;
  session.write(removeStrategies({ id: botId }));
  for (const strategyId of new Set(mirrored)) session.write(addStrategy({ id: botId, strategyId }));
  for (const strategyId of before) session.records.written('mirrors', strategyId, undefined);
  for (const strategyId of after) session.records.written('mirrors', strategyId, undefined);
}
