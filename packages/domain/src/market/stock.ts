import { type Decimal, ZERO } from '../numbers/decimal.js';
import type { StockId, Timestamp } from '../ids.js';

/** The types of stocks, strategies and bots (spec 2.5). */
export const SECURITIES = ['stock', 'cryptocurrency'] as const;
export type Security = (typeof SECURITIES)[number];

/** A `halted` stock accepts orders, which wait; a `delisted` one accepts none. */
export const STOCK_STATUSES = ['active', 'halted', 'delisted'] as const;
export type StockStatus = (typeof STOCK_STATUSES)[number];

/** An instrument as the rules of trading see it. `fee` and `slippage` are fractions, 0 to 0.1. */
export interface TradedInstrument {
  readonly id: StockId;
  /** The ticker; for crypto the pair (`BTCUSD`). */
  readonly symbol: string;
  readonly security: Security;
  /** The exchange whose sessions it trades in. */
  readonly exchange: string;
  readonly slippage: Decimal;
  readonly fee: Decimal;
  readonly status: StockStatus;
}

/** A tradable instrument with all of its fields (spec 2.5). */
export interface Stock extends TradedInstrument {
  readonly figiComposite: string | null;
  /** The ticker; for crypto the coin (`BTC`). */
  readonly stock: string;
  readonly name: string;
  readonly sector: string;
  readonly peg: string;
  readonly provider: string;
  readonly links: Readonly<Record<string, string>>;
}

/** Why the stock accepts no more orders: an order would wait forever. */
export const goneReason = ({ symbol }: TradedInstrument): string =>
  `${symbol} was delisted; a holding of it waits for the settle_price`;

/** Market prices of one stock at `at`. */
export interface Quote {
  readonly stockId: StockId;
  readonly bid: Decimal;
  readonly ask: Decimal;
  readonly last: Decimal;
  readonly at: Timestamp;
}

/** A stock with its latest quote; undefined before the first one. */
export interface QuotedStock {
  readonly stock: Stock;
  readonly quote: Quote | undefined;
}

/** A regular session of an exchange: `opensAt` inclusive, `closesAt` exclusive. */
export interface Session {
  readonly opensAt: Timestamp;
  readonly closesAt: Timestamp;
}

/** Contract 3: only a usable quote values, sizes or trades. */
export const isUsable = ({ bid, ask, last }: Quote): boolean =>
  bid.gt(ZERO) && last.gt(ZERO) && bid.lte(ask);
