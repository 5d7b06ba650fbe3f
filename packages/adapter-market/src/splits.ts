import { dayOf } from './hours/us-market-days.js';

interface Split {
  /** The last day of the old shares, as days since 1970-01-01. */
  readonly lastDay: number;
  /** New shares for an old one. */
  readonly ratio: number;
}

const splits = (...rows: readonly (readonly [lastDay: string, ratio: number])[]): Split[] =>
  rows.map(([lastDay, ratio]) => ({ lastDay: dayOf(lastDay), ratio }));

// Facts from the factor files of QuantConnect/Lean (Apache-2.0). GOOG means the class C shares from that day on.
// oxfmt-ignore
const SPLITS: ReadonlyMap<string, readonly Split[]> = new Map([
  ['AAPL', splits(['2000-06-20', 2], ['2005-02-25', 2], ['2014-06-06', 7], ['2020-08-28', 4])],
  ['AIG', splits(['1998-07-31', 1.5], ['1999-07-30', 1.25], ['2000-07-28', 1.5], ['2009-06-30', 0.05])],
  ['BAC', splits(['2004-08-27', 2])],
  ['EEM', splits(['2005-06-08', 3], ['2008-07-23', 3])],
  ['GOOG', splits(['2014-04-02', 2])],
  ['GOOGL', splits(['2014-04-02', 2])],
  ['IBM', splits(['1999-05-26', 2])],
  ['IWM', splits(['2005-06-08', 2])],
  ['QQQ', splits(['2000-03-17', 2])],
]);

/**
 * The allowed distance between the observed step and the split, as a fraction of the split, because the market also moves
 * overnight.
 */
const TOLERANCE = 0.3;

/**
 * The factor with which the prices of `symbol` on `day` continue those of `dayBefore`: the split between them if the prices
 * show it, else 1. Adjusted recordings show none.
 */
export function splitBetween(
  symbol: string,
  dayBefore: number,
  day: number,
  priceBefore: number,
  price: number,
): number {
  const split = SPLITS.get(symbol)?.find(({ lastDay }) => dayBefore <= lastDay && lastDay < day);
  if (!split) return 1;
  const [observed, expected] = [Math.log(priceBefore / price), Math.log(split.ratio)];
  return Math.abs(observed - expected) < TOLERANCE * Math.abs(expected) ? split.ratio : 1;
}
