import { type Decimal, ONE, TWO, ZERO, divide } from '@slipstream/domain';
import type { Filling } from '../alpaca/state.js';

/** A market of a coin against dollars. */
export interface CoinMarket {
  readonly coin: string;
  readonly amountStep: Decimal;
  readonly priceStep: Decimal;
  readonly minAmount: Decimal;
  readonly minTotal: Decimal;
  /** The largest order by amount, if there is one. Only Coinbase tells it. */
  readonly maxAmount: Decimal | undefined;
  bid: Decimal;
  ask: Decimal;
  /** Accepted orders wait. */
  halted: boolean;
  /** False for one that is on no list any more. */
  listed: boolean;
}

export interface CoinOrder {
  readonly id: string;
  readonly clientOrderId: string | null;
  readonly market: CoinMarket;
  readonly side: 'buy' | 'sell';
  readonly amount: Decimal;
  readonly limit: Decimal | null;
  readonly at: number;
  status: 'open' | 'filled' | 'cancelled' | 'expired' | 'failed';
  filled: Decimal;
  /** Its last fill, which may be told late. */
  lastFill: { readonly at: number; readonly amount: Decimal } | undefined;
  /** The average of its fills; zero before the first. */
  price: Decimal;
  /** In dollars, or in the coin where the fee is taken of it. */
  fee: Decimal;
  /** What is left fills then, if the market allows it. */
  dueAt: number;
  /** A cancellation arrives then. */
  cancelledAt: number | null;
  /** Lists do not have it until then. */
  visibleAt: number;
}

/** Money or coins that were moved in or out. */
export interface LedgerEntry {
  readonly id: string;
  readonly at: number;
  readonly kind: 'deposit' | 'withdrawal' | 'transfer';
  readonly currency: string;
  readonly amount: Decimal;
}

export interface CoinAccount {
  readonly id: string;
  readonly apiKey: string;
  /** As its owner has it: base64 at Kraken, PEM at Coinbase. */
  readonly secret: string;
  mayWithdraw: boolean;
  mayTrade: boolean;
  /** The last nonce. */
  nonce: number;
  /** The questions that count at the moment of the last one, where the exchange counts them. */
  calls: number;
  calledAt: number;
  /** By coin; `USD` for the cash. */
  readonly balances: Map<string, Decimal>;
  readonly orders: CoinOrder[];
  readonly ledger: LedgerEntry[];
}

export interface CoinState {
  readonly now: () => number;
  readonly markets: Map<string, CoinMarket>;
  /** By their keys. */
  readonly accounts: Map<string, CoinAccount>;
  readonly filling: Filling;
  readonly cancelling: number;
  readonly fee: Decimal;
  readonly feeIn: 'dollars' | 'coin';
  appearing: number;
  /** How long after a fill orders still tell less, though their status has it. */
  telling: number;
  /** What is left of an order that counts as filled, for good. */
  dust: Decimal;
  partsNext: boolean;
  ids: number;
}

export const DOLLARS = 'USD';
/** Of what arrives, so many places are kept. */
const PLACES = 10;

export const isOpen = ({ status }: CoinOrder): boolean => status === 'open';
export const leftOf = ({ amount, filled }: CoinOrder): Decimal => amount.minus(filled);

/** How much of it the exchange tells. */
export const toldOf = ({ telling, now }: CoinState, { filled, lastFill }: CoinOrder): Decimal =>
  lastFill && now() < lastFill.at + telling ? filled.minus(lastFill.amount) : filled;
const balanceOf = ({ balances }: CoinAccount, currency: string): Decimal =>
  balances.get(currency) ?? ZERO;

/** What open orders hold of a currency. */
export function heldBack(state: CoinState, account: CoinAccount, currency: string): Decimal {
  return account.orders.filter(isOpen).reduce((sum, order) => {
    const { market, side, limit } = order;
    if (side === 'sell') return currency === market.coin ? sum.plus(leftOf(order)) : sum;
    if (currency !== DOLLARS) return sum;
    const cost = leftOf(order).times(limit ?? market.ask);
    return sum.plus(state.feeIn === 'dollars' ? cost.times(ONE.plus(state.fee)) : cost);
  }, ZERO);
}

export const availableOf = (state: CoinState, account: CoinAccount, currency: string): Decimal =>
  balanceOf(account, currency).minus(heldBack(state, account, currency));

export const add = (account: CoinAccount, currency: string, amount: Decimal): void =>
  void account.balances.set(currency, balanceOf(account, currency).plus(amount));

/** The price that the order is filled at now; undefined while the market does not reach it. */
function priceFor({ market, side, limit }: CoinOrder): Decimal | undefined {
  if (market.halted) return undefined;
  const price = side === 'buy' ? market.ask : market.bid;
  if (limit === null) return price;
  return (side === 'buy' ? limit.gte(price) : limit.lte(price)) ? price : undefined;
}

function fill(state: CoinState, account: CoinAccount, order: CoinOrder, wanted: Decimal): void {
  const price = priceFor(order);
  if (!price || !isOpen(order)) return;
  const left = leftOf(order);
  const dust = left.gt(state.dust) ? state.dust : ZERO;
  const isWhole = left.minus(wanted).lte(dust);
  const amount = isWhole ? left.minus(dust) : wanted;
  const { market, side } = order;
  const paid = amount.times(price);
  const isBuy = side === 'buy';
  const inCoin = state.feeIn === 'coin' && isBuy;
  const fee = (inCoin ? amount : paid).times(state.fee).round(PLACES, 3);
  add(account, DOLLARS, isBuy ? ZERO.minus(paid) : paid);
  add(account, market.coin, isBuy ? amount : ZERO.minus(amount));
  add(account, inCoin ? market.coin : DOLLARS, ZERO.minus(fee));
  const before = order.price.times(order.filled);
  order.filled = order.filled.plus(amount);
  order.lastFill = { at: state.now(), amount };
  order.price = divide(before.plus(paid), order.filled, 'half_even', PLACES);
  order.fee = order.fee.plus(fee);
  if (isWhole) order.status = 'filled';
}

export const fillNow = (
  state: CoinState,
  account: CoinAccount,
  order: CoinOrder,
  amount: Decimal = leftOf(order),
): void => fill(state, account, order, amount);

/** What an order does as soon as it was accepted. */
export function begin(state: CoinState, account: CoinAccount, order: CoinOrder): void {
  if (!state.partsNext) return;
  state.partsNext = false;
  const { amountStep } = order.market;
  const half = order.amount.div(TWO);
  fill(state, account, order, half.minus(half.mod(amountStep)));
}

/** What time has done to the account's orders until now: cancellations that arrived, then fills that were due. */
export function advance(state: CoinState, account: CoinAccount): void {
  const now = state.now();
  for (const order of account.orders.filter(isOpen)) {
    if (order.cancelledAt !== null && order.cancelledAt <= now) order.status = 'cancelled';
    else if (order.cancelledAt === null && order.dueAt <= now)
      fill(state, account, order, leftOf(order));
  }
}

/** Asks for the cancellation of an open order. */
export function cancel(state: CoinState, order: CoinOrder): void {
  order.cancelledAt ??= state.now() + state.cancelling;
  if (state.cancelling === 0) order.status = 'cancelled';
}

export interface Wanted {
  readonly clientOrderId: string | null;
  readonly market: CoinMarket;
  readonly side: 'buy' | 'sell';
  readonly amount: Decimal;
  readonly limit: Decimal | null;
}

/** Why an exchange takes no such order; each has words of its own for it. */
export type Problem = 'funds' | 'amount' | 'price' | 'small' | 'large' | 'rights';

export function problemOf(
  state: CoinState,
  account: CoinAccount,
  { market, side, amount, limit }: Wanted,
): Problem | undefined {
  if (!account.mayTrade) return 'rights';
  if (!amount.mod(market.amountStep).eq(ZERO)) return 'amount';
  if (limit && !limit.mod(market.priceStep).eq(ZERO)) return 'price';
  if (market.maxAmount && amount.gt(market.maxAmount)) return 'large';
  const price = limit ?? market.ask;
  if (amount.lt(market.minAmount) || amount.times(price).lt(market.minTotal)) return 'small';
  const cost = state.feeIn === 'dollars' ? price.times(ONE.plus(state.fee)) : price;
  const [needed, currency] =
    side === 'sell' ? [amount, market.coin] : [amount.times(cost), DOLLARS];
  return needed.gt(availableOf(state, account, currency)) ? 'funds' : undefined;
}

export function newOrder(state: CoinState, account: CoinAccount, wanted: Wanted): CoinOrder {
  const now = state.now();
  const count = String((state.ids += 1)).padStart(5, '0');
  const order: CoinOrder = {
    ...wanted,
    id: `OSTAND-${count}-ORDERS`,
    at: now,
    status: 'open',
    filled: ZERO,
    lastFill: undefined,
    price: ZERO,
    fee: ZERO,
    dueAt: state.filling === 'by_hand' ? Infinity : now + state.filling,
    cancelledAt: null,
    visibleAt: now + state.appearing,
  };
  account.orders.push(order);
  return order;
}

/** Those that a list shows, the newest first. */
export const shown = (state: CoinState, { orders }: CoinAccount): CoinOrder[] =>
  orders.filter(({ visibleAt }) => visibleAt <= state.now()).toReversed();
