import type { Security } from '@slipstream/domain';
import { dayOf } from '../hours/us-market-days.js';

/** One line of a recording. NaN is a missing price. */
export interface RecordedRow {
  /** In capitals; undefined if the file has none. */
  readonly symbol: string | undefined;
  readonly security: Security | undefined;
  /** Days since 1970-01-01, in the market's own time zone. */
  readonly day: number;
  /** Minutes since its midnight; undefined for a line about a whole day. */
  readonly minute: number | undefined;
  readonly bid: number;
  readonly ask: number;
  readonly close: number;
}

/** Reads a line; undefined if it cannot be used. */
export type RowReader = (line: string) => RecordedRow | undefined;

const SECURITIES: Readonly<Record<string, Security>> = {
  stock: 'stock',
  cryptocurrency: 'cryptocurrency',
};

const MISSING = Number.NaN;

/** The price in a line: NaN for a missing one, undefined for an invalid or impossible one. */
type BarReader = (cells: readonly string[]) => number | undefined;

/** A missing price is blank, or 0 in Lean's files. */
function priceOf(cell: string | undefined): number | undefined {
  const text = cell?.trim() ?? '';
  if (text === '') return MISSING;
  const price = Number(text);
  if (!Number.isFinite(price) || price < 0) return undefined;
  return price === 0 ? MISSING : price;
}

/**
 * The close of a bar whose columns begin with `prefix`. Impossible bars, whose high and low do not enclose the rest, are
 * refused.
 */
function barReader(header: readonly string[], prefix: string): BarReader | undefined {
  const closeColumn = header.indexOf(`${prefix}close`);
  if (closeColumn < 0) return undefined;
  const otherColumns = ['open', 'high', 'low'].map((name) => header.indexOf(`${prefix}${name}`));
  const whole = otherColumns.every((column) => column >= 0);

  return (cells) => {
    const close = priceOf(cells[closeColumn]);
    if (close === undefined || !whole) return close;
    const [open, high, low] = otherColumns.map((column) => priceOf(cells[column]));
    if (open === undefined || high === undefined || low === undefined) return undefined;
    const there = [open, high, low, close].filter((price) => !Number.isNaN(price)).length;
    if (there === 0) return MISSING;
    const possible = low <= Math.min(open, close) && Math.max(open, close) <= high;
    return possible ? close : undefined;
  };
}

function minuteOf(time: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(time.trim()) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(hour) < 24 && Number(minute) < 60 ? minutes : undefined;
}

const nothing: BarReader = () => MISSING;

/**
 * A reader for the lines under `header`, or undefined if the file is not a recording. It needs the column `date` and either
 * `bid_close` and `ask_close` (quotes) or `close` or `trade_close` (bars). `symbol`, `security` and `time_local` (start of
 * the minute: New York for stocks, UTC for coins) are optional.
 */
export function rowReader(header: string): RowReader | undefined {
  const names = header.split(',').map((name) => name.trim().toLowerCase());
  const [dateColumn, timeColumn] = [names.indexOf('date'), names.indexOf('time_local')];
  const [symbolColumn, securityColumn] = [names.indexOf('symbol'), names.indexOf('security')];
  const [bidOf, askOf] = [barReader(names, 'bid_'), barReader(names, 'ask_')];
  const closeOf = barReader(names, '') ?? barReader(names, 'trade_');
  if (dateColumn < 0 || !((bidOf && askOf) || closeOf)) return undefined;

  return (line) => {
    const cells = line.split(',');
    const day = dayOf(cells[dateColumn]?.trim() ?? '');
    const minute = timeColumn < 0 ? undefined : minuteOf(cells[timeColumn] ?? '');
    if (Number.isNaN(day) || (timeColumn >= 0 && minute === undefined)) return undefined;
    const symbol = cells[symbolColumn]?.trim().toUpperCase();
    const security = SECURITIES[cells[securityColumn]?.trim() ?? ''];
    if (symbol === '' || (securityColumn >= 0 && !security)) return undefined;
    const bid = (bidOf ?? nothing)(cells);
    const ask = (askOf ?? nothing)(cells);
    const close = (closeOf ?? nothing)(cells);
    if (bid === undefined || ask === undefined || close === undefined) return undefined;
    if (bid > ask || [bid, ask, close].every((price) => Number.isNaN(price))) return undefined;
    return { symbol, security, day, minute, bid, ask, close };
  };
}
