export { demoMarket, type DemoMarketOptions } from './demo/demo-market.js';
export { alwaysOpen, exchangeHours } from './hours/exchange-hours.js';
export { type CryptoLot, cryptoLots, instruments } from './instruments.js';
export { pushMarket } from './push-market.js';
export { replayMarket, type ReplayMarketOptions } from './replay/replay-market.js';
