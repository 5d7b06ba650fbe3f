import { type Decimal, ZERO, decimal } from '@slipstream/domain';
import type { LoggedRequest } from '../alpaca/stand-in.js';
import type { Filling } from '../alpaca/state.js';
import { type FaultScript, faultScript } from '../faults.js';
import type { Venue, VenueOutcome, VenueRequest } from '../http.js';
import {
  type CoinAccount,
  type CoinMarket,
  type CoinState,
  add,
  advance,
  fillNow,
  isOpen,
  leftOf,
  newOrder,
} from './state.js';

export interface CoinOptions {
  readonly now: () => number;
  /** When orders are filled after their acceptance; at once by default. */
  readonly filling?: Filling;
  /** How many milliseconds a cancellation takes; 0 by default. */
  readonly cancelling?: number;
  /** The share of an order that it costs; 0.004 by default. */
  readonly fee?: Decimal;
  /** What the fee of a purchase is taken of; dollars by default. */
  readonly feeIn?: 'dollars' | 'coin';
}

export type NewMarket = Partial<Omit<CoinMarket, 'coin' | 'bid' | 'ask'>> & {
  readonly coin: string;
  readonly bid: string;
  readonly ask: string;
};

export interface NewCoinAccount {
  readonly id: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly cash: string;
}

/** The trading API of an exchange for coins as a state machine, and control of the world behind it. */
export interface CoinExchange {
  readonly venue: Venue;
  readonly faults: FaultScript;
  readonly log: readonly LoggedRequest[];
  addMarket(market: NewMarket): CoinMarket;
  addAccount(account: NewCoinAccount): CoinAccount;
  market(coin: string): CoinMarket;
  quote(coin: string, bid: string, ask: string): void;
  /** The next order is filled by half when it is accepted. */
  fillNextInPart(): void;
  /** Fills what the market allows of the open orders. */
  fillAll(account: CoinAccount): void;
  /** Fills so much (0 to 1) of what is left of each open order, in whole steps, as far as the market allows it. */
  fillPart(account: CoinAccount, share: Decimal): void;
  /** Ends the open orders without the rest of their fills. */
  expireOrders(account: CoinAccount): void;
  /** The owner trades at the market, beside every program. */
  tradeByHand(account: CoinAccount, coin: string, side: 'buy' | 'sell', amount: Decimal): void;
  /** The owner moves money or coins in or out. */
  move(account: CoinAccount, currency: string, amount: Decimal): void;
  /** New orders stay invisible for so many milliseconds. */
  appearAfter(milliseconds: number): void;
  /** For so many milliseconds after a fill orders tell less, though their status has it. */
  tellFillsAfter(milliseconds: number): void;
  /** So much is left of the next orders that are filled, for good. */
  leaveDust(amount: Decimal): void;
}

/** Answers requests over the state; `keyKind` is what the log may show of a key. */
export interface Face {
  answer(state: CoinState, request: VenueRequest): VenueOutcome;
  keyKind(request: VenueRequest): string;
}

export function coinExchange({ answer, keyKind }: Face, options: CoinOptions): CoinExchange {
  const { now, filling = 0, cancelling = 0, fee = decimal('0.004'), feeIn = 'dollars' } = options;
  const state: CoinState = {
    ...{ now, filling, cancelling, fee, feeIn },
    markets: new Map(),
    accounts: new Map(),
    appearing: 0,
    telling: 0,
    dust: ZERO,
    partsNext: false,
    ids: 0,
  };
  const log: LoggedRequest[] = [];
  const faults = faultScript();
  const inner = faults.around(async (request) => answer(state, request));
  const market = (coin: string): CoinMarket => {
    const found = state.markets.get(coin);
    if (!found) throw new Error(`the stand-in has no market of ${coin}`);
    return found;
  };
  return {
    faults,
    log,
    market,
    venue: async (request) => {
      const { method, host, path } = request;
      log.push({ at: now(), method, host, path, keyKind: keyKind(request) });
      return inner(request);
    },
    addMarket(given) {
      const added: CoinMarket = {
        amountStep: decimal('0.00000001'),
        priceStep: decimal('0.01'),
        minAmount: decimal('0.0001'),
        minTotal: decimal('0.5'),
        maxAmount: undefined,
        halted: false,
        listed: true,
        ...given,
        bid: decimal(given.bid),
        ask: decimal(given.ask),
      };
      state.markets.set(added.coin, added);
      return added;
    },
    addAccount({ cash, ...names }) {
      const account: CoinAccount = {
        ...names,
        mayWithdraw: false,
        mayTrade: true,
        nonce: 0,
        calls: 0,
        calledAt: now(),
        balances: new Map([['USD', decimal(cash)]]),
        orders: [],
        ledger: [],
      };
      state.accounts.set(account.apiKey, account);
      return account;
    },
    quote(coin, bid, ask) {
      Object.assign(market(coin), { bid: decimal(bid), ask: decimal(ask) });
    },
    fillNextInPart() {
      state.partsNext = true;
    },
    fillAll(account) {
      advance(state, account);
      for (const order of account.orders.filter(isOpen)) fillNow(state, account, order);
    },
    fillPart(account, share) {
      advance(state, account);
      for (const order of account.orders.filter(isOpen)) {
        const part = leftOf(order).times(share);
        const amount = part.minus(part.mod(order.market.amountStep));
        if (amount.gt(ZERO)) fillNow(state, account, order, amount);
      }
    },
    expireOrders(account) {
      for (const order of account.orders.filter(isOpen)) order.status = 'expired';
    },
    tradeByHand(account, coin, side, amount) {
      const wanted = { clientOrderId: null, market: market(coin), side, amount, limit: null };
      fillNow(state, account, newOrder(state, account, wanted));
    },
    move(account, currency, amount) {
      add(account, currency, amount);
      account.ledger.push({
        id: `LSTAND-${String((state.ids += 1)).padStart(5, '0')}-LEDGER`,
        at: now(),
        kind: amount.gt(ZERO) ? 'deposit' : 'withdrawal',
        currency,
        amount,
      });
    },
    appearAfter(milliseconds) {
      state.appearing = milliseconds;
    },
    tellFillsAfter(milliseconds) {
      state.telling = milliseconds;
    },
    leaveDust(amount) {
      state.dust = amount;
    },
  };
}
