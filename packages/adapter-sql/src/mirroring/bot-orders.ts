import type { BotId, BotOrderId, Timestamp } from '@slipstream/domain';
import type { BotOrderStore, BrokerAccountStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { botOrderColumns } from './columns.js';

const botOrderById = prepared<{ id: BotOrderId }>()((param) =>
  build.selectFrom('bot_orders').selectAll().where('id', '=', param('id')),
);
const pageOfBotOrders = pages('bot_orders', botOrderColumns.load, 'bot_id');
const ordersSince = prepared<{ botId: BotId; from: Timestamp }>()((param) =>
  build
    .selectFrom('bot_orders')
    .selectAll()
    .where('bot_id', '=', param('botId'))
    .where('created_at', '>=', param('from'))
    .orderBy('created_at')
    .orderBy('id'),
);
const outstandingOrders = prepared<{ botId: BotId }>()((param) =>
  build
    .selectFrom('bot_orders')
    .selectAll()
    .where('bot_id', '=', param('botId'))
    .where('status', 'in', ['new', 'unknown', 'open'])
    .orderBy('created_at')
    .orderBy('id'),
);
const saveBotOrder = upsert('bot_orders', botOrderColumns, 'id');

export const sqlBotOrders = (session: Session): BotOrderStore => ({
  find: async (id) => {
    const row = await session.row(botOrderById({ id }));
    return row && botOrderColumns.load(row);
  },
  list: async (botId, page) => pageOfBotOrders(session, { bot_id: botId }, page),
  since: async (botId, from) =>
    (await session.rows(ordersSince({ botId, from }))).map(botOrderColumns.load),
  outstanding: async (botId) =>
    (await session.rows(outstandingOrders({ botId }))).map(botOrderColumns.load),
  save: async (order) => void session.write(saveBotOrder(order)),
});

const accountState = prepared<{ accountId: string }>()((param) =>
  build.selectFrom('broker_accounts').select('state').where('account_id', '=', param('accountId')),
);
const accountIds = prepared<object>()(() =>
  build.selectFrom('broker_accounts').select('account_id').orderBy('account_id'),
);
const saveAccount = prepared<{ accountId: string; state: string }>()((param) =>
  build
    .insertInto('broker_accounts')
    .values({ account_id: param('accountId'), state: param('state') })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(({ ref }) => ({ state: ref('excluded.state') })),
    ),
);

export const sqlBrokerAccounts = (session: Session): BrokerAccountStore => ({
  find: async (accountId) => (await session.row(accountState({ accountId })))?.state,
  list: async () => (await session.rows(accountIds({}))).map((row) => row.account_id),
  save: async (accountId, state) => void session.write(saveAccount({ accountId, state })),
});
