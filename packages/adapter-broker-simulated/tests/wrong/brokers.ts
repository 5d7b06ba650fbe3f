import { ZERO, decimal } from '@slipstream/domain';
import { type BrokerFixture, brokerContract } from '@slipstream/port-contracts';
import { type Broker, BrokerRefused } from '@slipstream/ports';
import { openBroker } from '../fixture.js';
import { acme } from '../world.js';

/** The simulated broker with one fault of an adapter. */
const wrong =
  (change: (broker: Broker, fixture: BrokerFixture) => Partial<Broker>) =>
  async (): Promise<BrokerFixture> => {
    const fixture = await openBroker(acme)();
    return { ...fixture, broker: { ...fixture.broker, ...change(fixture.broker, fixture) } };
  };

brokerContract('the reference broker', openBroker(acme));

brokerContract(
  'takes no answer for no order',
  wrong((broker) => ({
    find: (access, clientOrderId) => broker.find(access, clientOrderId).catch(() => undefined),
  })),
);

const nothing = { equity: ZERO, cash: ZERO, maxGross: decimal('2'), positions: [] };

brokerContract(
  'takes no answer for an empty account',
  wrong((broker) => ({
    account: (...asked) =>
      broker.account(...asked).catch((error: unknown) => {
        if (error instanceof BrokerRefused) throw error;
        return nothing;
      }),
  })),
);

brokerContract(
  'trades the first of that ticker',
  wrong((broker, { instruments }) => ({
    place: (access, order) => {
      const first = instruments.all().find(({ symbol }) => symbol === order.stock.symbol);
      return broker.place(access, { ...order, stock: first ?? order.stock });
    },
  })),
);

brokerContract(
  'has rules for everything',
  wrong((broker) => ({
    rules: async (access, stock) =>
      (await broker.rules(access, stock)) ?? broker.rules(access, acme),
  })),
);

brokerContract(
  'forgets what was filled',
  wrong((broker) => ({
    find: async (access, clientOrderId) => {
      const found = await broker.find(access, clientOrderId);
      return found?.status === 'cancelled' ? { ...found, filledAmount: ZERO } : found;
    },
  })),
);
