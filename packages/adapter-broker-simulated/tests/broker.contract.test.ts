import type { SimulatedOptions } from '@slipstream/adapter-broker-simulated';
import { id } from '@slipstream/domain';
import { type BrokerFixture, brokerContract } from '@slipstream/port-contracts';
import { aWorld, acme, coin } from './world.js';

const open =
  (stock: typeof acme, options: SimulatedOptions = {}) =>
  async (): Promise<BrokerFixture> => {
    const { broker, faults, setOpen } = aWorld(options);
    const link = {
      userId: id<'user'>('user-1'),
      type: stock.security,
      accountId: undefined,
      credentials: { starting_balance: '5000' },
    };
    return {
      broker,
      link,
      wrongLink: { ...link, credentials: { starting_balance: '-1' } },
      stock,
      loseNextAnswer: () => faults.on('place', 'lost_answer'),
      loseNextRequest: () => faults.on('place', 'lost_request'),
      closeMarket: () => setOpen(false),
      openMarket: () => setOpen(true),
    };
  };

brokerContract('simulated, stocks', open(acme));
brokerContract('simulated, coins', open(coin));
brokerContract(
  'simulated, whole shares, no crossing',
  open(acme, { wholeShares: true, crossesZero: false }),
);
