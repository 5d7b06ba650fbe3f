import { type AccountActivity, type BrokerAccount, ONE, ZERO, decimal } from '@slipstream/domain';
import {
  type Broker,
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
} from '@slipstream/ports';
import { openBroker } from './fixture.js';
import { REAL, type WrongBroker, finding, wrong } from './one-fault.js';
import { acme, coin } from './world.js';

const nothing: BrokerAccount = {
  equity: ZERO,
  cash: ZERO,
  buyingPower: ZERO,
  maxGross: decimal('2'),
  positions: [],
  allows: 'all',
  because: null,
};

/** Reports what the right broker reports, changed one by one. */
const reporting =
  (change: (activity: AccountActivity) => readonly AccountActivity[]) =>
  (broker: Broker): Partial<Broker> => ({
    activities: async (...asked) =>
      ((await broker.activities?.(...asked)) ?? []).flatMap((activity) => change(activity)),
  });

const openOrder = ({ stock, clientOrderId, action, amount }: BrokerOrderRequest): BrokerOrder => ({
  clientOrderId,
  stockId: stock.id,
  action,
  amount,
  status: 'open',
  cancelling: false,
  filledAmount: ZERO,
  filledPrice: null,
  fee: null,
  reason: null,
});

/** Each broker with the cases that must find it. */
export const WRONG_BROKERS: readonly WrongBroker[] = [
  ['is right: none', openBroker(acme), []],
  ['is right and slow: none', openBroker(acme, REAL), []],

  [
    'takes no answer for no order',
    wrong((broker) => ({
      find: (access, ids) => broker.find(access, ids).catch(() => new Map()),
    })),
    ['BC-23'],
  ],

  [
    'takes no answer for an empty account',
    wrong((broker) => ({
      account: (...asked) =>
        broker.account(...asked).catch((error: unknown) => {
          if (error instanceof BrokerRefused) throw error;
          return nothing;
        }),
    })),
    ['BC-24'],
  ],

  [
    'takes no answer for no rules',
    wrong((broker) => ({
      rules: (access, stocks) => broker.rules(access, stocks).catch(() => new Map()),
    })),
    ['BC-38'],
  ],

  [
    'trades the first of that ticker',
    wrong((broker, { instruments }) => ({
      place: (access, order) => {
        const first = instruments.all().find(({ symbol }) => symbol === order.stock.symbol);
        return broker.place(access, { ...order, stock: first ?? order.stock });
      },
    })),
    ['BC-62', 'BC-27'],
  ],

  [
    'has rules for everything',
    wrong((broker) => ({
      rules: async (access, stocks) => {
        const found = await broker.rules(access, stocks);
        const any = (await broker.rules(access, [acme])).get(acme.id);
        return new Map(
          stocks.flatMap(({ id }) => {
            const rules = found.get(id) ?? any;
            return rules ? [[id, rules]] : [];
          }),
        );
      },
    })),
    ['BC-22'],
  ],

  [
    'forgets what was filled',
    wrong(
      finding((order) => (order.status === 'cancelled' ? { ...order, filledAmount: ZERO } : order)),
    ),
    ['BC-26', 'BC-40'],
  ],

  [
    'takes an answer that cannot be read for an order',
    wrong((broker) => ({
      place: (access, order) =>
        broker.place(access, order).catch((error: unknown) => {
          if (error instanceof BrokerUnreachable) return openOrder(order);
          throw error;
        }),
    })),
    ['BC-16', 'BC-17', 'BC-37'],
  ],

  [
    'takes an acceptance for a fill',
    wrong(
      (broker) => ({
        place: async (access, order) => {
          const placed = await broker.place(access, order);
          const { amount } = order;
          return placed.status === 'open'
            ? { ...placed, status: 'filled', filledAmount: amount, filledPrice: ONE }
            : placed;
        },
      }),
      REAL,
    ),
    ['BC-26', 'BC-33', 'BC-34', 'BC-18', 'BC-41', 'BC-54'],
  ],

  [
    'takes a request to cancel for its end',
    wrong(
      finding((order) => (order.cancelling ? { ...order, cancelling: false } : order)),
      REAL,
    ),
    ['BC-19'],
  ],

  [
    'keeps what expired open for ever',
    wrong(finding((order) => (order.reason === 'expired' ? { ...order, status: 'open' } : order))),
    ['BC-39', 'BC-40'],
  ],

  [
    'finds the first order only',
    wrong((broker) => ({
      find: (access, ids) => broker.find(access, ids.slice(0, 1)),
    })),
    ['BC-11', 'BC-61'],
  ],

  [
    'sends every order at the market',
    wrong((broker) => ({
      place: (access, order) => broker.place(access, { ...order, limit: null }),
    })),
    ['BC-41', 'BC-54', 'BC-55'],
  ],

  [
    'lets orders that close do more',
    wrong((broker) => ({
      place: (access, order) => broker.place(access, { ...order, closes: false }),
    })),
    ['BC-43', 'BC-44', 'BC-56', 'BC-57'],
  ],

  [
    'takes 429 for an outage',
    wrong((broker) => {
      const told = (error: unknown): never => {
        throw error instanceof BrokerRateLimited ? new BrokerUnreachable('429') : error;
      };
      return {
        place: (...asked) => broker.place(...asked).catch(told),
        find: (...asked) => broker.find(...asked).catch(told),
        account: (...asked) => broker.account(...asked).catch(told),
        rules: (...asked) => broker.rules(...asked).catch(told),
      };
    }),
    ['BC-23', 'BC-24', 'BC-25', 'BC-38'],
  ],

  [
    'tells no halt',
    wrong((broker) => ({
      rules: async (access, stocks) =>
        new Map(
          [...(await broker.rules(access, stocks))].map(([one, rules]) => [
            one,
            rules.session === 'halted' ? { ...rules, session: 'open' } : rules,
          ]),
        ),
    })),
    ['BC-32'],
  ],

  [
    'leaves out positions that the service does not list',
    wrong((broker) => ({
      account: async (access, instruments) => {
        const account = await broker.account(access, instruments);
        const positions = account.positions.filter(({ stockId }) => instruments.find(stockId));
        return { ...account, positions };
      },
    })),
    ['BC-46'],
  ],

  [
    'tells shorts without their sign',
    wrong((broker) => ({
      account: async (...asked) => {
        const account = await broker.account(...asked);
        const positions = account.positions.map((position) => ({
          ...position,
          amount: position.amount.abs(),
          value: position.value.abs(),
        }));
        return { ...account, positions };
      },
    })),
    ['BC-14', 'BC-15', 'BC-31', 'BC-57'],
  ],

  [
    'tells that fractions are lent where whole shares are',
    wrong(
      (broker) => ({
        rules: async (access, stocks) =>
          new Map(
            [...(await broker.rules(access, stocks))].map(([one, rules]) => [
              one,
              { ...rules, shortStep: rules.amountStep },
            ]),
          ),
      }),
      REAL,
    ),
    ['BC-31'],
  ],

  [
    'sends an id that it knows once more',
    openBroker(acme, { dedupes: false }),
    ['BC-08', 'BC-09', 'BC-37'],
  ],

  [
    'reports withdrawals as deposits',
    wrong(reporting((activity) => [{ ...activity, cash: activity.cash.abs() }])),
    ['BC-47'],
  ],

  [
    'reports only the size of what was moved',
    wrong(reporting((activity) => [{ ...activity, amount: activity.amount.abs() }])),
    ['BC-48'],
  ],

  [
    'reports every order as a deposit',
    wrong((broker) => {
      const placed: AccountActivity[] = [];
      return {
        place: (access, order) => {
          const { clientOrderId: id, amount: cash } = order;
          const [at, amount] = [0, ZERO];
          placed.push({ id, at, kind: 'transfer', name: 'FILL', cash, stockId: null, amount });
          return broker.place(access, order);
        },
        activities: async (...asked) => [
          ...((await broker.activities?.(...asked)) ?? []),
          ...placed,
        ],
      };
    }),
    ['BC-49'],
  ],

  [
    'reports the newest hundred only',
    wrong((broker) => ({
      activities: async (...asked) => ((await broker.activities?.(...asked)) ?? []).slice(-100),
    })),
    ['BC-50'],
  ],

  [
    'takes no answer for no activities',
    wrong((broker) => ({
      activities: async (...asked) => (await broker.activities?.(...asked).catch(() => [])) ?? [],
    })),
    ['BC-51'],
  ],

  [
    'forgets what was there before it was linked',
    wrong((broker) => ({
      link: async (request) => ({ ...(await broker.link(request)), holdings: [] }),
    })),
    ['BC-30', 'BC-60'],
  ],

  [
    'tells no fee where it took one of what was bought',
    wrong(
      finding((order) => ({ ...order, fee: ZERO })),
      { feeInAsset: true },
      coin,
    ),
    ['BC-35', 'BC-52', 'BC-53', 'BC-08'],
  ],
];
