import { type Decimal, ONE, ZERO, divide } from '@slipstream/domain';
import { halfOf } from './accept.js';
import { type Account, type Order, type State, heldOf, isOpen, leftOf } from './state.js';

const COIN_PLACES = 9;

/** The price that the order is filled at now; undefined while the market does not reach it. */
function priceFor(state: State, { asset, side, limitPrice }: Order): Decimal | undefined {
  if (asset.halted || !asset.tradable) return undefined;
  if (asset.class === 'us_equity' && !state.isOpen) return undefined;
  const price = side === 'buy' ? asset.ask : asset.bid;
  if (limitPrice === null) return price;
  const isReached = side === 'buy' ? limitPrice.gte(price) : limitPrice.lte(price);
  return isReached ? price : undefined;
}

/** Fills so much of the order at the price; a bought coin arrives less the fee. */
function fill(state: State, account: Account, order: Order, qty: Decimal, price: Decimal): void {
  const { asset, side } = order;
  const paid = qty.times(price);
  const isCoin = asset.class === 'crypto';
  const fee = isCoin ? state.coinFee : ZERO;
  const held = heldOf(account, asset);
  if (side === 'buy') {
    account.cash = account.cash.minus(paid);
    const arrives = isCoin ? qty.times(ONE.minus(fee)).round(COIN_PLACES, 0) : qty;
    account.positions.set(asset.id, held.plus(arrives));
  } else {
    account.cash = account.cash.plus(paid.times(ONE.minus(fee)));
    account.positions.set(asset.id, held.minus(qty));
  }
  if (heldOf(account, asset).eq(ZERO)) account.positions.delete(asset.id);
  const before = (order.filledPrice ?? ZERO).times(order.filledQty);
  order.filledQty = order.filledQty.plus(qty);
  order.filledPrice = divide(before.plus(paid), order.filledQty, 'half_even', 9);
  order.status = leftOf(order).eq(ZERO) ? 'filled' : 'partially_filled';
}

export function fillNow(
  state: State,
  account: Account,
  order: Order,
  qty: Decimal = leftOf(order),
): void {
  const price = priceFor(state, order);
  if (price && isOpen(order)) fill(state, account, order, qty, price);
}

/** What an order does as soon as it was accepted. */
export function begin(state: State, account: Account, order: Order): void {
  if (state.crossesNext !== null) {
    fillNow(state, account, order, halfOf(order.qty));
    Object.assign(order, { status: 'canceled', fillsToldAt: state.now() + state.crossesNext });
    state.crossesNext = null;
  }
  if (!state.partsNext) return;
  state.partsNext = false;
  fillNow(state, account, order, halfOf(order.qty));
}

/** What time has done to the account's orders until now: cancellations that arrived, then fills that were due. */
export function advance(state: State, account: Account): void {
  const now = state.now();
  for (const order of account.orders.filter(isOpen)) {
    if (order.cancelledAt !== null && order.cancelledAt <= now) order.status = 'canceled';
    else if (order.cancelledAt === null && order.dueAt <= now) {
      fillNow(state, account, order);
      if (order.timeInForce === 'ioc' && isOpen(order)) order.status = 'canceled';
    }
  }
}

/** Asks for the cancellation of an open order. */
export function cancel(state: State, order: Order): void {
  order.cancelledAt ??= state.now() + state.cancelling;
  order.status = state.cancelling === 0 ? 'canceled' : 'pending_cancel';
}
