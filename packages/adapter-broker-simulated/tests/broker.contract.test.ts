import { brokerContract } from '@slipstream/port-contracts';
import { openBroker } from './fixture.js';
import { acme, coin } from './world.js';

brokerContract('simulated, stocks', openBroker(acme));
brokerContract('simulated, coins', openBroker(coin));
brokerContract(
  'simulated, whole shares, no crossing',
  openBroker(acme, { wholeShares: true, crossesZero: false }),
);
