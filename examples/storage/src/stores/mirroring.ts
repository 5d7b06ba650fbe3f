import { HALT_SCOPES, type HaltScope, isOutstanding } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { type Tables, byId, dueBy, keyOf, newestFirst, oldestFirst, pageOf } from '../table.js';

type MirroringStores = Pick<
  Stores,
  'bots' | 'botHistory' | 'botOrders' | 'brokerAccounts' | 'connections' | 'halts'
>;

export const mirroringStores = ({
  bots,
  botHistory,
  botOrders,
  brokerAccounts,
  connections,
  halts,
}: Tables): MirroringStores => {
  const historyOf = (id: string) =>
    botHistory
      .where(({ botId }) => botId === id)
      .sort((one, other) => one.start - other.start)
      .map(({ botId: _, ...bucket }) => bucket);
  return {
    bots: {
      find: async (botId) => bots.get(botId),
      any: async () => bots.where(() => true)[0],
      listOf: async (userId) => newestFirst(bots.where((bot) => bot.userId === userId)),
      due: async (now, limit, lastCheck) =>
        dueBy(
          bots.where(({ attempts }) => attempts > 0 === (lastCheck === 'failed')),
          ({ nextRunAt }) => nextRunAt,
          now,
          limit,
        ).map((bot) => bot.id),
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
      notOff: async (after, limit) =>
        byId(
          bots.where(({ id, status }) => status !== 'off' && (after === null || id > after)),
        ).slice(0, limit),
      save: async (bot) => bots.set(bot.id, bot),
      remove: async (botId) => {
        bots.delete(botId);
        for (const { id } of botOrders.where((order) => order.botId === botId))
          botOrders.delete(id);
        for (const { start } of botHistory.where((bucket) => bucket.botId === botId))
          botHistory.delete(keyOf(botId, start));
      },
    },
    botOrders: {
      find: async (botOrderId) => botOrders.get(botOrderId),
      list: async (botId, page) =>
        pageOf(
          botOrders.where((order) => order.botId === botId),
          page,
        ),
      since: async (botId, from) =>
        oldestFirst(botOrders.where((order) => order.botId === botId && order.createdAt >= from)),
      outstanding: async (botId) =>
        oldestFirst(botOrders.where((order) => order.botId === botId && isOutstanding(order))),
      save: async (order) => botOrders.set(order.id, order),
    },
    halts: {
      find: async (haltId) => halts.get(haltId),
      on: async ({ scope, target }) =>
        oldestFirst(halts.where((halt) => halt.scope === scope && halt.target === target)),
      list: async (page) =>
        pageOf(
          halts.where(() => true),
          page,
        ),
      count: async () => {
        const countOf = (scope: HaltScope) => halts.where((halt) => halt.scope === scope).length;
        const counts = HALT_SCOPES.map((scope) => [scope, countOf(scope)]);
        return Object.fromEntries(counts) as Record<HaltScope, number>;
      },
      save: async (halt) => halts.set(halt.id, halt),
      remove: async (haltId) => halts.delete(haltId),
    },
    connections: {
      find: async (connectionId) => connections.get(connectionId),
      findByState: async (digest) =>
        connections.where(
          ({ progress }) => progress.kind === 'asked' && progress.stateDigest === digest,
        )[0],
      listOf: async (userId) =>
        newestFirst(connections.where((connection) => connection.userId === userId)),
      expired: async (now, limit) =>
        dueBy(
          connections.where(() => true),
          ({ expiresAt }) => expiresAt,
          now,
          limit,
        ).map(({ id }) => id),
      save: async (connection) => connections.set(connection.id, connection),
      remove: async (connectionId) => connections.delete(connectionId),
    },
    brokerAccounts: {
      find: async (accountId) => brokerAccounts.get(accountId)?.state,
      list: async () => byId(brokerAccounts.where(() => true)).map(({ id }) => id),
      save: async (id, state) => brokerAccounts.set(id, { id, state }),
    },
    botHistory: {
      list: async (botId, from) =>
        historyOf(botId).filter(({ start, length }) => start + length > from),
      shorterBefore: async (botId, before, length) => {
        const earlier = historyOf(botId).filter(({ start }) => start < before);
        return earlier.slice(earlier.findLastIndex((bucket) => bucket.length >= length) + 1);
      },
      last: async (botId) => historyOf(botId).at(-1),
      save: async (botId, bucket) =>
        botHistory.set(keyOf(botId, bucket.start), { ...bucket, botId }),
      remove: async (botId, starts) =>
        starts.forEach((start) => botHistory.delete(keyOf(botId, start))),
    },
  };
};
