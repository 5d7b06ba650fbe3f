import { type Decimal, ZERO, sign } from '../numbers/decimal.js';
import type { StockId, Timestamp } from '../ids.js';
import { RESEND_WINDOW } from './alert-record.js';
import { type Alert, type Intent, type MarketPosition, intentOf, sideOf } from './plan-alert.js';

/** What an alert tells of its platform's own position: where it led, and from where. */
export interface PlatformMove {
  /** The request of the alert. */
  readonly id: string;
  /** Equal for the same alert sent again. */
  readonly fingerprint: string;
  readonly at: Timestamp;
  readonly stockId: StockId;
  readonly intent: Intent;
  /** Signed. */
  readonly after: Decimal;
  /** A platform tells no sign: from the side that it left, or that it stayed on, whichever its action allows. */
  readonly before: readonly Decimal[];
  /** The strategy's side when the alert came. */
  readonly held: MarketPosition;
}

/** A position that is known by its size, or only by its side. */
type Known = Decimal | MarketPosition;

/** A move that did not begin where the platform was known to be: another one, on its way here or lost, belongs before it. */
interface Gap extends PlatformMove {
  readonly since: Known;
}

/** The move of an alert, undefined unless it tells both sizes and they fit its action and position. */
export function moveTold(
  alert: Alert,
): Pick<PlatformMove, 'stockId' | 'intent' | 'after' | 'before'> | undefined {
  const { stockId, action, marketPosition, positionSize, previousPositionSize } = alert;
  if (marketPosition === null || positionSize === null || previousPositionSize === null)
    return undefined;
  const isBuy = action === 'buy' || action === 'long';
  if (!isBuy && action !== 'sell' && action !== 'short') return undefined;
  const size = positionSize.abs();
  const after = marketPosition === 'short' ? ZERO.minus(size) : size;
  const previous = previousPositionSize.abs();
  const before = [previous, ZERO.minus(previous)].filter((one) =>
    isBuy ? one.lt(after) : one.gt(after),
  );
  const fits = sideOf(after) === marketPosition && before.length > 0;
  return fits ? { stockId, intent: intentOf(alert), after, before } : undefined;
}

const follows = ({ before }: PlatformMove, known: Known): boolean =>
  before.some((one) => (typeof known === 'string' ? sideOf(one) === known : one.eq(known)));

/** Whether the move leads to where the other one began, so that it belongs before it. */
function fills(move: PlatformMove, gap: Gap, known: Known): boolean {
  if (move.at - gap.at > RESEND_WINDOW || gap.intent === 'partial_exit') return false;
  if (!gap.before.some((one) => one.eq(move.after))) return false;
  if (!follows(move, known)) return true;
  // Both orders are possible. The strategy ends flat, if no alert was lost.
  return sign(move.after) !== 0 && typeof gap.since !== 'string' && follows(move, gap.since);
}

/**
 * The alert that came before this one and follows it on the platform, which sends alerts of one moment in any order, and again
 * what was not taken. What this one asks for is over. `earlier` are the moves that were told before, in the order of their coming.
 */
export function overtakenBy(
  move: PlatformMove,
  earlier: readonly PlatformMove[],
): PlatformMove | undefined {
  let known: Known | undefined;
  let gaps: readonly Gap[] = [];
  let overtaker: PlatformMove | undefined;
  for (const one of [...earlier, move]) {
    const at = known ?? one.held;
    const filled = gaps.find((gap) => fills(one, gap, at));
    overtaker = filled?.intent === one.intent ? undefined : filled;
    if (filled) {
      const { since } = filled;
      const left = follows(one, since) ? [] : [{ ...filled, before: one.before }];
      gaps = [...gaps.filter((gap) => gap !== filled), ...left];
    } else {
      if (!follows(one, at)) gaps = [...gaps, { ...one, since: at }];
      known = one.after;
    }
  }
  return overtaker;
}
