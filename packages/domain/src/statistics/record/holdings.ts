import { type Decimal, ZERO, divide, sign } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import { type RecordedFill, recordedDecimal, recordedNumber } from './recorded-bodies.js';

/** A position from flat to flat. */
export interface RoundTrip {
  readonly stockId: StockId;
  readonly side: 'long' | 'short';
  readonly openedAt: Timestamp;
  readonly closedAt: Timestamp;
  /** Net of all fees and with dividends, as a fraction of the strategy's value before the opening fill. */
  readonly result: number;
}

/** A position that is open. */
interface Holding {
  /** Signed, normalized; never zero. */
  readonly amount: Decimal;
  readonly openedAt: Timestamp;
  /** The strategy's value before the opening fill. Null if no round trip counts: it was open at the segment's start. */
  readonly valueBefore: number | null;
  /** All that the position has paid and received so far, normalized. */
  readonly cash: Decimal;
}

export type Holdings = Map<StockId, Holding>;

const cashOf = (fill: RecordedFill): Decimal => {
  const total = recordedDecimal(fill.total);
  return (fill.action === 'buy' ? ZERO.minus(total) : total)
    .minus(recordedDecimal(fill.fee_total))
    .minus(recordedDecimal(fill.rounding));
};

/**
 * The strategy's value just before a fill, from the value just after it: at one quote a fill changes the value by its own costs
 * only, which are its fee and its price's distance from the quote. Without a quote only the fee is known; without a value
 * after it, the last value known before.
 */
function valueBefore(fill: RecordedFill, held: Decimal, after: Decimal, last: number): number {
  if (fill.strategy_value === null) return last;
  const value = recordedNumber(fill.strategy_value);
  const { quote_bid: bid, quote_ask: ask } = fill;
  if (!bid || !ask) return value + recordedNumber(fill.fee_total) + recordedNumber(fill.rounding);
  const worth = (amount: Decimal): number =>
    recordedNumber(amount.toFixed()) * recordedNumber(sign(amount) < 0 ? ask : bid);
  const change = recordedNumber(cashOf(fill).toFixed()) + worth(after) - worth(held);
  return value - change;
}

function tripOf(
  stockId: StockId,
  holding: Holding,
  closing: Decimal,
  closedAt: Timestamp,
): RoundTrip[] {
  const { amount, openedAt, valueBefore: value, cash } = holding;
  if (value === null || !(value > 0)) return [];
  const side = sign(amount) > 0 ? 'long' : 'short';
  const result = recordedNumber(cash.plus(closing).toFixed()) / value;
  return [{ stockId, side, openedAt, closedAt, result }];
}

/** Books a fill. Answers the round trip that it ends, if any; a reversal is split in proportion to the amounts. */
export function bookRecorded(
  holdings: Holdings,
  fill: RecordedFill,
  at: Timestamp,
  lastValue: number,
): readonly RoundTrip[] {
  const { stock_id: stockId } = fill;
  const holding = holdings.get(stockId);
  const amount = recordedDecimal(fill.amount);
  const held = holding?.amount ?? ZERO;
  const after = fill.action === 'buy' ? held.plus(amount) : held.minus(amount);
  const cash = cashOf(fill);
  if (holding && sign(after) === sign(held)) {
    holdings.set(stockId, { ...holding, amount: after, cash: holding.cash.plus(cash) });
    return [];
  }
  const isReversal = sign(held) * sign(after) < 0;
  const opening = isReversal ? divide(cash.times(after.abs()), amount) : cash;
  if (sign(after) === 0) holdings.delete(stockId);
  else {
    const before = valueBefore(fill, held, after, lastValue);
    holdings.set(stockId, { amount: after, openedAt: at, valueBefore: before, cash: opening });
  }
  if (!holding) return [];
  return tripOf(stockId, holding, isReversal ? cash.minus(opening) : cash, at);
}

/** Gives a holding its amount after a split, and the cash of a split or dividend. A split can leave nothing of it. */
export function adjustRecorded(
  holdings: Holdings,
  stockId: StockId,
  amount: Decimal,
  cash: Decimal,
  at: Timestamp,
): readonly RoundTrip[] {
  const holding = holdings.get(stockId);
  if (!holding) return [];
  if (sign(amount) !== 0) {
    holdings.set(stockId, { ...holding, amount, cash: holding.cash.plus(cash) });
    return [];
  }
  holdings.delete(stockId);
  return tripOf(stockId, holding, cash, at);
}

/** Positions that are open at a segment's start give no round trip: they were not opened in it. */
export function startAnew(holdings: Holdings): void {
  for (const [stockId, holding] of holdings)
    holdings.set(stockId, { ...holding, valueBefore: null });
}
