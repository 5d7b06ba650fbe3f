import {
  type Decimal,
  ONE,
  ZERO,
  decimal,
  decimalText,
  divide,
  max,
  round18,
  sum,
} from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import { DAY } from '../../time.js';
import { type SplitRatio, splitAmount } from '../../market/split.js';
import type { BotLimits } from './limits.js';

/** The limits that can be breached; the others only bound what is sent. */
export type LossLimit = 'max_daily_loss' | 'max_drawdown';

/** A loss that passed a limit. It stands until the bot's owner acknowledges it. */
export interface Breach {
  readonly limit: LossLimit;
  readonly at: Timestamp;
  /** The equity that was seen. */
  readonly equity: Decimal;
  /** The equity that the loss is measured from: of the day's start, or the peak. */
  readonly from: Decimal;
}

/** A holding and what it was worth. */
export interface WatchedHolding {
  /** Signed, in the account's own units. */
  readonly amount: Decimal;
  /** The price that it was last valued at. */
  readonly price: Decimal;
}

/** What a bot's account holds as far as is known: its last reading and the fills since. Losses are measured against it. */
export interface LossWatch {
  readonly readAt: Timestamp;
  readonly cash: Decimal;
  readonly holdings: ReadonlyMap<StockId, WatchedHolding>;
  /** When the day began that `dayStart` belongs to. */
  readonly day: Timestamp;
  readonly dayStart: Decimal;
  readonly peak: Decimal;
}

/** The last split of each stock that was ever split. */
export type LastSplits = ReadonlyMap<
  StockId,
  { readonly ratio: SplitRatio; readonly at: Timestamp }
>;

const lastEquity = ({ cash, holdings }: Pick<LossWatch, 'cash' | 'holdings'>): Decimal =>
  cash.plus(sum([...holdings.values()].map(({ amount, price }) => amount.times(price))));

/** The equity that a day's loss is measured from: the last one known before the day began. */
const dayStartOf = (watch: LossWatch, day: Timestamp): Decimal =>
  day > watch.day ? lastEquity(watch) : watch.dayStart;

/** The account after an order of the bot traded so much more (signed), for that much cash (signed; positive is paid). */
export function watchedFill(
  watch: LossWatch,
  stockId: StockId,
  { filled, paid }: { readonly filled: Decimal; readonly paid: Decimal },
): LossWatch {
  const before = watch.holdings.get(stockId);
  const amount = (before?.amount ?? ZERO).plus(filled);
  const price = filled.eq(ZERO) ? before?.price : divide(paid, filled);
  const holdings = new Map(watch.holdings);
  if (amount.eq(ZERO)) holdings.delete(stockId);
  else holdings.set(stockId, { amount, price: before?.price ?? price ?? ZERO });
  return { ...watch, cash: watch.cash.minus(paid), holdings };
}

/** An account as it was just read, with the prices that value it. */
export interface AccountReading {
  readonly at: Timestamp;
  /** When the present day began. */
  readonly day: Timestamp;
  readonly cash: Decimal;
  readonly holdings: ReadonlyMap<StockId, WatchedHolding>;
  /** Today's price of a stock that is not held any more; undefined when there is none. */
  readonly priceOf: (stockId: StockId, amount: Decimal) => Decimal | undefined;
  /** Whether the broker's amounts and our prices belong to different shares: a split that only one side has. */
  readonly isInTransit: (stockId: StockId) => boolean;
  readonly splits: LastSplits;
  /** Deposits less withdrawals since the last reading, as the broker reports them, and less the cash that the owner spent by hand. */
  readonly transfers: Decimal;
}

/** How long a split may take from one side to the other. */
const TRANSIT = 3 * DAY;

/** What is known to be held, in shares of today: a split counts if that comes nearer to the amount that was read. */
function amountToday(
  amount: Decimal,
  read: Decimal,
  split: { readonly ratio: SplitRatio } | undefined,
): Decimal {
  if (!split) return amount;
  const scaled = splitAmount(amount, split.ratio).amount;
  return read.minus(scaled).abs().lt(read.minus(amount).abs()) ? scaled : amount;
}

/** What the account should be worth by all that is known of it, at today's prices. */
function expectedEquity(watch: LossWatch, reading: AccountReading): Decimal {
  const values = [...new Set([...watch.holdings.keys(), ...reading.holdings.keys()])].map(
    (stockId) => {
      const [known, read] = [watch.holdings.get(stockId), reading.holdings.get(stockId)];
      if (reading.isInTransit(stockId)) return read ? read.amount.times(read.price) : ZERO;
      if (!known) return ZERO;
      const split = reading.splits.get(stockId);
      const isRecent = split !== undefined && split.at >= watch.readAt - TRANSIT;
      const recent = isRecent ? split : undefined;
      const amount = amountToday(known.amount, read?.amount ?? ZERO, recent);
      const price = read?.price ?? reading.priceOf(stockId, amount) ?? known.price;
      return amount.times(price);
    },
  );
  return watch.cash.plus(sum(values));
}

/** A reading compared with what was known before. */
export interface SeenLoss {
  readonly watch: LossWatch;
  /** The equity without what came in or went out since the last reading. */
  readonly equity: Decimal;
  /** The bases of the loss, on the same footing. */
  readonly dayStart: Decimal;
  readonly peak: Decimal;
}

/**
 * Takes a reading of the account (contract 10). What comes in, reported as a transfer or not explained by prices and fills, is
 * never a gain: the day's start and the peak grow with it, in proportion. What is missing without a report is a loss.
 */
export function seeAccount(before: LossWatch | null, reading: AccountReading): SeenLoss {
  const { cash, holdings, at: readAt, day, transfers } = reading;
  const equity = lastEquity(reading);
  if (!before) {
    const watch = { readAt, cash, holdings, day, dayStart: equity, peak: equity };
    return { watch, equity, dayStart: equity, peak: equity };
  }
  const unexplained = equity.minus(transfers).minus(expectedEquity(before, reading));
  const earned = equity.minus(transfers).minus(max(ZERO, unexplained));
  const dayStart = dayStartOf(before, day);
  const peak = max(before.peak, earned);
  const isScalable = earned.gt(ZERO) && equity.gt(ZERO) && !earned.eq(equity);
  const scaled = (base: Decimal): Decimal =>
    isScalable ? round18(divide(base.times(equity), earned)) : base;
  const watch: LossWatch = {
    readAt,
    cash,
    holdings,
    day,
    dayStart: scaled(dayStart),
    peak: scaled(peak),
  };
  return { watch, equity: earned, dayStart, peak };
}

type LossLimits = Pick<BotLimits, 'maxDailyLoss' | 'maxDrawdown'>;

/** Whether a bot has a limit that can be breached. */
export const limitsLosses = ({ maxDailyLoss, maxDrawdown }: LossLimits): boolean =>
  maxDailyLoss !== null || maxDrawdown !== null;

/** The limit that this equity passes; null when it passes none. A loss of exactly the limit passes it. */
export function breachBy(
  { maxDailyLoss, maxDrawdown }: LossLimits,
  { equity, dayStart, peak }: Pick<SeenLoss, 'equity' | 'dayStart' | 'peak'>,
  at: Timestamp,
): Breach | null {
  const isPast = (most: Decimal | null, from: Decimal): boolean =>
    most !== null && from.gt(ZERO) && equity.lte(from.times(ONE.minus(most)));
  if (isPast(maxDailyLoss, dayStart))
    return { limit: 'max_daily_loss', at, equity, from: dayStart };
  if (isPast(maxDrawdown, peak)) return { limit: 'max_drawdown', at, equity, from: peak };
  return null;
}

const SURE = decimal('0.1');

/** Prices of now, as an estimate between two readings sees them. */
export interface PricesNow {
  /** The present price of that amount; undefined when no quote is good enough to judge a loss by. */
  readonly priceOf: (stockId: StockId, amount: Decimal) => Decimal | undefined;
  readonly splits: LastSplits;
  /** When the present day began. */
  readonly day: Timestamp;
}

/** The equity at the prices of now, by the last reading and the fills since. */
export interface EstimatedLoss extends Pick<SeenLoss, 'equity' | 'dayStart' | 'peak'> {
  /** False when a price moved so far since the last reading that it may be another share's: then the account is read first. */
  readonly isSure: boolean;
}

/** Values the account at the prices of now without asking the broker. */
export function estimateLoss(watch: LossWatch, { priceOf, splits, day }: PricesNow): EstimatedLoss {
  let isSure = true;
  const values = [...watch.holdings].map(([stockId, { amount, price }]) => {
    const split = splits.get(stockId);
    const held =
      split && split.at > watch.readAt ? splitAmount(amount, split.ratio).amount : amount;
    const now = priceOf(stockId, held);
    const before = amount.times(price);
    if (!now) return before;
    const value = held.times(now);
    if (value.minus(before).abs().gt(before.abs().times(SURE))) isSure = false;
    return value;
  });
  const equity = watch.cash.plus(sum(values));
  return { equity, isSure, dayStart: dayStartOf(watch, day), peak: watch.peak };
}

const HUNDRED = decimal('100');

/** A breach as text for users. */
export function breachText({ limit, equity, from }: Breach): string {
  const loss = divide(from.minus(equity), from).times(HUNDRED).round(2, 1);
  const since = limit === 'max_daily_loss' ? "the day's start" : 'the peak';
  const [now, then] = [equity, from].map((usd) => decimalText(usd.round(2, 1)));
  return `${limit} is breached: equity ${now} USD, ${decimalText(loss)}% below ${since} (${then} USD).`;
}
