import { brokerContract } from '@slipstream/port-contracts';
import { openBroker } from './fixture.js';

brokerContract('kraken', openBroker('kraken'));
brokerContract(
  'kraken, with slow cancellations and fees in the coin',
  openBroker('kraken', { cancelling: 30_000, feeIn: 'coin' }),
);
brokerContract('coinbase', openBroker('coinbase', { cancelling: 30_000 }));
