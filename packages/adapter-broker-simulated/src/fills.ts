import {
  type BrokerAccount,
  type Decimal,
  type Market,
  ONE,
  type StockId,
  ZERO,
  divide,
  isMultipleOf,
  marketPrice,
  min,
  round18,
  sum,
  tradableQuote,
  valuationPrice,
} from '@slipstream/domain';
import { type BrokerOrder, BrokerUnreachable } from '@slipstream/ports';
import type { AccountState } from './account-state.js';
import { type SimulatedOptions, maxGrossOf, rulesFor } from './account-rules.js';

const held = (account: AccountState, stockId: StockId): Decimal =>
  account.amounts.get(stockId) ?? ZERO;

/** The account at the market's prices. Throws while a holding has no quote: it is never valued by a guess. */
export function valued(account: AccountState, market: Market): BrokerAccount {
  const positions = [...account.amounts].map(([stockId, amount]) => {
    const quote = market.quote(stockId);
    if (!quote) throw new BrokerUnreachable(`there is no quote of ${stockId} to value the account`);
    const price = valuationPrice(amount, quote);
    return { stockId, amount, price, value: amount.times(price) };
  });
  const equity = account.cash.plus(sum(positions.map(({ value }) => value)));
  return { equity, cash: account.cash, maxGross: maxGrossOf(account.type), positions };
}

/** Why the order may not be accepted, or undefined. */
export function rejectionReason(
  account: AccountState,
  order: BrokerOrder,
  market: Market,
  options: SimulatedOptions,
): string | undefined {
  const stock = market.stock(order.stockId);
  if (!stock || stock.security !== account.type) return 'the account does not trade this';
  if (stock.status !== 'active') return `${stock.symbol} is ${stock.status}`;
  const rules = rulesFor(stock, options);
  const before = held(account, order.stockId);
  const after = order.action === 'buy' ? before.plus(order.amount) : before.minus(order.amount);
  const quote = market.quote(order.stockId);
  const crosses = before.times(after).lt(ZERO);
  if (!order.amount.gt(ZERO) || !isMultipleOf(order.amount, rules.amountStep)) {
    return `the amount must be a multiple of ${rules.amountStep.toFixed()}`;
  }
  if (quote && order.amount.times(quote.ask).lt(rules.minTotal)) {
    return `the order is below the minimum of ${rules.minTotal.toFixed()}`;
  }
  if (after.lt(ZERO) && order.action === 'sell' && !rules.allowsShort) {
    return `${stock.symbol} cannot be sold short`;
  }
  if (crosses && !rules.crossesZero) return 'close the position first';
  return undefined;
}

/** The order once `amount` more of it was filled at `price`. */
function filledBy(order: BrokerOrder, amount: Decimal, price: Decimal): BrokerOrder {
  const filledAmount = order.filledAmount.plus(amount);
  const spent = (order.filledPrice ?? ZERO).times(order.filledAmount).plus(price.times(amount));
  return {
    ...order,
    filledAmount,
    filledPrice: divide(spent, filledAmount),
    status: filledAmount.eq(order.amount) ? 'filled' : 'open',
  };
}

const replaced = (account: AccountState, order: BrokerOrder): AccountState => ({
  ...account,
  orders: account.orders.map((other) =>
    other.clientOrderId === order.clientOrderId && other.status === 'open' ? order : other,
  ),
});

/** The account after it tried to fill at most `share` of an open order that it holds, at the domain's market price. */
export function tryFill(
  account: AccountState,
  order: BrokerOrder,
  market: Market,
  share: Decimal = ONE,
): AccountState {
  const stock = market.stock(order.stockId);
  const session = stock && market.session(stock);
  const quote = session && tradableQuote(stock, session, market);
  if (!stock || !quote) return account;
  const step = rulesFor(stock, {}).amountStep;
  const left = order.amount.minus(order.filledAmount);
  const portion = divide(left.times(share), step, 'down').round(0, 0).times(step);
  const amount = share.eq(ONE) ? left : min(left, portion);
  if (!amount.gt(ZERO)) return account;

  const price = marketPrice(order.action, quote, stock);
  const gross = round18(amount.times(price));
  const fee = round18(gross.times(stock.fee));
  const isBuy = order.action === 'buy';
  const before = held(account, order.stockId);
  const after = isBuy ? before.plus(amount) : before.minus(amount);
  const amounts = new Map(account.amounts);
  if (after.eq(ZERO)) amounts.delete(order.stockId);
  else amounts.set(order.stockId, after);
  const cash = (isBuy ? account.cash.minus(gross) : account.cash.plus(gross)).minus(fee);
  const next = { ...account, cash, amounts };

  const { equity, maxGross, positions } = valued(next, market);
  const exposure = sum(positions.map(({ value }) => value.abs()));
  const grows = after.abs().gt(before.abs());
  if (grows && exposure.gt(equity.times(maxGross))) {
    const reason = 'there is not enough buying power';
    const status = order.filledAmount.gt(ZERO) ? 'cancelled' : 'rejected';
    return replaced(account, { ...order, status, reason });
  }
  return replaced(next, filledBy(order, amount, price));
}

/** The account after every open order met the market. */
export function look(account: AccountState, market: Market): AccountState {
  let next = account;
  for (const order of account.orders) {
    if (order.status === 'open') next = tryFill(next, order, market);
  }
  return next;
}
