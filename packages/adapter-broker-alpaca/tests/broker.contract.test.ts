import { brokerContract } from '@slipstream/port-contracts';
import { acme, coin, openBroker } from './fixture.js';

brokerContract('alpaca, stocks', openBroker(acme));
brokerContract('alpaca, coins', openBroker(coin));
brokerContract('alpaca, stocks that are cancelled slowly', openBroker(acme, { cancelling: 400 }));
