import { ONE, decimal } from '@slipstream/domain';
import { brokerContract } from '@slipstream/port-contracts';
import { openBroker } from './fixture.js';
import { acme, coin } from './world.js';

brokerContract('simulated, stocks', openBroker(acme));
brokerContract('simulated, coins', openBroker(coin));
brokerContract(
  'simulated, whole shares, no crossing',
  openBroker(acme, { wholeShares: true, crossesZero: false }),
);
brokerContract(
  'simulated, stocks that are accepted first, cancelled slowly and lent whole',
  openBroker(acme, {
    acceptsFirst: true,
    slowCancel: true,
    shortStep: ONE,
    crossesZero: false,
    checkReserve: decimal('0.03'),
  }),
);
brokerContract(
  'simulated, coins that are accepted first, with the fee in the asset',
  openBroker(coin, { acceptsFirst: true, slowCancel: true, feeInAsset: true }),
);
