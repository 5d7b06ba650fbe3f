import type { StockId, Timestamp } from '../../ids.js';
import { type SplitRatio, type StockSplit, ratioOf, splitAmount } from '../../market/split.js';
import { type Decimal, ZERO, divide } from '../../numbers/decimal.js';
import { MINUTE } from '../../time.js';
import { isMadeBySplit } from '../limits/expected-equity.js';

/** A holding in two parts, signed, in the account's own units. The parts never have opposite signs. */
export interface HeldPart {
  /** The owner's: never traded, never in the bot's equity. */
  readonly kept: Decimal;
  /** The bot's, as last seen. */
  readonly own: Decimal;
  /** When it was last compared with the account; later splits are still to be applied. */
  readonly seenAt: Timestamp;
}

/** The part (0 to 1) of a holding that is the bot's. */
export function ownPart(part: Pick<HeldPart, 'kept' | 'own'> | undefined): Decimal {
  const total = part ? part.kept.plus(part.own) : ZERO;
  return part && !total.eq(ZERO) ? divide(part.own, total) : ZERO;
}

/** The parts of each holding; a stock that is not named has none. */
export type HeldParts = ReadonlyMap<StockId, HeldPart>;

/** The owner's part and the bot's. */
export type Parts = Pick<HeldPart, 'kept' | 'own'>;

function afterSplit(part: Parts, ratio: SplitRatio | undefined): Parts {
  if (!ratio) return part;
  const scaled = (amount: Decimal): Decimal => splitAmount(amount, ratio).amount;
  return { kept: scaled(part.kept), own: scaled(part.own) };
}

/** So long after a split a reading may be the first one with it. */
const SHOWN_WITHIN = 5 * MINUTE;

/**
 * The parts of a holding in shares of now: with the splits since they were seen. Of those of the last minutes, others count if they make
 * the amount that is held: the clock may have been set back between a split and the moment when the parts were seen.
 */
export function inSharesOfNow(
  known: HeldPart,
  held: Decimal,
  splits: readonly StockSplit[],
  now: Timestamp,
): Parts {
  const distance = ({ kept, own }: Parts): Decimal => held.minus(kept).minus(own).abs();
  let found = afterSplit(known, ratioOf(splits.filter(({ at }) => at > known.seenAt)));
  const recent = splits.filter(({ at }) => at > now - SHOWN_WITHIN);
  for (const from of recent.keys())
    for (let to = from; to <= recent.length; to += 1) {
      const scaled = afterSplit(known, ratioOf(recent.slice(from, to)));
      const isNearer = distance(scaled).lt(distance(found));
      if (isNearer && isMadeBySplit(held, scaled.kept.plus(scaled.own))) found = scaled;
    }
  return found;
}

/**
 * The parts in new shares, for a fill in new shares of an order that was made at `since`; the same when they were seen after that and have
 * the split already.
 */
export function withSplit(
  parts: HeldParts,
  stockId: StockId,
  { ratio, at }: StockSplit,
  since: Timestamp,
): HeldParts {
  const part = parts.get(stockId);
  if (!part || (part.seenAt >= at && part.seenAt > since)) return parts;
  return new Map([...parts, [stockId, { ...afterSplit(part, ratio), seenAt: at }]]);
}
