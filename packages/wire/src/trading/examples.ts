import type { z } from 'zod';
import type {
  orderResource,
  positionsResource,
  positionValuesResource,
  tradeResource,
  maxOrderSizeResource,
  planPreviewResource,
} from './resources.js';
import { aStock } from '../market/examples.js';
import { ids, AT } from '../example-ids.js';

export const anOrder: z.infer<typeof orderResource> = {
  ...aStock,
  order_id: ids.order,
  strategy_id: ids.strategy,
  type: 'limit',
  action: 'buy',
  stop_price: null,
  price: '195',
  amount: '0.0025',
  total: null,
  created_at: AT,
  order_dependencies: [],
  order_status: 'open',
  waiting_reason: 'price',
  order_reason: null,
  reduce_only: false,
  triggered_at: null,
  closed_at: null,
  filled_price: null,
  filled_amount: null,
  filled_total: null,
  fee_total: null,
};

export const aMarketOrder: z.infer<typeof orderResource> = {
  ...anOrder,
  type: 'market',
  price: null,
  waiting_reason: null,
};

export const somePositions: z.infer<typeof positionsResource> = {
  strategy_id: ids.strategy,
  strategy_value: '1.2',
  cash: '0.70005',
  version: 7,
  positions: [
    {
      ...aStock,
      strategy_id: ids.strategy,
      amount: '0.0025',
      value: '0.49995',
      percent: '0.416625',
      average_price: '180',
      realized: '0',
      dividends: '0',
      unrealized: '0.04995',
      updated_at: AT,
      created_at: AT,
    },
  ],
};

export const somePositionValues: z.infer<typeof positionValuesResource> = {
  strategy_id: ids.strategy,
  strategy_value: '1.21',
  version: 7,
  positions: [
    {
      ...{ stock_id: ids.stock, bid: '203.98', ask: '204', last: '204' },
      ...{ value: '0.50995', percent: '0.421446281', unrealized: '0.05995' },
    },
  ],
};

export const aTrade: z.infer<typeof tradeResource> = {
  trade_id: ids.trade,
  order_id: ids.order,
  strategy_id: ids.strategy,
  stock_id: ids.stock,
  symbol: 'AAPL',
  action: 'buy',
  price: '195',
  amount: '0.0025',
  total: '0.4875',
  fee_total: '0',
  rounding: '0',
  realized: null,
  strategy_value: '1.2',
  created_at: AT,
  market: 'live',
  provider: 'alpaca',
  quote_bid: '194.98',
  quote_ask: '195',
  quote_at: AT,
};

export const aMaxOrderSize: z.infer<typeof maxOrderSizeResource> = {
  strategy_id: ids.strategy,
  stock_id: ids.stock,
  action: 'buy',
  slippage: '0.002',
  price: '200.02',
  amount: '0.009859014098590141',
  total: '1.972',
};

export const aPlanPreview: z.infer<typeof planPreviewResource> = {
  strategy_value: '1',
  orders: [aMarketOrder],
  skipped: [{ stock_id: ids.stock, reason: 'the change is too small' }],
  buffers: [
    {
      stock_id: ids.stock,
      buying_power: '2',
      max_order_total: '4',
      conservative_fee_total: '0.02',
      conservative_slippage_total: '0.008',
      final_buying_power: '1.972',
    },
  ],
};
