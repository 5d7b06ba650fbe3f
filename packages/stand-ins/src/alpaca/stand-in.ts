import { type Decimal, ZERO, decimal } from '@slipstream/domain';
import { type FaultScript, faultScript } from '../faults.js';
import type { Venue, VenueRequest } from '../http.js';
import { assetNamed, json } from './accept.js';
import { advance, fillNow } from './fills.js';
import { answer } from './routes.js';
import { type Account, type Asset, type Filling, type Order, type State, isOpen } from './state.js';

/** A request as it was received. Of the key only its kind (`token` for an access token), of the secret nothing. */
export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly keyKind: string;
}

export interface AlpacaOptions {
  readonly now: () => number;
  /** When orders are filled after their acceptance; at once by default. */
  readonly filling?: Filling;
  /** How many milliseconds a cancellation takes; 0 by default. */
  readonly cancelling?: number;
  /** The share of a bought coin that is kept as the fee; 0.0025 by default. */
  readonly coinFee?: Decimal;
  /** Above it requests are answered 429; 200 a minute and account by default. */
  readonly requestsPerMinute?: number;
}

/** Alpaca's trading API as a state machine, and control of the world behind it. */
export interface AlpacaStandIn {
  readonly venue: Venue;
  readonly faults: FaultScript;
  readonly log: readonly LoggedRequest[];
  addAsset(asset: NewAsset): Asset;
  addAccount(account: NewAccount): Account;
  asset(name: string): Asset;
  quote(name: string, bid: string, ask: string): void;
  openMarket(): void;
  closeMarket(): void;
  /** The next order is filled by half when it is accepted. */
  fillNextInPart(): void;
  /** The next order is filled by half as it is cancelled; it tells the fill so many milliseconds later. */
  crossNext(milliseconds: number): void;
  /** Fills what the market allows of the open orders. */
  fillAll(account: Account): void;
  /** Ends the open orders without the rest of their fills, as that status. */
  endOrders(account: Account, status?: 'expired' | 'done_for_day' | 'rejected'): void;
  /** The owner replaces an open order with one over so much; both are told by their ids. */
  replace(account: Account, order: Order, qty: string): Order;
  /** The owner trades at the market, beside every program. */
  tradeByHand(account: Account, name: string, side: 'buy' | 'sell', qty: Decimal): void;
  /** Books a change beside orders, as that word of Alpaca's: cash, and shares of an asset. */
  book(account: Account, type: string, cash: string, shares?: Shares): void;
  /** Takes the last such change back: it is told as cancelled. */
  cancelBooking(account: Account): void;
  /** New orders stay invisible for so many milliseconds. */
  appearAfter(milliseconds: number): void;
}

/** So many (signed) of an asset. */
export interface Shares {
  readonly name: string;
  readonly qty: Decimal;
}

export type NewAsset = Partial<Omit<Asset, 'symbol' | 'bid' | 'ask' | 'halted'>> & {
  readonly symbol: string;
  readonly bid: string;
  readonly ask: string;
};

export interface NewAccount {
  readonly number: string;
  readonly keyId: string;
  readonly secretKey: string;
  readonly cash: string;
  readonly multiplier?: Account['multiplier'];
}

const MINUTE = 60_000;

function newAsset(given: NewAsset, count: number): Asset {
  const isCoin = given.symbol.includes('/');
  return {
    id: `10000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
    class: isCoin ? 'crypto' : 'us_equity',
    exchange: isCoin ? 'CRYPTO' : 'NASDAQ',
    status: 'active',
    tradable: true,
    shortable: !isCoin,
    fractionable: true,
    priceIncrement: '0.01',
    ...given,
    halted: false,
    bid: decimal(given.bid),
    ask: decimal(given.ask),
  };
}

const newAccount = ({ cash, multiplier = 2, ...names }: NewAccount): Account => ({
  ...names,
  accessTokens: new Set(),
  cash: decimal(cash),
  multiplier,
  shorting: true,
  status: 'ACTIVE',
  cryptoStatus: 'ACTIVE',
  blocked: false,
  tradingBlocked: false,
  suspendedByUser: false,
  dayTrader: false,
  positions: new Map(),
  orders: [],
  activities: [],
});

const TOO_MANY = json(429, { code: 42910000, message: 'too many requests.' });

/** Answers 429 to a key that asked too often within the last minute. */
function limited(venue: Venue, now: () => number, most: number): Venue {
  const asked = new Map<string, number[]>();
  return async (request) => {
    const { 'apca-api-key-id': keyId, authorization } = request.headers;
    const key = keyId ?? authorization ?? '';
    const recent = (asked.get(key) ?? []).filter((at) => at > now() - MINUTE);
    if (recent.length >= most) return TOO_MANY;
    asked.set(key, [...recent, now()]);
    return venue(request);
  };
}

export function alpacaStandIn(options: AlpacaOptions): AlpacaStandIn {
  const { now, filling = 0, cancelling = 0, coinFee = decimal('0.0025') } = options;
  const state: State = {
    now,
    assets: new Map(),
    accounts: new Map(),
    isOpen: true,
    filling,
    cancelling,
    appearing: 0,
    coinFee,
    partsNext: false,
    crossesNext: null,
    ids: 0,
  };
  const log: LoggedRequest[] = [];
  const faults = faultScript();
  const limit = limited(
    async (request) => answer(state, request),
    now,
    options.requestsPerMinute ?? 200,
  );
  const inner = faults.around(limit);
  const venue = async (request: VenueRequest) => {
    const { method, host, path, headers } = request;
    const isToken = headers['authorization'] !== undefined;
    const keyKind = isToken ? 'token' : (headers['apca-api-key-id'] ?? '').slice(0, 2);
    log.push({ at: now(), method, host, path, keyKind });
    return inner(request);
  };
  const asset = (name: string): Asset => {
    const found = assetNamed(state, name);
    if (!found) throw new Error(`the stand-in has no asset ${name}`);
    return found;
  };
  const change = (account: Account, cash: Decimal, shares: Shares | undefined): void => {
    account.cash = account.cash.plus(cash);
    if (!shares) return;
    const { id } = asset(shares.name);
    const qty = (account.positions.get(id) ?? ZERO).plus(shares.qty);
    if (qty.eq(ZERO)) account.positions.delete(id);
    else account.positions.set(id, qty);
  };
  const openOrders = (account: Account): Order[] => account.orders.filter(isOpen);
  const newOrder = (order: Pick<Order, 'asset' | 'side' | 'qty' | 'limitPrice'>): Order => ({
    ...order,
    id: `20000000-0000-4000-8000-${String((state.ids += 1)).padStart(12, '0')}`,
    clientOrderId: `by-hand-${state.ids}`,
    timeInForce: 'day',
    intent: null,
    submittedAt: now(),
    status: 'new',
    filledQty: ZERO,
    filledPrice: null,
    dueAt: Infinity,
    cancelledAt: null,
    visibleAt: 0,
    fillsToldAt: 0,
    replacedBy: null,
    replaces: null,
  });

  return {
    venue,
    faults,
    log,
    asset,
    addAsset(given) {
      const added = newAsset(given, state.assets.size + 1);
      state.assets.set(added.id, added);
      return added;
    },
    addAccount(given) {
      const account = newAccount(given);
      state.accounts.set(account.keyId, account);
      return account;
    },
    quote(name, bid, ask) {
      Object.assign(asset(name), { bid: decimal(bid), ask: decimal(ask) });
    },
    openMarket() {
      state.isOpen = true;
    },
    closeMarket() {
      state.isOpen = false;
    },
    fillNextInPart() {
      state.partsNext = true;
    },
    crossNext(milliseconds) {
      state.crossesNext = milliseconds;
    },
    fillAll(account) {
      advance(state, account);
      for (const order of openOrders(account)) fillNow(state, account, order);
    },
    endOrders(account, status = 'expired') {
      for (const order of openOrders(account)) order.status = status;
    },
    replace(account, order, qty) {
      const { asset: traded, side, limitPrice } = order;
      const next = newOrder({ asset: traded, side, qty: decimal(qty), limitPrice });
      account.orders.push({ ...next, replaces: order.id });
      Object.assign(order, { status: 'replaced', replacedBy: next.id });
      return account.orders.at(-1) ?? next;
    },
    tradeByHand(account, name, side, qty) {
      const order = newOrder({ asset: asset(name), side, qty, limitPrice: null });
      account.orders.push(order);
      fillNow(state, account, order);
    },
    book(account, type, cash, shares) {
      const day = new Date(now()).toISOString().slice(0, 10).replaceAll('-', '');
      const place = String((state.ids += 1)).padStart(12, '0');
      change(account, decimal(cash), shares);
      account.activities.push({
        id: `${day}000000000::30000000-0000-4000-8000-${place}`,
        type,
        at: now(),
        cash: decimal(cash),
        symbol: shares?.name ?? null,
        qty: shares?.qty ?? null,
        isCancelled: false,
      });
    },
    cancelBooking(account) {
      const last = account.activities.findLast(({ isCancelled }) => !isCancelled);
      if (!last) throw new Error('nothing was booked');
      const { cash, symbol: name, qty } = last;
      const shares = name !== null && qty ? { name, qty: ZERO.minus(qty) } : undefined;
      change(account, ZERO.minus(cash), shares);
      last.isCancelled = true;
    },
    appearAfter(milliseconds) {
      state.appearing = milliseconds;
    },
  };
}
