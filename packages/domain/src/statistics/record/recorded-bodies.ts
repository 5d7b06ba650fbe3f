import { type Decimal, ZERO, decimal } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';

/** A fill as a track record keeps it. Quotes are null without one, undefined in fills from before they were kept. */
export interface RecordedFill {
  readonly stock_id: StockId;
  readonly action: 'buy' | 'sell';
  readonly price: string;
  readonly amount: string;
  readonly total: string;
  readonly fee_total: string;
  readonly rounding: string;
  readonly strategy_value: string | null;
  readonly quote_bid?: string | null;
  readonly quote_ask?: string | null;
}

/** A day's last value; all but the close is absent in days from before it was kept. */
export interface RecordedDay {
  readonly strategy_value: string;
  readonly high?: string;
  readonly low?: string;
  readonly drawdown?: string;
  readonly gross?: string;
  readonly held?: string;
}

/** A split, dividend or delisting of a holding. */
export interface RecordedAdjustment {
  readonly stock_id: StockId;
  readonly kind: 'split' | 'cash_dividend' | 'delisting';
  readonly amount_after: string;
  readonly cash: string;
}

/** A segment that opens, or starts with its first value. */
export type RecordedSegment =
  | { readonly state: 'opened' }
  | { readonly state: 'started'; readonly start_value: string };

/** Most fills have no rounding, and many no fee. */
export const recordedDecimal = (text: string): Decimal => (text === '0' ? ZERO : decimal(text));

/**
 * A recorded figure as a double.
 * @throws when the text is no number.
 */
export function recordedNumber(text: string): number {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value))
    throw new Error(`${text} is no figure of a track record`);
  return value;
}

/** The same, or null where the record does not keep it. */
export const keptNumber = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : recordedNumber(text);
