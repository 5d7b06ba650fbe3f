import type { z } from 'zod';
import type { stockResource } from './resources.js';
import { ids } from '../example-ids.js';

export const aStock: z.infer<typeof stockResource> = {
  stock_id: ids.stock,
  figi_composite: 'BBG000B9XRY4',
  symbol: 'AAPL',
  name: 'Apple Inc.',
  sector: 'Technology',
  security: 'stock',
  exchange: 'NASDAQ',
  stock: 'AAPL',
  peg: 'USD',
  provider: 'demo',
  slippage: '0.0005',
  fee: '0',
  links: { yahoo_finance: 'https://finance.yahoo.com/quote/AAPL' },
  stock_status: 'active',
  bid: '199.98',
  ask: '200.02',
  last: '200',
};
