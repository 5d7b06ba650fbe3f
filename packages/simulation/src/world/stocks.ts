import { type Stock, decimal, id } from '@slipstream/domain';

const stock = (name: string, fields: Partial<Stock>): Stock => ({
  id: id(name),
  figiComposite: null,
  symbol: name,
  stock: name,
  name,
  sector: '',
  security: 'stock',
  exchange: 'NASDAQ',
  peg: 'USD',
  provider: 'simulation',
  slippage: decimal('0.0005'),
  fee: decimal('0'),
  links: {},
  status: 'active',
  ...fields,
});

const COIN = {
  security: 'cryptocurrency',
  exchange: 'COINBASE',
  fee: decimal('0.0025'),
  slippage: decimal('0.001'),
} as const;

/** The instruments of every story with their first prices. */
export const STOCKS: readonly (readonly [Stock, string])[] = [
  [stock('AAPL', {}), '187.35'],
  [stock('MSFT', { slippage: decimal('0') }), '402.1'],
  [stock('FUND', { fee: decimal('0.001') }), '33.3333'],
  [stock('BTC', { ...COIN, symbol: 'BTCUSD' }), '61234.567'],
  [stock('DOGE', { ...COIN, symbol: 'DOGEUSD' }), '0.0731'],
];
