export { type CcxtDeps, ccxtBroker } from './ccxt-broker.js';
export { COINBASE } from './coinbase/coinbase.js';
export { KRAKEN } from './kraken/kraken.js';
export { type Ccxt, CcxtMissing, loadCcxt } from './load.js';
