import { ALL_JOINED, type Bot, NO_LIMITS } from '@slipstream/domain';
import { BrokerUnreachable } from '@slipstream/ports';
import type { Bug } from './bug.js';
import { withBroker, withReadStores, withStores } from './wrap.js';

const freshOrderId: Bug = {
  name: 'random_client_order_id',
  mistake: 'each attempt gets a client order id of its own',
  breaks: ['B1', 'B2'],
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      place: (access, order) =>
        broker.place(access, {
          ...order,
          clientOrderId: `${order.clientOrderId}-${ports.ids.next()}`,
        }),
    })),
};

const sendsAgain: Bug = {
  name: 'sends_again_without_asking',
  mistake: 'an order whose answer was lost is sent again without a check',
  // B3 when the account cannot afford it twice: the second is rejected, the first was filled.
  breaks: ['B2', 'B3'],
  brokerDedupes: false,
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      async place(access, order) {
        try {
          return await broker.place(access, order);
        } catch (error) {
          if (!(error instanceof BrokerUnreachable)) throw error;
          return broker.place(access, order);
        }
      },
    })),
};

const rejectedOnTimeout: Bug = {
  name: 'rejected_on_timeout',
  mistake: 'a missing answer counts as a rejection',
  breaks: ['B3'],
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      async place(access, order) {
        try {
          return await broker.place(access, order);
        } catch (error) {
          if (!(error instanceof BrokerUnreachable)) throw error;
          const { minus } = { minus: order.amount.minus(order.amount) };
          const { stock, clientOrderId, action, amount } = order;
          return {
            clientOrderId,
            action,
            amount,
            stockId: stock.id,
            status: 'rejected',
            cancelling: false,
            fee: null,
            filledAmount: minus,
            filledPrice: null,
            reason: 'no answer',
          };
        }
      },
    })),
};

const intentTooLate: Bug = {
  name: 'intent_not_stored_first',
  mistake: 'the broker gets an order before it is stored',
  breaks: ['B1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ botOrders }) => ({
      botOrders: {
        ...botOrders,
        save: async (order) => {
          if (order.status !== 'new') await botOrders.save(order);
        },
      },
    })),
  }),
};

const unreadIsFlat: Bug = {
  name: 'unread_position_is_flat',
  mistake: 'an account whose positions cannot be read counts as flat',
  // B13 when it is paced: it buys once more what it has.
  breaks: ['B7', 'B5', 'B13'],
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      account: async (...asked) => ({ ...(await broker.account(...asked)), positions: [] }),
    })),
};

const fillCountedAgain: Bug = {
  name: 'broker_fill_counted_again',
  mistake: 'a fill that the broker reports twice is counted twice',
  breaks: ['B4', 'error'],
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      find: async (access, clientOrderIds) => {
        const found = await broker.find(access, clientOrderIds);
        return new Map(
          [...found].map(([clientOrderId, order]) => [
            clientOrderId,
            { ...order, filledAmount: order.filledAmount.plus(order.filledAmount) },
          ]),
        );
      },
    })),
};

const haltUnseen: Bug = {
  name: 'halt_not_checked',
  mistake: 'bots do not look at halts',
  breaks: ['H1'],
  wrapPorts: (ports) => {
    const blind = withReadStores(ports.unitOfWork, ({ halts }) => ({
      halts: { ...halts, on: async () => [] },
    }));
    return {
      ...ports,
      unitOfWork: withStores(blind, ({ halts }) => ({ halts: { ...halts, on: async () => [] } })),
    };
  },
};

const breachForgotten: Bug = {
  name: 'breach_forgotten',
  mistake: 'a bot goes on as if its breach had never been latched',
  breaks: ['B8'],
  wrapPorts: (ports) => {
    const latched = new Map<string, Bot['breach']>();
    const blind = (bot: Bot | undefined): Bot | undefined => bot && { ...bot, breach: null };
    return {
      ...ports,
      unitOfWork: withReadStores(
        withStores(ports.unitOfWork, ({ bots }) => ({
          bots: {
            ...bots,
            find: async (botId) => blind(await bots.find(botId)),
            save: async (bot) => {
              if (bot.breach) latched.set(bot.id, bot.breach);
              await bots.save({ ...bot, breach: bot.breach ?? latched.get(bot.id) ?? null });
            },
          },
        })),
        ({ bots }) => ({
          bots: { ...bots, find: async (botId) => blind(await bots.find(botId)) },
        }),
      ),
    };
  },
};

const limitsForgotten: Bug = {
  name: 'order_limit_forgotten',
  mistake: 'a plan does not know the limits of its bot',
  breaks: ['B9'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ bots }) => ({
      bots: {
        ...bots,
        find: async (botId) => {
          const bot = await bots.find(botId);
          return bot && { ...bot, limits: NO_LIMITS };
        },
      },
    })),
  }),
};

const joinForgotten: Bug = {
  name: 'join_forgotten',
  mistake: 'a bot takes what its strategy held when it started, though it joins only what is new',
  breaks: ['B10'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ bots }) => ({
      bots: {
        ...bots,
        find: async (botId) => {
          const bot = await bots.find(botId);
          return bot && { ...bot, following: { ...bot.following, unjoined: ALL_JOINED } };
        },
      },
    })),
  }),
};

const overtakenIsSent: Bug = {
  name: 'overtaken_order_sent',
  mistake: 'an order whose plan is overtaken by a trade is sent all the same',
  breaks: ['B12'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ halts, trades }) => {
      // The last check before an order leaves reads its halts first, then the trades.
      let isLastCheck = false;
      return {
        halts: {
          ...halts,
          on: async (bot) => {
            isLastCheck = true;
            return halts.on(bot);
          },
        },
        trades: { ...trades, list: async (...asked) => (isLastCheck ? [] : trades.list(...asked)) },
      };
    }),
  }),
};

/** A bot as its checks read it; what they store goes by the stored one. */
const readAs = (name: string, mistake: string, change: (bot: Bot) => Bot): Bug => ({
  ...{ name, mistake },
  breaks: ['B13'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ bots }) => ({
      bots: {
        ...bots,
        find: async (botId) => {
          const bot = await bots.find(botId);
          return bot && change(bot);
        },
      },
    })),
  }),
});

const pacingForgotten = readAs(
  'pacing_forgotten',
  'a bot increases at every trade, whatever its rebalance says',
  (bot) => ({ ...bot, rebalance: 'every_trade' }),
);

const cooldownForgotten = readAs(
  'cooldown_forgotten',
  'a bot does not know when it rebalanced last',
  (bot) => ({ ...bot, pace: { ...bot.pace, lastAt: null, usedAt: null } }),
);

const bandForgotten = readAs(
  'band_forgotten',
  'a bot corrects what is within the band of its rebalance',
  ({ rebalance, ...bot }) => ({
    ...bot,
    rebalance: rebalance === 'every_trade' ? rebalance : { ...rebalance, band: null },
  }),
);

const keptIsSold: Bug = {
  name: 'kept_is_sold',
  mistake: "what an account holds before its bot counts as the bot's",
  breaks: ['B6'],
  broker: 'alpaca',
  wrapPorts: (ports) => withBroker(ports, () => ({ existingPositions: 'take_over' })),
};

const orderAltered: Bug = {
  name: 'order_altered_on_its_way',
  mistake: 'an order leaves without its limit',
  breaks: ['B11'],
  broker: 'alpaca',
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      place: (access, order) => broker.place(access, { ...order, limit: null }),
    })),
};

const fillLost: Bug = {
  name: 'late_fill_lost',
  mistake: 'an open order counts as cancelled as soon as it is asked for',
  // B14 if it is found first that what was bought counts as the owner's.
  breaks: ['B11', 'B14'],
  broker: 'alpaca',
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      find: async (access, clientOrderIds) => {
        const found = await broker.find(access, clientOrderIds);
        return new Map(
          [...found].map(([clientOrderId, order]) => [
            clientOrderId,
            order.status === 'open' ? { ...order, status: 'cancelled' } : order,
          ]),
        );
      },
    })),
};

const splitTakenForThere: Bug = {
  name: 'split_taken_for_there',
  mistake: 'a split that is booked here counts as one that the broker has',
  breaks: ['B14'],
  broker: 'alpaca',
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(
      withStores(ports.unitOfWork, ({ bots }) => ({
        bots: { ...bots, find: async (botId) => asSeenNow(await bots.find(botId)) },
      })),
      ({ bots }) => ({
        bots: { ...bots, find: async (botId) => asSeenNow(await bots.find(botId)) },
      }),
    ),
  }),
};

/** No split counts as younger than what is known of the holdings. */
const asSeenNow = (bot: Bot | undefined): Bot | undefined =>
  bot && {
    ...bot,
    heldParts: new Map(
      [...bot.heldParts].map(([stockId, part]) => [
        stockId,
        { ...part, seenAt: Number.MAX_SAFE_INTEGER },
      ]),
    ),
  };

export const mirroringBugs: readonly Bug[] = [
  freshOrderId,
  sendsAgain,
  rejectedOnTimeout,
  intentTooLate,
  unreadIsFlat,
  fillCountedAgain,
  haltUnseen,
  breachForgotten,
  limitsForgotten,
  joinForgotten,
  overtakenIsSent,
  pacingForgotten,
  cooldownForgotten,
  bandForgotten,
  keptIsSold,
  orderAltered,
  fillLost,
  splitTakenForThere,
];
