import {
  type BrokerAccount,
  type Decimal,
  type Market,
  ONE,
  type StockId,
  type TradedInstrument,
  ZERO,
  divide,
  isMultipleOf,
  marketPrice,
  max,
  min,
  round18,
  sum,
  tradableQuote,
  valuationPrice,
} from '@slipstream/domain';
import { AccountUnsettled } from '@slipstream/ports';
import type { AccountState, KeptOrder } from './account-state.js';
import { type SimulatedOptions, maxGrossOf, rulesFor } from './account-rules.js';

const held = (account: AccountState, stockId: StockId): Decimal =>
  account.amounts.get(stockId) ?? ZERO;

const heldAfter = (before: Decimal, { action }: KeptOrder, amount: Decimal): Decimal =>
  action === 'buy' ? before.plus(amount) : before.minus(amount);

/** How much of what is held the order could close. */
const closable = (before: Decimal, { action }: KeptOrder): Decimal =>
  max(ZERO, action === 'buy' ? ZERO.minus(before) : before);

/** The account at the market's prices. Throws while a holding has no quote: it is never valued by a guess. */
export function valued(account: AccountState, market: Market): BrokerAccount {
  const positions = [...account.amounts].map(([stockId, amount]) => {
    const quote = market.quote(stockId);
    if (!quote) {
      const { symbol = stockId } = market.stock(stockId) ?? {};
      throw new AccountUnsettled(`there is no quote of ${symbol} to value the account`);
    }
    const price = valuationPrice(amount, quote);
    return { stockId, amount, price, value: amount.times(price) };
  });
  const equity = account.cash.plus(sum(positions.map(({ value }) => value)));
  const maxGross = maxGrossOf(account.type);
  const gross = sum(positions.map(({ value }) => value.abs()));
  return {
    equity,
    cash: account.cash,
    buyingPower: max(ZERO, equity.times(maxGross).minus(gross)),
    maxGross,
    positions,
    allows: 'all',
    because: null,
  };
}

/** Why the order may not be accepted, or undefined. */
export function rejectionReason(
  account: AccountState,
  order: KeptOrder,
  market: Market,
  options: SimulatedOptions,
): string | undefined {
  const stock = market.stock(order.stockId);
  if (!stock || stock.security !== account.type) return 'the account does not trade this';
  if (stock.status !== 'active') return `${stock.symbol} is ${stock.status}`;
  const rules = rulesFor(stock, options);
  const before = held(account, order.stockId);
  const after = heldAfter(before, order, order.amount);
  const quote = market.quote(order.stockId);
  const crosses = before.times(after).lt(ZERO);
  if (!order.amount.gt(ZERO) || !isMultipleOf(order.amount, rules.amountStep)) {
    return `the amount must be a multiple of ${rules.amountStep.toFixed()}`;
  }
  const { priceStep } = rules;
  if (order.limit && (order.limit.lte(ZERO) || !isMultipleOf(order.limit, priceStep))) {
    return `the limit must be a multiple of ${priceStep.toFixed()}`;
  }
  if (order.closes && order.amount.gt(closable(before, order))) return 'there is less to close';
  if (quote && order.amount.times(quote.ask).lt(rules.minTotal)) {
    return `the order is below the minimum of ${rules.minTotal.toFixed()}`;
  }
  if (after.lt(ZERO) && order.action === 'sell' && !rules.allowsShort) {
    return `${stock.symbol} cannot be sold short`;
  }
  const grows = max(ZERO, after.abs().minus(before.abs()));
  if (quote && options.checkReserve && grows.gt(ZERO)) {
    const price = max(quote.ask, order.limit ?? ZERO);
    const checked = grows.times(price).times(ONE.plus(options.checkReserve));
    if (checked.gt(valued(account, market).buyingPower)) return 'there is not enough buying power';
  }
  if (crosses && !rules.crossesZero) return 'close the position first';
  // What is bought back may leave a fraction: a fee in the asset or a reverse split made it.
  const isLent = after.lt(ZERO) && grows.gt(ZERO);
  if (isLent && options.shortStep && !isMultipleOf(after, options.shortStep)) {
    return `a short position must be a multiple of ${rules.shortStep.toFixed()}`;
  }
  return undefined;
}

/** The order once `amount` more of it was filled at `price`, for `fee` USD. */
function filledBy(order: KeptOrder, amount: Decimal, price: Decimal, fee: Decimal): KeptOrder {
  const filledAmount = order.filledAmount.plus(amount);
  const spent = (order.filledPrice ?? ZERO).times(order.filledAmount).plus(price.times(amount));
  return {
    ...order,
    filledAmount,
    filledPrice: divide(spent, filledAmount),
    fee: (order.fee ?? ZERO).plus(fee),
    status: filledAmount.eq(order.amount) ? 'filled' : 'open',
  };
}

const replaced = (account: AccountState, order: KeptOrder): AccountState => ({
  ...account,
  orders: account.orders.map((other) =>
    other.clientOrderId === order.clientOrderId && other.status === 'open' ? order : other,
  ),
});

/** What the market gives the order now: undefined while it is closed, has no fresh quote or is beyond the order's limit. */
function priceNow(order: KeptOrder, stock: TradedInstrument, market: Market): Decimal | undefined {
  const session = market.session(stock);
  const quote = session && tradableQuote(stock, session, market);
  if (!quote) return undefined;
  const price = marketPrice(order.action, quote, stock);
  const { limit } = order;
  if (!limit) return price;
  const far = order.action === 'buy' ? quote.ask : quote.bid;
  if (order.action === 'buy') return far.lte(limit) ? min(price, limit) : undefined;
  return far.gte(limit) ? max(price, limit) : undefined;
}

/** What is to be filled: `share` of what is left, in whole steps; an order that closes fills no more than there is. */
function portionOf(
  account: AccountState,
  order: KeptOrder,
  stock: TradedInstrument,
  options: SimulatedOptions,
  share: Decimal,
): Decimal {
  const before = held(account, order.stockId);
  const wanted = order.amount.minus(order.filledAmount);
  const left = order.closes ? min(wanted, closable(before, order)) : wanted;
  if (share.eq(ONE)) return left;
  const isShort = heldAfter(before, order, left).lt(ZERO);
  const step = (isShort && options.shortStep) || rulesFor(stock, {}).amountStep;
  const portion = divide(left.times(share), step, 'down').round(0, 0).times(step);
  return min(left, portion);
}

/** The account after it tried to fill at most `share` of an open order that it holds, at the domain's market price. */
export function tryFill(
  account: AccountState,
  order: KeptOrder,
  market: Market,
  options: SimulatedOptions,
  share: Decimal = ONE,
): AccountState {
  const stock = market.stock(order.stockId);
  const price = stock && priceNow(order, stock, market);
  if (!stock || !price) return account;
  const amount = portionOf(account, order, stock, options, share);
  if (!amount.gt(ZERO)) {
    const reason = 'there is nothing left to close';
    return order.closes ? replaced(account, { ...order, status: 'cancelled', reason }) : account;
  }

  const gross = round18(amount.times(price));
  const isBuy = order.action === 'buy';
  const fee = round18(gross.times(stock.fee));
  const takesAsset = isBuy && options.feeInAsset === true;
  const before = held(account, order.stockId);
  const received = takesAsset ? amount.minus(round18(amount.times(stock.fee))) : amount;
  const after = heldAfter(before, order, received);
  const amounts = new Map(account.amounts);
  if (after.eq(ZERO)) amounts.delete(order.stockId);
  else amounts.set(order.stockId, after);
  const exchanged = isBuy ? account.cash.minus(gross) : account.cash.plus(gross);
  const cash = takesAsset ? exchanged : exchanged.minus(fee);
  const next = { ...account, cash, amounts };

  const { equity, maxGross, positions } = valued(next, market);
  const exposure = sum(positions.map(({ value }) => value.abs()));
  const grows = after.abs().gt(before.abs());
  if (grows && exposure.gt(equity.times(maxGross))) {
    const reason = 'there is not enough buying power';
    const status = order.filledAmount.gt(ZERO) ? 'cancelled' : 'rejected';
    return replaced(account, { ...order, status, reason });
  }
  return replaced(next, filledBy(order, amount, price, fee));
}

/** The account after every open order met the market, and cancellations that were under way arrived. */
export function look(
  account: AccountState,
  market: Market,
  options: SimulatedOptions,
): AccountState {
  let next = account;
  for (const order of account.orders) {
    if (order.status !== 'open') continue;
    const { acceptedAt, cancelledSince } = order;
    if (cancelledSince !== null && market.now > cancelledSince) {
      next = replaced(next, { ...order, status: 'cancelled', reason: 'cancelled as asked' });
    } else if (acceptedAt === null || market.now > acceptedAt) {
      next = tryFill(next, order, market, options);
    }
  }
  return next;
}

/** The account after its open orders ended without the rest of their fills. */
export const expired = (account: AccountState): AccountState => ({
  ...account,
  orders: account.orders.map((order) =>
    order.status === 'open' ? { ...order, status: 'cancelled', reason: 'expired' } : order,
  ),
});
