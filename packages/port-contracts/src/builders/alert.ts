import { type AlertRecord, decimal, id } from '@slipstream/domain';
import { anOrder } from './book.js';
import { aQuote, aStock } from './market.js';
import { NOON } from './noon.js';

/** An accepted alert of `user-1` for `strategy-1`. */
export const anAlertRecord = (overrides: Partial<AlertRecord> = {}): AlertRecord => ({
  id: id('alert-1'),
  userId: id('user-1'),
  tokenId: id('token-1'),
  strategyId: id('strategy-1'),
  stockId: id('stock-1'),
  alertId: null,
  verdict: 'accepted',
  reason: null,
  orderId: id('order-1'),
  body: '{"action":"buy"}',
  fingerprint: 'print-1',
  answer: {
    stock: aStock(),
    quote: aQuote({ ask: decimal('100.000000000000000001') }),
    order: anOrder(),
    waitingReason: 'market_closed',
  },
  createdAt: NOON,
  ...overrides,
});

/** What an alert leaves behind that was refused. */
export const aRefusedAlert = (overrides: Partial<AlertRecord> = {}): AlertRecord =>
  anAlertRecord({
    verdict: 'refused',
    reason: 'stock X does not exist',
    stockId: null,
    orderId: null,
    answer: null,
    ...overrides,
  });
