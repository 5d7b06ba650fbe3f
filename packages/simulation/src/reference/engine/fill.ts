import { closePosition, held, valueOf } from './book.js';
import {
  type Exact,
  ONE,
  ZERO,
  exact,
  isNegative,
  isPositive,
  isZero,
  largest,
  rounded,
  smallest,
} from './exact.js';
import type { ModelBook, ModelFill, ModelMarket, ModelOrder, ModelPosition } from './model.js';

/** If a total order exceeds the holding by less than this, it trades the holding (contract 1, "Decimals"). */
const BEYOND = exact('0.00000000000000001');

/** The part of the holding that the order can close. */
export function reducible(book: ModelBook, { stockId, action }: ModelOrder): Exact {
  const amount = held(book, stockId);
  const isOpposite = action === 'buy' ? isNegative(amount) : isPositive(amount);
  return isOpposite ? amount.abs() : ZERO;
}

/** The figures of a fill at that price; amount 0 if there is nothing to trade. */
export function figures(
  book: ModelBook,
  order: ModelOrder,
  price: Exact,
  fee: Exact,
): Omit<ModelFill, 'realized' | 'strategyValue'> {
  const most = reducible(book, order);
  const byAmount = (amount: Exact) => ({
    price,
    amount,
    gross: rounded(amount.mul(price)),
    fee: rounded(amount.mul(price).mul(fee)),
    rounding: ZERO,
  });
  if (order.amount) {
    return byAmount(order.reduceOnly ? smallest(order.amount, most) : order.amount);
  }
  if (!order.total) throw new Error('an order has an amount or a total');
  const amount =
    order.action === 'buy'
      ? rounded(order.total.div(price.mul(ONE.add(fee))), 'down')
      : rounded(order.total.div(price.mul(ONE.sub(fee))), 'up');
  if (order.reduceOnly && amount.gt(most)) return byAmount(most);
  const beyond = amount.sub(most);
  if (isPositive(most) && isPositive(beyond) && beyond.lt(BEYOND)) return byAmount(most);
  const exactly = byAmount(amount);
  const room =
    order.action === 'buy' ? order.total.sub(exactly.gross) : exactly.gross.sub(order.total);
  const charged = smallest(exactly.fee, largest(ZERO, room));
  return { ...exactly, fee: charged, rounding: largest(ZERO, room.sub(charged)) };
}

/** The holding after the fill, signed. */
export const heldAfter = (book: ModelBook, { stockId, action }: ModelOrder, amount: Exact): Exact =>
  action === 'buy' ? held(book, stockId).add(amount) : held(book, stockId).sub(amount);

function averageAfter(before: ModelPosition, order: ModelOrder, fill: ModelFill): Exact {
  const adds = isPositive(before.amount) === (order.action === 'buy');
  const size = before.amount.abs();
  if (!adds) return fill.amount.gt(size) ? fill.price : before.averagePrice;
  const cost = before.averagePrice.mul(size).add(fill.price.mul(fill.amount));
  return rounded(cost.div(size.add(fill.amount)));
}

/** The cost of the opening part of a fill, and of the holding that it leaves: the rest of both is realized. */
function costsAfter(before: ModelPosition, order: ModelOrder, fill: ModelFill, paid: Exact) {
  const size = before.amount.abs();
  const adds = isPositive(before.amount) === (order.action === 'buy');
  if (adds) return { opened: paid, left: before.cost };
  if (!fill.amount.gt(size))
    return { opened: ZERO, left: rounded(before.cost.mul(size.sub(fill.amount)).div(size)) };
  return { opened: rounded(paid.mul(fill.amount.sub(size)).div(fill.amount)), left: ZERO };
}

/** Books the fill in cash, position and order. */
export function bookFill(
  book: ModelBook,
  order: ModelOrder,
  figures: Omit<ModelFill, 'realized' | 'strategyValue'>,
  market: ModelMarket,
): void {
  const { now } = market;
  const fill: ModelFill = { ...figures, realized: null, strategyValue: ZERO };
  const costs = fill.fee.add(fill.rounding);
  const paid = order.action === 'buy' ? fill.gross : fill.gross.neg();
  const before = book.positions.get(order.stockId);
  const amount = heldAfter(book, order, fill.amount);
  book.cash = book.cash.sub(paid).sub(costs);
  book.roundings = book.roundings.add(fill.rounding);
  if (!before) {
    book.positions.set(order.stockId, {
      stockId: order.stockId,
      amount,
      averagePrice: fill.price,
      cost: paid,
      realized: fill.fee.neg(),
      dividends: ZERO,
      createdAt: now,
      updatedAt: now,
    });
  } else {
    const averagePrice = averageAfter(before, order, fill);
    const { opened, left } = costsAfter(before, order, fill, paid);
    const gain = before.cost.sub(left).add(paid.sub(opened)).neg();
    if (isPositive(before.amount) === (order.action === 'sell')) fill.realized = gain.sub(fill.fee);
    before.realized = before.realized.add(gain).sub(fill.fee);
    before.cost = left.add(opened);
    before.amount = amount;
    before.averagePrice = averagePrice;
    before.updatedAt = now;
    if (isZero(amount)) closePosition(book, before);
  }
  fill.strategyValue = valueOf(book, market) ?? ZERO;
  order.fill = fill;
}
