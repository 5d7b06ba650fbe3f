import type { StockId, Timestamp } from '../../ids.js';
import { type SplitRatio, type StockSplit, ratioOf, splitAmount } from '../../market/split.js';
import { type Decimal, ONE, ZERO, divide } from '../../numbers/decimal.js';
import { MINUTE } from '../../time.js';
import { HAIR, TRANSIT, isMadeAgain } from '../limits/expected-equity.js';

/** A holding in two parts, signed, in the account's own units. The parts never have opposite signs. */
export interface HeldPart {
  /** The owner's: never traded, never in the bot's equity. */
  readonly kept: Decimal;
  /** The bot's, as last seen. */
  readonly own: Decimal;
  /** When it was last compared with the account; later splits are still to be applied. */
  readonly seenAt: Timestamp;
  /** The last change of it that neither orders nor splits explained: a split that the broker had first may explain it later. */
  readonly unexplained?: UnexplainedChange;
  /** The name by which the broker tells it, where that is a new one which is not listed here. */
  readonly toldAs?: StockId;
}

/** What changed, signed, from which parts, and when it was seen. */
export interface UnexplainedChange {
  readonly before: Parts;
  readonly more: Parts;
  readonly at: Timestamp;
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

const totalOf = ({ kept, own }: Parts): Decimal => kept.plus(own);

function afterSplit(part: Parts, ratio: SplitRatio | undefined): Parts {
  if (!ratio) return part;
  const scaled = (amount: Decimal): Decimal => splitAmount(amount, ratio).amount;
  return { kept: scaled(part.kept), own: scaled(part.own) };
}

/**
 * The parts once these splits explain the last change that nothing explained: the broker had them first, and prices did not tell, as they
 * do not where a hundred shares become a hundred and five. Undefined when they make another change.
 */
export function afterEarlySplit(
  { kept, own, unexplained }: HeldPart,
  splits: readonly StockSplit[],
): Parts | undefined {
  if (!unexplained) return undefined;
  const { before, more, at: seenAt } = unexplained;
  const ratio = ratioOf(splits.filter(({ at }) => at > seenAt && at <= seenAt + TRANSIT));
  if (!ratio) return undefined;
  const after = afterSplit(before, ratio);
  const seen = totalOf(before).plus(totalOf(more));
  if (!isMadeAgain(seen, totalOf(after), totalOf(before))) return undefined;
  const keptNow = kept.minus(more.kept).plus(after.kept).minus(before.kept);
  return { kept: keptNow, own: kept.plus(own).minus(keptNow) };
}

/** Whether that many shares are what a split made: as many, or whole ones, with cash or a whole one for the rest. */
export const isMadeOf = (amount: Decimal, made: Decimal): boolean =>
  amount.eq(made) ||
  (['down', 'up'] as const).some((rounding) => amount.eq(divide(made, ONE, rounding, 0)));

/** The parts that a split made, with the hair by which the broker's count differs: nobody traded it. */
function asCounted(parts: Parts, held: Decimal): Parts {
  const { kept, own } = parts;
  const hair = held.minus(kept).minus(own);
  const isHairOf = (part: Decimal): boolean => hair.abs().lte(HAIR) && hair.abs().lt(part.abs());
  if (isHairOf(own)) return { kept, own: own.plus(hair) };
  return isHairOf(kept) ? { kept: kept.plus(hair), own } : parts;
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
      if (isNearer && isMadeAgain(held, totalOf(scaled), totalOf(known))) found = scaled;
    }
  for (const count of splits.keys()) {
    // Others may have followed the one that the broker had first.
    const early = afterEarlySplit(known, splits.slice(0, count + 1));
    const since = early && afterSplit(early, ratioOf(splits.slice(count + 1)));
    if (since && distance(since).lte(distance(found))) return since;
  }
  const isSplit = !found.kept.eq(known.kept) || !found.own.eq(known.own);
  return isSplit ? asCounted(found, held) : found;
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
  const after = afterEarlySplit(part, [{ ratio, at }]) ?? afterSplit(part, ratio);
  return new Map([...parts, [stockId, { ...after, seenAt: at }]]);
}
