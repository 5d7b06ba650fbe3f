import { ALL_JOINED, type Bot, NO_LIMITS } from '@slipstream/domain';
import type { Bug } from './bug.js';
import { withReadStores, withStores } from './wrap.js';

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

/** A bot that its checks read changed; what they store goes by the stored one. */
const readAs = (
  { name, mistake, breaks }: Pick<Bug, 'name' | 'mistake' | 'breaks'>,
  change: (bot: Bot) => Bot,
): Bug => ({
  ...{ name, mistake, breaks },
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

const limitsForgotten = readAs(
  {
    name: 'order_limit_forgotten',
    mistake: 'a plan does not know the limits of its bot',
    breaks: ['B9'],
  },
  (bot) => ({ ...bot, limits: NO_LIMITS }),
);

const joinForgotten = readAs(
  {
    name: 'join_forgotten',
    mistake: 'a bot takes what its strategy held when it started, though it joins only what is new',
    breaks: ['B10'],
  },
  (bot) => ({ ...bot, following: { ...bot.following, unjoined: ALL_JOINED } }),
);

const pacingForgotten = readAs(
  {
    name: 'pacing_forgotten',
    mistake: 'a bot increases at every trade, whatever its rebalance says',
    breaks: ['B13'],
  },
  (bot) => ({ ...bot, rebalance: 'every_trade' }),
);

const cooldownForgotten = readAs(
  {
    name: 'cooldown_forgotten',
    mistake: 'a bot does not know when it rebalanced last',
    breaks: ['B13'],
  },
  (bot) => ({ ...bot, pace: { ...bot.pace, lastAt: null, usedAt: null } }),
);

const bandForgotten = readAs(
  {
    name: 'band_forgotten',
    mistake: 'a bot corrects what is within the band of its rebalance',
    breaks: ['B13'],
  },
  ({ rebalance, ...bot }) => ({
    ...bot,
    rebalance: rebalance === 'every_trade' ? rebalance : { ...rebalance, band: null },
  }),
);

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

/** Bugs in what a bot knows when it decides. */
export const mirroringBugs: readonly Bug[] = [
  haltUnseen,
  breachForgotten,
  limitsForgotten,
  joinForgotten,
  overtakenIsSent,
  pacingForgotten,
  cooldownForgotten,
  bandForgotten,
  splitTakenForThere,
];
