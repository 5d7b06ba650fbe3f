import { type BrokerAccount, ZERO, decimal } from '@slipstream/domain';
import type { BrokerFixture } from '@slipstream/port-contracts';
import { type Broker, BrokerRefused } from '@slipstream/ports';
import { openBroker } from './fixture.js';
import { acme } from './world.js';

/** The simulated broker with one fault of an adapter. */
const wrong =
  (change: (broker: Broker, fixture: BrokerFixture) => Partial<Broker>) =>
  async (): Promise<BrokerFixture> => {
    const fixture = await openBroker(acme)();
    return { ...fixture, broker: { ...fixture.broker, ...change(fixture.broker, fixture) } };
  };

const nothing: BrokerAccount = {
  equity: ZERO,
  cash: ZERO,
  buyingPower: ZERO,
  maxGross: decimal('2'),
  positions: [],
  allows: 'all',
  because: null,
};

/** Each broker with the case that must find it. */
export const WRONG_BROKERS: readonly (readonly [
  string,
  () => Promise<BrokerFixture>,
  readonly string[],
])[] = [
  ['is right: none', openBroker(acme), []],

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
    'trades the first of that ticker',
    wrong((broker, { instruments }) => ({
      place: (access, order) => {
        const first = instruments.all().find(({ symbol }) => symbol === order.stock.symbol);
        return broker.place(access, { ...order, stock: first ?? order.stock });
      },
    })),
    ['BC-27'],
  ],

  [
    'has rules for everything',
    wrong((broker) => ({
      rules: async (access, stocks) => {
        const any = (await broker.rules(access, [acme])).get(acme.id);
        return new Map(stocks.flatMap(({ id }) => (any ? [[id, any]] : [])));
      },
    })),
    ['BC-22'],
  ],

  [
    'forgets what was filled',
    wrong((broker) => ({
      find: async (access, ids) =>
        new Map(
          [...(await broker.find(access, ids))].map(([one, order]) => [
            one,
            order.status === 'cancelled' ? { ...order, filledAmount: ZERO } : order,
          ]),
        ),
    })),
    ['BC-26'],
  ],
];
