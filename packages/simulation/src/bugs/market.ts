import type { Bug } from './bug.js';
import { withReadStores, withStores } from './wrap.js';

const staleTrades: Bug = {
  name: 'stale_quotes_trade',
  mistake: 'a quote of any age fills orders',
  breaks: ['fill'],
  changeSettings: (settings) => ({ ...settings, quoteFreshFor: 1_000_000_000 }),
};

const closedTrades: Bug = {
  name: 'closed_markets_trade',
  mistake: 'orders fill while the exchange is closed',
  breaks: ['fill'],
  wrapPorts: (ports) => ({
    ...ports,
    tradingHours: {
      nextSession: ports.tradingHours.nextSession,
      sessionAt: () => ({ opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER }),
    },
  }),
};

const eveTrades: Bug = {
  name: 'quotes_of_the_eve_trade',
  mistake: 'a fresh quote from before the opening fills orders after it',
  breaks: ['fill'],
  wrapPorts: (ports) => ({
    ...ports,
    tradingHours: {
      nextSession: ports.tradingHours.nextSession,
      sessionAt: (stock, at) => {
        const session = ports.tradingHours.sessionAt(stock, at);
        return session && { ...session, opensAt: session.opensAt - 60_000 };
      },
    },
  }),
};

const splitTwice: Bug = {
  name: 'split_twice',
  mistake: 'a retry after a fault ignores which books already have the action',
  breaks: ['L1', 'S1', 'S3'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ adjustments }) => ({
      adjustments: {
        ...adjustments,
        find: async () => undefined,
        save: async (adjustment) => {
          const { actionId, strategyId } = adjustment;
          if (!(await adjustments.find(actionId, strategyId))) await adjustments.save(adjustment);
        },
      },
    })),
  }),
};

const dividendUntold: Bug = {
  name: 'dividend_not_in_the_ledger',
  mistake: 'a dividend is paid without a ledger row',
  breaks: ['L1', 'S1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ adjustments }) => ({
      adjustments: {
        ...adjustments,
        save: (adjustment) =>
          adjustments.save({ ...adjustment, cash: adjustment.cash.minus(adjustment.cash) }),
      },
    })),
  }),
};

const segmentsUnopened: Bug = {
  name: 'market_change_ignored',
  mistake: 'a record goes on in its segment when the market becomes another',
  breaks: ['T2'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ strategies }) => ({
      strategies: { ...strategies, live: async () => [] },
    })),
  }),
};

const mergerIgnored: Bug = {
  name: 'merger_ignored',
  mistake: 'a stock trades on after a merger that is not booked',
  breaks: ['S4'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ announcedActions }) => ({
      announcedActions: {
        ...announcedActions,
        save: (row) =>
          announcedActions.save({ ...row, status: row.status === 'held' ? 'closed' : row.status }),
      },
    })),
  }),
};

const dividendTooLarge: Bug = {
  name: 'announced_dividend_doubled',
  mistake: 'an announced dividend is read with twice its amount',
  breaks: ['S4'],
  wrapPorts: (ports) => ({
    ...ports,
    ...(ports.announcedActions && {
      announcedActions: {
        ...ports.announcedActions,
        between: async (...asked) => {
          const answer = await ports.announcedActions?.between(...asked);
          const actions = answer?.actions ?? [];
          return {
            unanswered: answer?.unanswered ?? [],
            actions: actions.map((one) => ({
              ...one,
              amount: one.amount?.plus(one.amount) ?? null,
            })),
          };
        },
      },
    }),
  }),
};

export const marketBugs: readonly Bug[] = [
  staleTrades,
  closedTrades,
  eveTrades,
  splitTwice,
  dividendUntold,
  segmentsUnopened,
  mergerIgnored,
  dividendTooLarge,
];
