import {
  type Decimal,
  ONE,
  Refusal,
  type Timestamp,
  decimal,
  divide,
  round18,
} from '@slipstream/domain';
import { CLOCKS, type Cells, TIMES, namesOf, otherSeparator } from '../replay/data/cells.js';
import { timeIn, zoneOf } from '../replay/data/times.js';

/** How a file of claims is read. */
export interface ClaimsChoices {
  /** The zone of times that name none. Whole days end in it, in UTC without it. */
  readonly timeZone?: string | undefined;
  /** What a charting platform's test began with. Without it its own percentages count, which are rounded. */
  readonly capital?: Decimal | undefined;
}

/** What a row claims; the entry of a trade claims only that the test had begun. */
export interface Claim {
  readonly at: Timestamp;
  readonly value: Decimal;
  readonly isEntry?: boolean;
}

/** Reads a row, or says why it cannot be used. */
export type RowReader = (cells: Cells) => Claim | string;

const EQUITY = ['strategy_value', 'value', 'equity', 'balance', 'portfolio_value', 'nav', 'close'];
const TRADE_TIMES = ['date/time', 'date_and_time'];
const PERCENT = /^cum(\.|ulative)?_(net_)?(p&l|pnl|profit)_%$/;
const MONEY = /^cum(\.|ulative)?_(net_)?(p&l|pnl|profit)(_[a-z]{3,5})?$/;
const HUNDRED = decimal('100');

/** With a digit before the point or after it. */
const NUMBER = /^-?(?=\.?\d)\d{0,15}(\.\d{1,60})?(e[-+]?\d{1,2})?$/i;
/** The first number that is too large to be a value. */
const TOO_LARGE = decimal('1000000000000000');

/**
 * A number as platforms and programs write it: with a sign, a percent sign, a typographic minus, commas between thousands or an exponent.
 * Digits beyond 18 places are rounded away.
 */
function numberIn(cell: string | undefined): Decimal | undefined {
  const text = (cell ?? '')
    .trim()
    .replace('\u2212', '-')
    .replace(/\s*%$/, '')
    .replace(/^\+(?=[.\d])/, '');
  const plain = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  if (/^-?\d+,\d+$/.test(plain))
    throw new Refusal(
      'invalid_field',
      `"${cell}" has a decimal comma: write numbers of the file with a point, as ${plain.replace(',', '.')}`,
    );
  if (!NUMBER.test(plain)) return undefined;
  const value = round18(decimal(plain));
  return value.abs().lt(TOO_LARGE) ? value : undefined;
}

/** Reads the moment in a cell; a whole day means its end. */
function momentReader(timeZone: string | undefined) {
  const zone = zoneOf(timeZone ?? 'UTC');
  return (cell: string | undefined, clock?: string): Timestamp | undefined => {
    const said = timeIn(cell ?? '', clock);
    if (said?.kind === 'day') return zone.at(said.date, '23:59:59');
    if (said?.kind !== 'local') return said?.at;
    if (timeZone !== undefined) return zone.at(said.date, said.time);
    throw new Refusal(
      'invalid_field',
      `"${cell}" names no time zone: give --time-zone, for example --time-zone America/New_York`,
    );
  };
}

/** Reads what its header says: a charting platform's list of trades, or a curve of equity. */
export function claimReader(header: Cells, choices: ClaimsChoices): RowReader {
  const names = namesOf(header);
  const found = (known: readonly string[]): number =>
    known.map((name) => names.indexOf(name)).find((place) => place !== -1) ?? -1;
  const isTrades = names.includes('type') && names.some((name) => /^trade(_|$)/.test(name));
  const time = found([...(isTrades ? TRADE_TIMES : []), ...TIMES]);
  if (time === -1)
    throw new Refusal(
      'invalid_field',
      `no column of times: one of ${TIMES.join(', ')} is needed${otherSeparator(header)}`,
    );
  if (isTrades) return tradeReader(names, time, choices);
  const value = found(EQUITY);
  if (value === -1)
    throw new Refusal(
      'invalid_field',
      `no column of values: one of ${EQUITY.join(', ')} is needed, or a charting platform's list of trades`,
    );
  if (choices.capital)
    throw new Refusal('invalid_field', '--capital is for lists of trades: this is an equity curve');
  const clock = CLOCKS.map((name) => names.indexOf(name)).find(
    (place) => place > 0 && place !== time,
  );
  const moment = momentReader(choices.timeZone);
  return (cells) => {
    const at = moment(cells[time], clock === undefined ? undefined : cells[clock]);
    const read = numberIn(cells[value]);
    if (at === undefined || Number.isNaN(at)) return 'names no time';
    return read?.gt('0') ? { at, value: read } : 'has no value above 0';
  };
}

/** The value at each exit, by the cumulative profit there. */
function tradeReader(
  names: readonly string[],
  time: number,
  { timeZone, capital }: ClaimsChoices,
): RowReader {
  const profit = names.findIndex((name) => (capital ? MONEY : PERCENT).test(name));
  if (profit === -1)
    throw new Refusal(
      'invalid_field',
      capital
        ? 'the list has no column of cumulative profits in a currency: leave out --capital'
        : 'the list has no column of cumulative profits in percent: give --capital, what the test began with',
    );
  const [kind, signal] = [names.indexOf('type'), names.indexOf('signal')];
  const moment = momentReader(timeZone);
  return (cells) => {
    const at = moment(cells[time]);
    if (at === undefined || Number.isNaN(at)) return 'names no time';
    const what = (cells[kind] ?? '').trim();
    if (/^entry/i.test(what)) return { at, value: ONE, isEntry: true };
    if (!/^exit/i.test(what)) return 'is neither an entry nor an exit';
    if (/^open$/i.test((cells[signal] ?? '').trim())) return 'is of a trade that is still open';
    const read = numberIn(cells[profit]);
    if (!read) return 'has no cumulative profit';
    const value = ONE.plus(divide(read, capital ?? HUNDRED));
    return value.gt('0') ? { at, value } : 'has lost everything';
  };
}
