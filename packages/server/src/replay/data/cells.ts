import { type Prices, impossible, priceIn } from './bar.js';

export type Cells = readonly string[];
export type Reader<Value> = (cells: Cells) => Value;

export const TIMES = ['timestamp', 'datetime', 'date', 'time', 'open_time', 'begins_at', 'at'];
export const CLOCKS = ['time_local', 'time'];
export const SYMBOLS = ['symbol', 'ticker', 'stock_id', 'name'];

export const namesOf = (header: Cells): string[] =>
  header.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );

/** For a refusal of a header that is one column because something else than commas separates its names; empty for any other. */
export function otherSeparator(header: Cells): string {
  const [only = '', ...more] = header;
  const used = more.length > 0 ? undefined : /[;\t|]/.exec(only)?.[0];
  return used === undefined
    ? ''
    : `: its columns must be separated by commas, not by ${JSON.stringify(used)}`;
}

/** The prices in the columns with the first of these prefixes that the file has. */
export function pricesReader(
  names: readonly string[],
  prefixes: readonly string[],
): Reader<Prices | string> | undefined {
  for (const prefix of prefixes) {
    const columns = (['open', 'high', 'low', 'close'] as const).map((name) =>
      names.indexOf(`${prefix}${name}`),
    );
    const [open = -1, high = -1, low = -1, close = -1] = columns;
    if (columns.includes(-1)) continue;
    return (cells) => {
      const read = {
        open: priceIn(cells[open]),
        high: priceIn(cells[high]),
        low: priceIn(cells[low]),
        close: priceIn(cells[close]),
      };
      const wrong = Object.values(read).find((price) => typeof price === 'string');
      if (wrong !== undefined) return String(wrong);
      const prices = read as Prices;
      return impossible(prices) ?? prices;
    };
  }
  return undefined;
}
