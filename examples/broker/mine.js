// `main.js serve --with examples/broker/mine.js`: bots may name the broker "desk", with the credential {"key": "desk-1234"}.
import { setInterval } from 'node:timers';
import { decimal } from '@slipstream/domain';
import { brokerage, deskBroker } from './dist/index.js';

const prices = new Map([['AAPL.NASDAQ', decimal('200')]]);
const desk = brokerage({ keys: ['desk-1234'], prices, cash: decimal('10000') });
setInterval(desk.settle, 1_000).unref();

export default { addBrokers: [deskBroker(desk.ask)] };
