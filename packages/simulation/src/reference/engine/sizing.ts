import { copyOf, grossBeside, held, valueOf } from './book.js';
import {
  type Exact,
  TWO,
  ZERO,
  exact,
  isPositive,
  isZero,
  largest,
  rounded,
  smallest,
} from './exact.js';
import { stockOf } from './execution.js';
import { bookFill, figures, reducible } from './fill.js';
import { atMarket } from './match.js';
import { type ModelBook, type ModelMarket, type ModelOrder, Refused } from './model.js';

const FOUR = TWO.add(TWO);
const DEFAULT_SLIPPAGE = exact('0.002');

/** FinalBuyingPower (spec 4.4, "Sizing buffer"). */
export function finalBuyingPower(value: Exact, fee: Exact, slippage: Exact): Exact {
  const most = value.mul(FOUR);
  return value
    .mul(TWO)
    .sub(most.mul(fee.mul(TWO)))
    .sub(most.mul(slippage));
}

type Priced = Pick<ModelOrder, 'stockId' | 'action' | 'price' | 'stopPrice'>;

/** The price that sizes an order: its own, the larger of both, or the present one (contract 3, getMaxOrderSize). */
function sizingPrice(
  { stockId, action, price, stopPrice, type }: Priced & { readonly type?: string },
  market: ModelMarket,
): Exact {
  if (price && stopPrice) return type === 'stop_limit' ? price : largest(price, stopPrice);
  if (price ?? stopPrice) return (price ?? stopPrice) as Exact;
  const { quote } = stockOf(market, stockId);
  if (!quote) throw new Refused('no quote');
  return action === 'buy' ? quote.ask : quote.bid;
}

/** The largest total of an order of that stock at that price. */
function largestTotal(
  book: ModelBook,
  stockId: string,
  action: 'buy' | 'sell',
  price: Exact,
  slippage: Exact,
  market: ModelMarket,
  closesOnly = false,
): Exact {
  const value = valueOf(book, market);
  if (!value) throw new Refused('no value');
  const power = finalBuyingPower(value, stockOf(market, stockId).fee, slippage);
  const room = closesOnly ? ZERO : largest(ZERO, power.sub(grossBeside(book, market, stockId)));
  const position = held(book, stockId).mul(price);
  return action === 'buy'
    ? largest(ZERO, position.neg(), room.sub(position))
    : largest(ZERO, position, room.add(position));
}

/** All prerequisites of the orders, direct and indirect, oldest first. */
function prerequisites(book: ModelBook, orders: readonly ModelOrder[]): ModelOrder[] {
  const all = new Set<ModelOrder>();
  const visit = (order: ModelOrder): void => {
    if (all.has(order)) return;
    all.add(order);
    order.dependsOn.forEach(visit);
  };
  orders.forEach(visit);
  return book.orders.filter((order) => all.has(order));
}

/** The price at which a prerequisite is assumed to fill: its own, or that of a market order now. */
function assumedPrice(order: ModelOrder, market: ModelMarket): Exact {
  const stock = stockOf(market, order.stockId);
  return order.type === 'market' && stock.quote
    ? atMarket(order, stock, stock.quote)
    : sizingPrice(order, market);
}

/** The book as if these orders and their prerequisites had filled at their own prices (7b.1). */
export function asIfFilled(
  book: ModelBook,
  orders: readonly ModelOrder[],
  market: ModelMarket,
): ModelBook {
  const copy = copyOf(book);
  for (const order of prerequisites(book, orders)) {
    const price = assumedPrice(order, market);
    const fill = figures(copy, order, price, stockOf(market, order.stockId).fee);
    if (!isZero(fill.amount)) bookFill(copy, { ...order }, fill, market);
  }
  return copy;
}

type Sized = Pick<
  ModelOrder,
  'stockId' | 'action' | 'type' | 'price' | 'stopPrice' | 'amount' | 'total'
>;

/** Whether the order only reduces the holding, and never by more than all of it, at its own price. */
export function onlyReduces(book: ModelBook, order: Sized, market: ModelMarket): boolean {
  const whole = { ...order, reduceOnly: false } as ModelOrder;
  const most = reducible(book, whole);
  if (isZero(most)) return false;
  if (order.amount) return order.amount.lte(most);
  const { quote, fee } = stockOf(market, order.stockId);
  if (!order.price && !order.stopPrice && !quote) return false;
  // Either leg of an OCO may fill it: at the lower price a total takes more.
  const price =
    order.type === 'oco' && order.price && order.stopPrice
      ? smallest(order.price, order.stopPrice)
      : sizingPrice(order, market);
  return figures(book, whole, price, fee).amount.lte(most);
}

/**
 * Refuses an order larger than getMaxOrderSize. Returns whether it can only close: without value nothing else is allowed
 * (contract 3).
 */
export function requireSize(
  book: ModelBook,
  order: Sized,
  market: ModelMarket,
  closesOnly: boolean,
): boolean {
  const value = valueOf(book, market);
  if (!value) throw new Refused('no value');
  const price = sizingPrice(order, market);
  const { stockId, action } = order;
  const most = largestTotal(book, stockId, action, price, DEFAULT_SLIPPAGE, market, closesOnly);
  const asked = order.total ?? (order.amount ?? ZERO).mul(price);
  if (asked.gt(most)) throw new Refused('larger than getMaxOrderSize');
  return closesOnly || !isPositive(value);
}

/** The figures of getMaxOrderSize. */
export function maxOrderSize(
  book: ModelBook,
  asked: Priced & { readonly slippage?: Exact },
  market: ModelMarket,
  closesOnly = false,
): { readonly price: Exact; readonly total: Exact; readonly amount: Exact } {
  const price = sizingPrice(asked, market);
  const { stockId, action, slippage = DEFAULT_SLIPPAGE } = asked;
  const total = largestTotal(book, stockId, action, price, slippage, market, closesOnly);
  // Rounded down to places that a caller can send, so that the answer is accepted.
  const amount = rounded(total.div(price), 'down');
  return { price, total: rounded(total, 'down'), amount };
}
