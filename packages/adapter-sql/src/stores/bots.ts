import type { BotId, StrategyId, Timestamp, UserId } from '@slipstream/domain';
import type { BotStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../queries.js';
import type { Session } from '../session.js';
import { botColumns } from '../tables.js';

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
const mirroringBots = prepared<{ strategyId: StrategyId; after: string; limit: number }>()((slot) =>
  build
    .selectFrom('bots')
    .selectAll('bots')
    .innerJoin('bot_strategies', 'bot_strategies.bot_id', 'bots.id')
    .where('bot_strategies.strategy_id', '=', slot('strategyId'))
    .where('bots.condition', '=', 'active')
    .where('bots.id', '>', slot('after') as BotId)
    .orderBy('bots.id')
    .limit(slot('limit')),
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
    .values({ bot_id: slot('id'), strategy_id: slot('strategyId') })
    .onConflict((conflict) => conflict.doNothing()),
);

export const sqlBots = (session: Session): BotStore => ({
  find: async (id) => {
    const row = session.row(botById({ id }));
    return row && botColumns.load(row);
  },
  listOf: async (userId) => session.rows(botsOfUser({ userId })).map(botColumns.load),
  due: async (now, limit) => session.rows(dueBots({ now, limit })).map(botColumns.load),
  mirroring: async (strategyId, after, limit) =>
    session.rows(mirroringBots({ strategyId, after: after ?? '', limit })).map(botColumns.load),
  usingAccount: async (broker, accountId) =>
    session.rows(botsOfAccount({ broker, accountId })).map(botColumns.load),
  save: async (bot) => {
    const { id } = bot;
    session.write(saveBot(bot));
    session.write(removeStrategies({ id }));
    for (const { strategyId } of bot.allocations) session.write(addStrategy({ id, strategyId }));
  },
  remove: async (id) => {
    session.write(removeBot({ id }));
    session.write(removeOrders({ id }));
  },
});
