import { splitBetween } from '../splits.js';

const MINUTES_A_DAY = 24 * 60;
/** More days than this without a row are a gap in the recording, not in the market. */
const LONGEST_CLOSURE = 7;

/** The rows of one instrument in columns, in the order of reading; NaN is a missing price. */
export interface RecordedColumns {
  /** Minutes since 1970-01-01T00:00Z. */
  readonly moments: number[];
  readonly bids: number[];
  readonly asks: number[];
  readonly closes: number[];
}

/** One instrument's quotes, each with the moment from which it stands, oldest first, without jumps that the market did not make. */
export interface RecordedSeries {
  readonly moments: Int32Array;
  readonly bids: Float64Array;
  readonly asks: Float64Array;
  readonly lasts: Float64Array;
}

interface Standing {
  readonly bid: number;
  readonly ask: number;
  readonly last: number;
}

const NOTHING: Standing = { bid: Number.NaN, ask: Number.NaN, last: Number.NaN };

export const dayOfMoment = (moment: number): number => Math.floor(moment / MINUTES_A_DAY);

const isThere = (price: number): boolean => !Number.isNaN(price);
const or = (price: number, other: number): number => (isThere(price) ? price : other);
const between = (low: number, price: number, high: number): number =>
  Math.min(Math.max(price, low), high);

/** A missing side stays as it was, but yields to the other one. */
function quoted(before: Standing, bid: number, ask: number, trade: number): Standing {
  const nextBid = isThere(bid) ? bid : Math.min(before.bid, or(ask, before.ask));
  const nextAsk = isThere(ask) ? ask : Math.max(before.ask, nextBid);
  const last = isThere(trade) ? trade : between(nextBid, or(before.last, nextBid), nextAsk);
  return { bid: nextBid, ask: nextAsk, last };
}

const mid = ({ bid, ask }: Standing): number => (bid + ask) / 2;

const isWhole = (standing: Standing): boolean => isThere(mid(standing));

/** The factor for the prices of `day` with which gaps in the recording and splits cause no jump. */
function bridge(
  symbol: string,
  before: Standing,
  dayBefore: number,
  next: Standing,
  day: number,
): number {
  if (day - dayBefore > LONGEST_CLOSURE) return mid(before) / mid(next);
  return splitBetween(symbol, dayBefore, day, mid(before), mid(next));
}

interface Row {
  readonly moment: number;
  readonly bid: number;
  readonly ask: number;
  readonly close: number;
}

function sortedRows({ moments, bids, asks, closes }: RecordedColumns): Row[] {
  const at = (column: readonly number[], row: number): number => column[row] ?? Number.NaN;
  return moments
    .map((moment, row) => ({
      moment,
      bid: at(bids, row),
      ask: at(asks, row),
      close: at(closes, row),
    }))
    .sort((one, other) => one.moment - other.moment);
}

/** On days with quotes, bars only give the last price; on other days they are bid, ask and last. */
function* standingQuotes(symbol: string, rows: readonly Row[]) {
  const isQuote = ({ bid, ask }: Row): boolean => isThere(bid) || isThere(ask);
  const daysWithQuotes = new Set(rows.filter(isQuote).map(({ moment }) => dayOfMoment(moment)));
  let day = Number.NaN;
  let standing = NOTHING;
  let before: { readonly day: number; readonly standing: Standing } | undefined;
  let scale = 1;

  for (const { moment, bid, ask, close } of rows) {
    const today = dayOfMoment(moment);
    if (today !== day) {
      if (isWhole(standing)) before = { day, standing };
      day = today;
      standing = NOTHING; // yesterday's side is no quote of today's
    }
    const isFirst = !isWhole(standing);
    standing = daysWithQuotes.has(today)
      ? quoted(standing, bid, ask, close)
      : { bid: close, ask: close, last: close };
    if (!isWhole(standing)) continue;
    if (isFirst && before) scale *= bridge(symbol, before.standing, before.day, standing, today);
    yield {
      moment,
      bid: standing.bid * scale,
      ask: standing.ask * scale,
      last: standing.last * scale,
    };
  }
}

/** Sorts the rows by time and joins them into one price series; rows of the same moment are one quote. */
export function recordedSeries(symbol: string, columns: RecordedColumns): RecordedSeries {
  const quotes = [...standingQuotes(symbol, sortedRows(columns))].filter(
    ({ moment }, index, all) => all[index + 1]?.moment !== moment,
  );
  return {
    moments: Int32Array.from(quotes, ({ moment }) => moment),
    bids: Float64Array.from(quotes, ({ bid }) => bid),
    asks: Float64Array.from(quotes, ({ ask }) => ask),
    lasts: Float64Array.from(quotes, ({ last }) => last),
  };
}
