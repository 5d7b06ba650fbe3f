import { type Quote, type Stock, decimal, id } from '@slipstream/domain';
import { NOON } from './noon.js';

/** A stock with fee 0 and slippage 0, so that figures in tests stay short. */
export const aStock = (overrides: Partial<Stock> = {}): Stock => ({
  id: id('stock-1'),
  figiComposite: null,
  symbol: 'ACME',
  stock: 'ACME',
  name: 'Acme Corp',
  sector: 'Industrials',
  security: 'stock',
  exchange: 'NASDAQ',
  peg: 'USD',
  provider: 'test',
  slippage: decimal('0'),
  fee: decimal('0'),
  links: {},
  status: 'active',
  ...overrides,
});

/** Bid, ask and last at 100. */
export const aQuote = (overrides: Partial<Quote> = {}): Quote => ({
  stockId: id('stock-1'),
  bid: decimal('100'),
  ask: decimal('100'),
  last: decimal('100'),
  at: NOON,
  ...overrides,
});
