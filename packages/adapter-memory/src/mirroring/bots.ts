import { type Bot, type BotOrder, isOutstanding } from '@slipstream/domain';
import type { BotOrderStore, BotStore, BrokerAccountStore } from '@slipstream/ports';
import { byAge, byId, byNewest, byText, page } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryBots = ({ bots, botOrders, botHistory }: Tables): BotStore => {
  const select = (holds: (bot: Bot) => boolean): Bot[] => bots.values().filter(holds);

  return {
    find: async (botId) => bots.get(botId),
    any: async () => bots.values()[0],
    listOf: async (userId) => select((bot) => bot.userId === userId).toSorted(byNewest),
    due: async (now, limit, lastCheck) =>
      bots
        .values()
        .flatMap((bot) => (bot.nextRunAt === null ? [] : [{ bot, at: bot.nextRunAt }]))
        .filter(({ bot, at }) => at <= now && bot.attempts > 0 === (lastCheck === 'failed'))
        .toSorted((first, second) => first.at - second.at || byId(first.bot, second.bot))
        .slice(0, limit)
        .map(({ bot }) => bot.id),
    mirroring: async (strategyId) =>
      select((bot) => bot.allocations.some((allocation) => allocation.strategyId === strategyId))
        .toSorted(byId)
        .map((bot) => bot.id),
    usingAccount: async (broker, accountId) =>
      select(
        (bot) => bot.status !== 'off' && bot.broker === broker && bot.accountId === accountId,
      ).toSorted(byId),
    notOff: async (after, limit) =>
      select((bot) => bot.status !== 'off' && (after === null || bot.id > after))
        .toSorted(byId)
        .slice(0, limit),
    save: async (bot) => bots.set(bot.id, bot),
    remove: async (botId) => {
      bots.delete(botId);
      botHistory.delete(botId);
      for (const order of botOrders.values()) if (order.botId === botId) botOrders.delete(order.id);
    },
  };
};

export const memoryBotOrders = ({ botOrders }: Tables): BotOrderStore => {
  const ofBot = (botId: BotOrder['botId']): BotOrder[] =>
    botOrders.values().filter((order) => order.botId === botId);

  return {
    find: async (botOrderId) => botOrders.get(botOrderId),
    list: async (botId, wanted) =>
      page(ofBot(botId), wanted, (cursor) => ofBot(botId).find((order) => order.id === cursor)),
    since: async (botId, from) =>
      ofBot(botId)
        .filter((order) => order.createdAt >= from)
        .toSorted(byAge),
    outstanding: async (botId) => ofBot(botId).filter(isOutstanding).toSorted(byAge),
    save: async (order) => botOrders.set(order.id, order),
  };
};

export const memoryBrokerAccounts = ({ brokerAccounts }: Tables): BrokerAccountStore => ({
  find: async (accountId) => brokerAccounts.get(accountId),
  list: async () => brokerAccounts.keys().toSorted(byText),
  save: async (accountId, state) => brokerAccounts.set(accountId, state),
});
