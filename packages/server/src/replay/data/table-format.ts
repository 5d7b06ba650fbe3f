import { type Security, SECURITIES } from '@slipstream/domain';
import { actionReader } from './action-rows.js';
import { type Prices, priceIn } from './bar.js';
import {
  type Cells,
  CLOCKS,
  type Reader,
  SYMBOLS,
  TIMES,
  namesOf,
  otherSeparator,
  pricesReader,
} from './cells.js';
import type { PriceChoice, RowFormat, SaidRow, Wanted } from './rows.js';
import { type SaidTime, timeIn } from './times.js';

const UNNEEDED = { kind: 'unneeded' } as const;

const isCrossed = (bids: Prices, asks: Prices): boolean =>
  bids.open > asks.open || bids.high > asks.high || bids.low > asks.low || bids.close > asks.close;

/** A close that is adjusted for dividends, as a factor of the whole bar: 12 digits, so that the text stays short. */
function scaled(prices: Prices, adjustedClose: number): Prices {
  const factor = adjustedClose / prices.close;
  const at = (price: number): number => Number((price * factor).toPrecision(12));
  const [open, close] = [at(prices.open), at(prices.close)];
  return {
    open,
    close,
    high: Math.max(at(prices.high), open, close),
    low: Math.min(at(prices.low), open, close),
  };
}

/** The format of a file with this header; a text says why there is none. */
export function tableFormat(
  header: Cells,
  choice: PriceChoice,
  wanted: Wanted,
): RowFormat | string {
  const names = namesOf(header);
  const find = (known: readonly string[]): number =>
    names.findIndex((name) => known.includes(name));
  const day = names.indexOf('date') >= 0 ? names.indexOf('date') : find(TIMES);
  if (day < 0) return `it has no column of times (${TIMES.join(', ')})${otherSeparator(header)}`;
  const clock = names.findIndex(
    (name, column) => column !== day && names[day] === 'date' && CLOCKS.includes(name),
  );
  const [symbol, security, kind] = [
    find(SYMBOLS),
    names.indexOf('security'),
    names.indexOf('kind'),
  ];
  const bids = pricesReader(names, ['bid_']);
  const asks = pricesReader(names, ['ask_']);
  const trades = pricesReader(names, ['', 'trade_']);
  const sides = bids && asks;
  const main = sides ? bids : trades;
  if (!main && kind < 0)
    return 'it has no columns open, high, low and close (or bid_open … ask_close)';
  const adjusted = names.findIndex((name) => /^adj(usted)?_?close\*?$/.test(name));
  if (choice === 'adjusted' && adjusted < 0) return 'it has no adjusted closes (Adj Close)';
  const timeOf: Reader<SaidTime | undefined> = (cells) =>
    timeIn(cells[day] ?? '', clock < 0 ? undefined : cells[clock]);
  const symbolOf: Reader<string | undefined> = (cells) =>
    symbol < 0 ? undefined : cells[symbol]?.trim().toUpperCase();
  const actionOf = actionReader(names, timeOf, symbolOf);
  const securityOf = (cells: Cells): Security | undefined =>
    SECURITIES.find((known) => known === cells[security]?.trim());
  const isUnneeded = (cells: Cells): boolean => {
    const name = symbolOf(cells);
    return name !== undefined && name !== '' && !wanted(name, securityOf(cells));
  };
  const barOf = (cells: Cells): SaidRow | string => {
    const time = timeOf(cells);
    if (!time) return `"${(cells[day] ?? '').slice(0, 40)}" is no time`;
    const [prices, other] = [main?.(cells) ?? 'it has no prices', sides ? asks(cells) : null];
    if (typeof prices === 'string') return prices;
    if (typeof other === 'string') return other;
    if (other && isCrossed(prices, other)) return 'a bid is above its ask';
    const said = securityOf(cells);
    if (security >= 0 && !said) return 'its security is unknown';
    const close = choice === 'adjusted' ? priceIn(cells[adjusted]) : prices.close;
    if (typeof close === 'string') return close;
    return {
      kind: 'bar',
      symbol: symbolOf(cells),
      security: said,
      time,
      prices: close === prices.close ? prices : scaled(prices, close),
      asks: other,
    };
  };
  return {
    hasHeader: true,
    name: adjusted >= 0 ? 'csv with adjusted closes' : sides ? 'csv of bids and asks' : 'csv',
    read: (cells) => {
      if (isUnneeded(cells)) return UNNEEDED;
      const said = kind < 0 ? '' : (cells[kind]?.trim().toLowerCase() ?? '');
      return said === '' || said === 'bar' ? barOf(cells) : actionOf(said, cells);
    },
  };
}
