import { type Decimal, ZERO, sum } from '@slipstream/domain';

export interface Asset {
  readonly id: string;
  symbol: string;
  readonly class: 'us_equity' | 'crypto';
  readonly exchange: string;
  status: 'active' | 'inactive';
  tradable: boolean;
  /** Easy to borrow too. */
  shortable: boolean;
  fractionable: boolean;
  /** Told of coins. */
  readonly priceIncrement: string;
  bid: Decimal;
  ask: Decimal;
  /** Orders wait; it is shown as not tradable. */
  halted: boolean;
}

export interface Order {
  readonly id: string;
  readonly clientOrderId: string;
  readonly asset: Asset;
  readonly side: 'buy' | 'sell';
  readonly qty: Decimal;
  readonly limitPrice: Decimal | null;
  readonly timeInForce: string;
  /** The `position_intent` that was sent. */
  readonly intent: string | null;
  readonly submittedAt: number;
  status: string;
  filledQty: Decimal;
  filledPrice: Decimal | null;
  /** What is left fills then, if the market allows it. */
  dueAt: number;
  /** A cancellation arrives then. */
  cancelledAt: number | null;
  /** `GET` answers 404 until then. */
  visibleAt: number;
  /** It tells no fills until then. */
  fillsToldAt: number;
  replacedBy: string | null;
  replaces: string | null;
}

/** A change of an account beside orders, as the stand-in keeps it. */
export interface Activity {
  readonly id: string;
  /** Alpaca's word for it. */
  readonly type: string;
  readonly at: number;
  readonly cash: Decimal;
  readonly symbol: string | null;
  readonly qty: Decimal | null;
  isCancelled: boolean;
}

export interface Account {
  readonly number: string;
  readonly keyId: string;
  readonly secretKey: string;
  /** What programs may send instead of the key, until the owner takes it back. */
  readonly accessTokens: Set<string>;
  cash: Decimal;
  multiplier: 1 | 2 | 4;
  shorting: boolean;
  status: string;
  cryptoStatus: string;
  blocked: boolean;
  tradingBlocked: boolean;
  suspendedByUser: boolean;
  /** Orders in stocks that reduce are refused as day trades. */
  dayTrader: boolean;
  /** Signed, by the asset's id. */
  readonly positions: Map<string, Decimal>;
  readonly orders: Order[];
  /** Oldest first. */
  readonly activities: Activity[];
}

/** When an order is filled after it was accepted: at once, after so many milliseconds, or by hand. */
export type Filling = number | 'by_hand';

export interface State {
  readonly now: () => number;
  readonly assets: Map<string, Asset>;
  /** By their key ids. */
  readonly accounts: Map<string, Account>;
  isOpen: boolean;
  filling: Filling;
  /** How long a cancellation takes. */
  cancelling: number;
  /** Orders are invisible for so long after they were accepted. */
  appearing: number;
  /** The share of the asset that is taken out of a bought coin. */
  coinFee: Decimal;
  partsNext: boolean;
  /** So late the next order tells its fill, which crosses with its end. */
  crossesNext: number | null;
  ids: number;
}

const ENDED = ['filled', 'canceled', 'expired', 'rejected', 'replaced'];
export const isOpen = ({ status }: Order): boolean => !ENDED.includes(status);

export const leftOf = ({ qty, filledQty }: Order): Decimal => qty.minus(filledQty);

export const heldOf = (account: Account, { id }: Asset): Decimal =>
  account.positions.get(id) ?? ZERO;

export const priceOf = ({ bid }: Asset): Decimal => bid;

const valueOf = (state: State, account: Account, wanted: (amount: Decimal) => boolean): Decimal =>
  sum(
    [...account.positions].flatMap(([assetId, amount]) => {
      const asset = state.assets.get(assetId);
      return asset && wanted(amount) ? [amount.times(priceOf(asset))] : [];
    }),
  );

export const longValue = (state: State, account: Account): Decimal =>
  valueOf(state, account, (amount) => amount.gt(ZERO));
export const shortValue = (state: State, account: Account): Decimal =>
  valueOf(state, account, (amount) => amount.lt(ZERO));
export const equityOf = (state: State, account: Account): Decimal =>
  account.cash.plus(longValue(state, account)).plus(shortValue(state, account));

/** The value of the open orders that increase a position. */
const reserved = (account: Account): Decimal =>
  sum(
    account.orders.filter(isOpen).flatMap((order) => {
      const held = heldOf(account, order.asset);
      const reduces = order.side === 'buy' ? held.lt(ZERO) : held.gt(ZERO);
      return reduces ? [] : [leftOf(order).times(order.limitPrice ?? order.asset.ask)];
    }),
  );

export function buyingPower(state: State, account: Account): Decimal {
  const gross = longValue(state, account).minus(shortValue(state, account));
  const power = equityOf(state, account).times(`${account.multiplier}`).minus(gross);
  const left = power.minus(reserved(account));
  return left.gt(ZERO) ? left : ZERO;
}

/** For what is not lent against: coins. */
export function nonMarginablePower(account: Account): Decimal {
  const left = account.cash.minus(reserved(account));
  return left.gt(ZERO) ? left : ZERO;
}
