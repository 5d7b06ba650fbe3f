import {
  type Stock,
  type OpenOrder,
  type FilledOrder,
  type WithdrawnOrder,
  id,
  decimal,
} from '@slipstream/domain';
import { describe, it, expect } from '@jest/globals';
import { timeText } from '../fields/output.js';
import { presentStock } from '../market/present.js';
import { stockResource } from '../market/resources.js';
import { presentOrder, presentPositions } from '../trading/present.js';
import { orderResource, positionsResource } from '../trading/resources.js';

const stock: Stock = {
  id: id<'stock'>('stock-1'),
  figiComposite: null,
  symbol: 'BTCUSD',
  stock: 'BTC',
  name: 'Bitcoin',
  sector: '',
  security: 'cryptocurrency',
  exchange: 'COINBASE',
  peg: 'USD',
  provider: 'demo',
  slippage: decimal('0.0010'),
  fee: decimal('0.0025'),
  links: { trading_view: 'https://example.com/BTCUSD' },
  status: 'active',
};
const quote = {
  stockId: stock.id,
  bid: decimal('60000.50'),
  ask: decimal('60001'),
  last: decimal('60000.75'),
  at: 0,
};
const open: OpenOrder = {
  id: id<'order'>('order-1'),
  strategyId: id<'strategy'>('s'),
  stockId: stock.id,
  action: 'sell',
  pricing: { type: 'oco', price: decimal('70000'), stopPrice: decimal('50000') },
  size: { by: 'total', total: decimal('0.00000001') },
  dependsOn: [id<'order'>('order-0')],
  reduceOnly: true,
  origin: 'order',
  createdAt: 1,
  triggeredAt: null,
  status: 'open',
  restingSince: null,
};

describe('records', () => {
  it('have times in UTC with milliseconds', () => {
    expect(timeText(0)).toBe('1970-01-01T00:00:00.000Z');
  });

  it('of a stock have prices only after a quote came', () => {
    expect(presentStock({ stock, quote: undefined })).toMatchObject({
      bid: null,
      ask: null,
      last: null,
    });
    const shown = presentStock({ stock, quote });
    expect(shown).toMatchObject({ bid: '60000.5', slippage: '0.001', stock_status: 'active' });
    expect(stockResource.safeParse(shown).success).toBe(true);
  });

  it('of an open order have its waiting reason and no end', () => {
    const shown = presentOrder({ stock, quote, order: open, waitingReason: 'dependency' });
    expect(orderResource.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      type: 'oco',
      price: '70000',
      stop_price: '50000',
      amount: null,
      total: '0.00000001',
      order_dependencies: ['order-0'],
      waiting_reason: 'dependency',
      reduce_only: true,
      closed_at: null,
      order_reason: null,
      filled_price: null,
    });
  });

  it('of a closed order have its end', () => {
    const filled: FilledOrder = {
      ...open,
      status: 'filled',
      closedAt: 2,
      filledPrice: decimal('70000'),
      filledAmount: decimal('1'),
      filledTotal: decimal('70000'),
      feeTotal: decimal('0'),
      reason: null,
    };
    const rejected: WithdrawnOrder = {
      ...open,
      status: 'rejected',
      closedAt: 3,
      reason: 'too large',
    };
    expect(presentOrder({ stock, quote, order: filled, waitingReason: null })).toMatchObject({
      order_status: 'filled',
      closed_at: '1970-01-01T00:00:00.002Z',
      filled_total: '70000',
      fee_total: '0',
      order_reason: null,
    });
    expect(presentOrder({ stock, quote, order: rejected, waitingReason: null })).toMatchObject({
      order_status: 'rejected',
      closed_at: '1970-01-01T00:00:00.003Z',
      order_reason: 'too large',
      filled_price: null,
    });
  });

  it('of positions are signed, null where a quote is missing, and never -0', () => {
    const shown = presentPositions({
      strategyId: id('s'),
      strategyValue: null,
      cash: decimal('-0.00'),
      version: 3,
      positions: [
        {
          stock,
          quote: undefined,
          value: null,
          percent: null,
          unrealized: null,
          position: {
            stockId: stock.id,
            amount: decimal('-0.000000000000000001'),
            averagePrice: decimal('60000'),
            cost: decimal('60'),
            realized: decimal('0'),
            dividends: decimal('0'),
            createdAt: 0,
            updatedAt: 0,
          },
        },
      ],
    });
    expect(positionsResource.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      strategy_value: null,
      cash: '0',
      positions: [{ strategy_id: 's', amount: '-0.000000000000000001', value: null }],
    });
  });
});
