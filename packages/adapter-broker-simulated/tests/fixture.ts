import type { SimulatedOptions } from '@slipstream/adapter-broker-simulated';
import { type Stock, id } from '@slipstream/domain';
import type { BrokerFixture, BrokerTrouble } from '@slipstream/port-contracts';
import type { Broker } from '@slipstream/ports';
import { aWorld, acme, acmeElsewhere, coin, coinElsewhere } from './world.js';

const FAULTS = {
  unreachable: 'lost_request',
  rate_limited: { rateLimited: 1_000 },
  refused: 'refused',
} as const satisfies Record<BrokerTrouble, unknown>;

/** The simulated broker for the contract, with accounts that trade what `stock` is. */
export const openBroker =
  (stock: Stock, options: SimulatedOptions = {}) =>
  async (): Promise<BrokerFixture> => {
    const { broker, faults, instruments, setOpen } = aWorld(options);
    let closesAfter = false;
    /** What is left of a partial fill would go on at the next look: the market closes for it. */
    const closing: Broker = {
      ...broker,
      place: async (access, order) => {
        const answer = await broker.place(access, order);
        if (closesAfter) setOpen(false);
        return answer;
      },
    };
    const link = {
      userId: id<'user'>('user-1'),
      type: stock.security,
      accountId: undefined,
      credentials: { starting_balance: '5000' },
    };
    return {
      broker: closing,
      link,
      wrongLink: { ...link, credentials: { starting_balance: '-1' } },
      stock,
      twin: stock === acme ? acmeElsewhere : coinElsewhere,
      unlisted: stock === acme ? coin : acme,
      instruments,
      settle: async () => undefined,
      loseNextAnswer: () => faults.on('place', 'lost_answer'),
      loseNextRequest: () => faults.on('place', 'lost_request'),
      troubleNext: (method, trouble) => faults.on(method, FAULTS[trouble]),
      fillNextInPart: () => {
        faults.on('place', 'partial');
        closesAfter = true;
      },
      closeMarket: () => setOpen(false),
      openMarket: () => setOpen(true),
    };
  };
