import type { SimulatedOptions } from '@slipstream/adapter-broker-simulated';
import { ONE, type Stock } from '@slipstream/domain';
import type { BrokerFixture } from '@slipstream/port-contracts';
import type { Broker, BrokerOrder } from '@slipstream/ports';
import { openBroker } from './fixture.js';
import { acme } from './world.js';

/** The simulated broker with one fault of an adapter. */
export const wrong =
  (
    change: (broker: Broker, fixture: BrokerFixture) => Partial<Broker>,
    options: SimulatedOptions = {},
    stock: Stock = acme,
  ) =>
  async (): Promise<BrokerFixture> => {
    const fixture = await openBroker(stock, options)();
    return { ...fixture, broker: { ...fixture.broker, ...change(fixture.broker, fixture) } };
  };

/** Finds what the right broker finds, changed order by order. */
export const finding =
  (change: (order: BrokerOrder) => BrokerOrder) =>
  (broker: Broker): Partial<Broker> => ({
    find: async (access, ids) =>
      new Map([...(await broker.find(access, ids))].map(([one, order]) => [one, change(order)])),
  });

/** As real brokers: an order is accepted first, a cancellation takes its time, whole shares are lent. */
export const REAL: SimulatedOptions = { acceptsFirst: true, slowCancel: true, shortStep: ONE };

/** What is wrong with it, how it is opened, and the cases that must find it. */
export type WrongBroker = readonly [string, () => Promise<BrokerFixture>, readonly string[]];
