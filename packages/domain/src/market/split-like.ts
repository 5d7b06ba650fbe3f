import { type Decimal, ONE, decimal, divide } from '../numbers/decimal.js';
import type { SplitRatio } from './split.js';
import type { Quote } from './stock.js';

/** A price that moved by no more is a price that moved. */
const MOST_MOVED = decimal('0.25');
/** How near the movement must come to a ratio of shares. */
const NEAR = decimal('0.05');
const MOST_SHARES = 50;

const middle = ({ bid, ask }: Pick<Quote, 'bid' | 'ask'>): Decimal =>
  divide(bid.plus(ask), decimal('2'));

interface KnownRatio extends SplitRatio {
  /** The smaller number of shares: splits of few shares are the common ones. */
  readonly fewest: number;
}

/** The ratios m:n of at most 50 shares without a common divisor. */
const RATIOS: readonly KnownRatio[] = (() => {
  const divisor = (m: number, n: number): number => (n === 0 ? m : divisor(n, m % n));
  const shares = Array.from({ length: MOST_SHARES }, (_, index) => index + 1);
  return shares.flatMap((m) =>
    shares
      .filter((n) => m !== n && divisor(m, n) === 1)
      .map((n) => ({
        newShares: decimal(`${m}`),
        oldShares: decimal(`${n}`),
        fewest: Math.min(m, n),
      })),
  );
})();

/** Beyond 50 shares for one every movement looks like a split: no price moves so far. */
function farRatio(factor: Decimal): SplitRatio | undefined {
  const most = decimal(`${MOST_SHARES}`);
  if (factor.gt(most)) return { newShares: factor.round(0, 1), oldShares: ONE };
  const inverse = divide(ONE, factor);
  return inverse.gt(most) ? { newShares: ONE, oldShares: inverse.round(0, 1) } : undefined;
}

/**
 * The split that the movement of a price looks like (contract 11): off by more than a quarter, and within a twentieth of a ratio of
 * small whole numbers. Undefined if it looks like none.
 */
export function splitLike(
  before: Pick<Quote, 'bid' | 'ask'>,
  after: Pick<Quote, 'bid' | 'ask'>,
): SplitRatio | undefined {
  const [was, is] = [middle(before), middle(after)];
  if (is.minus(was).abs().lte(was.times(MOST_MOVED))) return undefined;
  const factor = divide(was, is);
  const near = RATIOS.flatMap((ratio) => {
    const { newShares, oldShares } = ratio;
    const distance = divide(factor.times(oldShares).minus(newShares).abs(), newShares);
    return distance.lte(NEAR) ? [{ ratio, distance }] : [];
  });
  const [best] = near.toSorted(
    (one, other) => one.ratio.fewest - other.ratio.fewest || one.distance.cmp(other.distance),
  );
  if (!best) return farRatio(factor);
  const { newShares, oldShares } = best.ratio;
  return { newShares, oldShares };
}
