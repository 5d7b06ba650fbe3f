import {
  type Book,
  type BookChange,
  type FilledOrder,
  type OpenOrder,
  type Position,
  type StockId,
  type Trade,
  type WithdrawnOrder,
  decimal,
  id,
} from '@slipstream/domain';
import { NOON } from './noon.js';

/** Long 0.005 at 100. */
export const aPosition = (overrides: Partial<Position> = {}): Position => ({
  stockId: id('stock-1'),
  amount: decimal('0.005'),
  averagePrice: decimal('100'),
  cost: decimal('1'),
  realized: decimal('0'),
  dividends: decimal('0'),
  createdAt: NOON,
  updatedAt: NOON,
  ...overrides,
});

/** The positions of a book, by stock. */
export const positionsOf = (...positions: readonly Position[]): ReadonlyMap<StockId, Position> =>
  new Map(positions.map((position) => [position.stockId, position]));

/** A new strategy's book: cash 1, nothing else. */
export const aBook = (overrides: Partial<Book> = {}): Book => ({
  strategyId: id('strategy-1'),
  version: 0,
  cash: decimal('1'),
  positions: new Map(),
  openOrders: [],
  ...overrides,
});

/** An open market order to buy 0.001. */
export const anOrder = (overrides: Partial<OpenOrder> = {}): OpenOrder => ({
  id: id('order-1'),
  strategyId: id('strategy-1'),
  stockId: id('stock-1'),
  action: 'buy',
  pricing: { type: 'market' },
  size: { by: 'amount', amount: decimal('0.001') },
  dependsOn: [],
  reduceOnly: false,
  origin: 'order',
  createdAt: NOON,
  triggeredAt: null,
  status: 'open',
  restingSince: null,
  ...overrides,
});

/** `anOrder`, filled at 100. */
export const aFilledOrder = (overrides: Partial<FilledOrder> = {}): FilledOrder => {
  const { restingSince: _, ...order } = anOrder();
  return {
    ...order,
    status: 'filled',
    closedAt: NOON,
    filledPrice: decimal('100'),
    filledAmount: decimal('0.001'),
    filledTotal: decimal('0.1'),
    feeTotal: decimal('0'),
    reason: null,
    ...overrides,
  };
};

/** `anOrder`, cancelled. */
export const aWithdrawnOrder = (overrides: Partial<WithdrawnOrder> = {}): WithdrawnOrder => {
  const { restingSince: _, ...order } = anOrder();
  return { ...order, status: 'cancelled', closedAt: NOON, reason: 'as asked', ...overrides };
};

/** The fill of `aFilledOrder`. */
export const aTrade = (overrides: Partial<Trade> = {}): Trade => ({
  id: id('trade-1'),
  orderId: id('order-1'),
  strategyId: id('strategy-1'),
  stockId: id('stock-1'),
  action: 'buy',
  price: decimal('100'),
  amount: decimal('0.001'),
  total: decimal('0.1'),
  feeTotal: decimal('0'),
  rounding: decimal('0'),
  realized: null,
  strategyValue: decimal('1'),
  createdAt: NOON,
  market: 'push',
  provider: 'a vendor',
  quoteBid: decimal('99.9'),
  quoteAsk: decimal('100'),
  quoteAt: NOON,
  ...overrides,
});

/** The change of an accepted order. */
export const opened = (order: OpenOrder): BookChange => ({ kind: 'opened', order });

/** The change of a cancelled order. */
export const cancelled = (order: WithdrawnOrder): BookChange => ({ kind: 'cancelled', order });

/** The change of an order with its trade, at its own price unless overridden. */
export const filled = (order: FilledOrder, trade: Partial<Trade> = {}): BookChange => ({
  kind: 'filled',
  order,
  trade: aTrade({
    id: id(`trade-of-${order.id}`),
    orderId: order.id,
    strategyId: order.strategyId,
    ...trade,
  }),
  position: aPosition({ stockId: order.stockId }),
});
