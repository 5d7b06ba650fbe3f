import {
  type BotOrder,
  type Decimal,
  type StockId,
  type Timestamp,
  ZERO,
  hasPassed,
  strictest,
} from '@slipstream/domain';
import { OPEN_ORDER_LASTS } from '../bot-schedule.js';
import type { BotStep, HeldUpOrders } from '../bot-step.js';

/** How long after its cancellation was asked for an order counts as one that does not end. */
const ENDS_WITHIN = 30_000;

/**
 * The open orders, if each of them should have ended by now: brokers may leave a cancellation pending, refuse it, or put an order
 * aside for the day. None while others may still be filled as they were meant.
 */
export function heldUpOrders(orders: readonly BotOrder[], now: Timestamp): readonly BotOrder[] {
  const open = orders.filter(({ status }) => status === 'open' || status === 'unknown');
  const isLate = ({ createdAt }: BotOrder): boolean =>
    hasPassed(OPEN_ORDER_LASTS + ENDS_WITHIN, createdAt, now);
  return open.every(isLate) ? open : [];
}

const leftOf = ({ action, amount, filledAmount }: BotOrder): Decimal => {
  const left = amount.minus(filledAmount);
  return action === 'buy' ? left : ZERO.minus(left);
};

/** What these orders may still fill, signed, by stock. */
export function amountsLeft(orders: readonly BotOrder[]): HeldUpOrders {
  const left = new Map<StockId, Decimal>();
  for (const order of orders)
    left.set(order.stockId, (left.get(order.stockId) ?? ZERO).plus(leftOf(order)));
  return left;
}

/** That a stock waits for such an order; nothing when none does. */
export const heldUpText = ({ deps, heldUp }: BotStep): readonly string[] => {
  const market = deps.market();
  const names = [...heldUp.keys()].map((stockId) => market.stock(stockId)?.symbol ?? stockId);
  if (names.length === 0) return [];
  return [
    `The broker does not end the cancelled orders in ${names.join(', ')}: only other stocks are reduced.`,
  ];
};

/** The check of a bot beside such orders: their stocks wait, and others are only reduced. */
export function besideOrders(step: BotStep, orders: readonly BotOrder[]): BotStep {
  const held = { ...step, heldUp: amountsLeft(orders) };
  const because = heldUpText(held).join(' ');
  return { ...held, restraint: strictest(step.restraint, { allows: 'closing', because }) };
}
