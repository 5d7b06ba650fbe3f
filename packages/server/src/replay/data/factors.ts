import { Refusal } from '@slipstream/domain';
import type { DataAction } from './bar.js';
import { sharesOf } from './action-rows.js';
import { namesOf } from './cells.js';
import type { Periods } from './periods.js';
import { allRows } from './table.js';
import { isDay } from './times.js';

interface Factors {
  readonly date: string;
  readonly price: number;
  readonly split: number;
  readonly reference: number;
  readonly file: string;
  readonly line: number;
}

const COLUMNS = ['symbol', 'date', 'price_factor', 'split_factor', 'reference_price'];
/** The places of a dividend: the factors have seven digits. */
const PLACES = 4;

/** What happened after the last day of `old`, whose factors `next` has no longer. */
function actionsBetween(
  symbol: string,
  old: Factors,
  next: Factors,
  periods: Periods,
): DataAction[] {
  const { file, line } = old;
  const action = { symbol, exDate: periods.dayAfter(old.date), file, line };
  const amount = (old.reference * (1 - old.price / next.price)).toFixed(PLACES);
  const shares = next.split === old.split ? undefined : sharesOf(next.split / old.split);
  const isDividend = next.price > old.price && Number(amount) > 0;
  // The reference price is of the old shares, so the dividend comes first.
  return [
    ...(isDividend ? [{ ...action, kind: 'dividend', amount } as const] : []),
    ...(shares
      ? [{ ...action, kind: 'split', newShares: shares[0], oldShares: shares[1] } as const]
      : []),
  ];
}

/**
 * Splits and dividends from factors: a row holds up to and including its date. A dividend is
 * reference_price x (1 - price_factor / the next one), to four places, because the factors have no more.
 */
export async function readFactors(file: string, periods: Periods): Promise<DataAction[]> {
  const bySymbol = new Map<string, Factors[]>();
  let at: readonly number[] | undefined;
  for (const { line, cells } of await allRows(file)) {
    if (!at) {
      const names = namesOf(cells);
      at = COLUMNS.map((column) => names.indexOf(column));
      if (at.includes(-1))
        throw new Refusal(
          'invalid_field',
          `${file}:${line}: its columns must be ${COLUMNS.join(', ')}`,
        );
      continue;
    }
    const [symbol = '', date = '', ...figures] = at.map((column) => cells[column]?.trim() ?? '');
    const [price = NaN, split = NaN, reference = NaN] = figures.map(Number);
    const isSound = isDay(date) && price > 0 && split > 0 && reference >= 0;
    if (!isSound)
      throw new Refusal(
        'invalid_field',
        `${file}:${line}: a date and three positive numbers are needed`,
      );
    const known = bySymbol.get(symbol.toUpperCase()) ?? [];
    known.push({ date, price, split, reference, file, line });
    bySymbol.set(symbol.toUpperCase(), known);
  }
  return [...bySymbol].flatMap(([symbol, rows]) => {
    rows.sort((one, other) => (one.date < other.date ? -1 : 1));
    return rows.flatMap((old, index) => {
      const next = rows[index + 1];
      return next ? actionsBetween(symbol, old, next, periods) : [];
    });
  });
}
