import { DAY, type Timestamp } from '@slipstream/domain';
import type { PriceChoice } from '../data/rows.js';
import type { MarketData } from '../data/read-data.js';

const MONTH = 30 * DAY;

const adjustmentNotes = (prices: PriceChoice, hasAdjusted: boolean): string[] => {
  if (prices === 'adjusted')
    return ['Prices are adjusted for dividends (Adj Close): fills are at prices that nobody paid.'];
  return hasAdjusted
    ? ['The adjusted closes of the file are not used; its other prices may be adjusted for splits.']
    : [];
};

const droppedNotes = (dropped: number, absurd: number): string[] => {
  const extremes =
    absurd > 0
      ? ` In ${absurd} of them the high is more than twice open and close, or the low less than half.`
      : '';
  return dropped > 0
    ? [
        `${dropped} rows of the data were not used; dropped.csv lists each with its reason.${extremes}`,
      ]
    : [];
};

const openNotes = (waiting: readonly string[]): string[] => {
  const [count, names] = [waiting.length, [...new Set(waiting)].toSorted().join(', ')];
  if (count === 0) return [];
  return [`${count} order${count === 1 ? ' was' : 's were'} still open at the end, of ${names}.`];
};

/** The rows of the data that were not used. */
interface Unused {
  readonly dropped: number;
  readonly absurd: number;
}

/** Statements about the data that a reader of the figures must know. `lastBars` are the ends of each instrument's last bar, `waiting` the names of those with orders that are open at the end, one for each. */
export function notesOf(
  prices: PriceChoice,
  { summaries, symbols, lastAt }: MarketData,
  lastBars: readonly Timestamp[],
  { dropped, absurd }: Unused,
  waiting: readonly string[],
): string[] {
  const ended = lastBars.filter((at) => at < lastAt - MONTH).length;
  const survivors =
    ended > 0
      ? `The bars of ${ended} of ${symbols.length} instruments end more than a month before the others. What is held of them keeps its last price: nothing settles it.`
      : 'Every instrument is quoted to the end: if they were chosen at the end, the figures are of survivors.';
  const hasAdjusted = summaries.some(({ format }) => format.includes('adjusted'));
  return [
    ...droppedNotes(dropped, absurd),
    ...adjustmentNotes(prices, hasAdjusted),
    ...(symbols.length > 1 ? [survivors] : []),
    ...openNotes(waiting),
  ];
}
