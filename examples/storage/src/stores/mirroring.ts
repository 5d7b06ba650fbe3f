import type { Stores } from '@slipstream/ports';
import { type Tables, byId, dueBy, newestFirst, oldestFirst, pageOf } from '../table.js';

type MirroringStores = Pick<Stores, 'bots' | 'botOrders' | 'brokerAccounts'>;

const OUTSTANDING: readonly string[] = ['new', 'unknown', 'open'];

export const mirroringStores = ({ bots, botOrders, brokerAccounts }: Tables): MirroringStores => ({
  bots: {
    find: async (botId) => bots.get(botId),
    listOf: async (userId) => newestFirst(bots.where((bot) => bot.userId === userId)),
    due: async (now, limit) =>
      dueBy(
        bots.where(() => true),
        ({ nextRunAt }) => nextRunAt,
        now,
        limit,
      ),
    mirroring: async (id) =>
      byId(
        bots.where(({ allocations }) => allocations.some(({ strategyId }) => strategyId === id)),
      ).map((bot) => bot.id),
    usingAccount: async (broker, accountId) =>
      byId(
        bots.where(
          (bot) => bot.broker === broker && bot.accountId === accountId && bot.status !== 'off',
        ),
      ),
    save: async (bot) => bots.set(bot.id, bot),
    remove: async (botId) => {
      bots.delete(botId);
      for (const { id } of botOrders.where((order) => order.botId === botId)) botOrders.delete(id);
    },
  },
  botOrders: {
    find: async (botOrderId) => botOrders.get(botOrderId),
    list: async (botId, page) =>
      pageOf(
        botOrders.where((order) => order.botId === botId),
        page,
      ),
    outstanding: async (botId) =>
      oldestFirst(
        botOrders.where((order) => order.botId === botId && OUTSTANDING.includes(order.status)),
      ),
    save: async (order) => botOrders.set(order.id, order),
  },
  brokerAccounts: {
    find: async (accountId) => brokerAccounts.get(accountId)?.state,
    list: async () => byId(brokerAccounts.where(() => true)).map(({ id }) => id),
    save: async (id, state) => brokerAccounts.set(id, { id, state }),
  },
});
