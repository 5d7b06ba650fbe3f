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
import { type Splits, ratioSince, splitAmount } from '../../market/split.js';
import type { AccountReading } from './expected-equity.js';
import type { BotLimits } from './limits.js';
import { explained } from './reported-flows.js';
import { type LossWatch, lastEquity, nothingUnreported } from './watched-account.js';

/** The limits that can be breached; the others only bound what is sent. */
export const LOSS_LIMITS = ['max_daily_loss', 'max_drawdown'] as const;
export type LossLimit = (typeof LOSS_LIMITS)[number];

/** A loss that passed a limit. It stands until the bot's owner acknowledges it. */
export interface Breach {
  readonly limit: LossLimit;
  readonly at: Timestamp;
  /** The equity that was seen. */
  readonly equity: Decimal;
  /** The equity that the loss is measured from: of the day's start, or the peak. */
  readonly from: Decimal;
}

/** The equity that a day's loss is measured from: the last one known before the day began, or before the clock was set back to it. */
const dayStartOf = (watch: LossWatch, day: Timestamp): Decimal =>
  day === watch.day ? watch.dayStart : lastEquity(watch);

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
 * Takes a reading of the account (contract 10). What comes in, reported as a transfer or not explained by prices, fills and income,
 * is never a gain: the day's start and the peak grow with it, in proportion. What is missing without a report is a loss, until a
 * report of it follows.
 */
export function seeAccount(before: LossWatch | null, reading: AccountReading): SeenLoss {
  const { cash, holdings, keptShorts, at: readAt, day } = reading;
  const equity = lastEquity(reading);
  const reserved = keptShorts && keptShorts.size > 0 ? { keptShorts } : {};
  const seen = { readAt, cash, holdings, ...reserved, day, resumes: false };
  const bases = { dayStart: equity, peak: equity };
  const unreportedYet = nothingUnreported(readAt);
  const anew = { since: readAt, counted: [], unreported: unreportedYet, ...bases, ...seen };
  if (!before) return { watch: anew, equity, ...bases };
  const { flows, counted, unreported } = explained(before, reading);
  const earned = equity.minus(flows);
  if (before.restarts === true)
    return { watch: anew, equity: earned, dayStart: earned, peak: earned };
  const isNewDay = before.resumes && day !== before.day;
  const dayStart = isNewDay ? earned : dayStartOf(before, day);
  const peak = max(before.peak, earned);
  const scaled = (base: Decimal): Decimal => {
    // All was taken out: the next that comes in is the base.
    if (base.eq(ZERO)) return max(ZERO, equity);
    if (earned.lte(ZERO) || earned.eq(equity)) return base;
    return equity.gt(ZERO) ? round18(divide(base.times(equity), earned)) : ZERO;
  };
  const watch: LossWatch = {
    since: before.since,
    dayStart: scaled(dayStart),
    peak: scaled(peak),
    counted,
    unreported,
    ...seen,
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
  readonly splits: Splits;
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
    const ratio = ratioSince(splits, stockId, watch.readAt);
    const held = ratio ? splitAmount(amount, ratio).amount : amount;
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
