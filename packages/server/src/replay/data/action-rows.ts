import type { Cells, Reader } from './cells.js';
import type { SaidRow } from './rows.js';
import type { SaidTime } from './times.js';

/** Reads the rows of a split or a dividend. */
export function actionReader(
  names: readonly string[],
  timeOf: Reader<SaidTime | undefined>,
  symbolOf: Reader<string | undefined>,
) {
  const at = (name: string): number => names.indexOf(name);
  const [amount, newShares, oldShares, ratio] = [
    at('amount'),
    at('new_shares'),
    at('old_shares'),
    at('ratio'),
  ];
  return (kind: string, cells: Cells): SaidRow | string => {
    const time = timeOf(cells);
    if (time?.kind !== 'day') return `a ${kind} needs a date like 2024-06-10`;
    const action = { symbol: symbolOf(cells), date: time.date };
    if (kind === 'dividend' || kind === 'cash_dividend') {
      const text = cells[amount]?.trim() ?? '';
      return /^\+?(?=\.?\d)\d{0,9}(\.\d{1,9})?$/.test(text) && Number(text) > 0
        ? { kind: 'dividend', ...action, amount: text.replace('+', '') }
        : `"${text.slice(0, 40)}" is no amount of a dividend`;
    }
    if (kind !== 'split') return `"${kind.slice(0, 40)}" is no kind of row: bar, split or dividend`;
    const shares =
      ratio >= 0 && cells[ratio] !== undefined && cells[ratio] !== ''
        ? sharesOf(Number(cells[ratio]))
        : ([Number(cells[newShares]), Number(cells[oldShares])] as const);
    const isWhole = shares?.every((one) => Number.isInteger(one) && one >= 1 && one <= 1_000_000);
    return shares && isWhole && shares[0] !== shares[1]
      ? { kind: 'split', ...action, newShares: shares[0], oldShares: shares[1] }
      : 'a split needs new_shares and old_shares, whole numbers';
  };
}

/** The smallest whole numbers with that ratio, within the six digits of common files. */
export function sharesOf(
  ratio: number,
): readonly [newShares: number, oldShares: number] | undefined {
  for (let old = 1; old <= 1_000; old += 1) {
    const shares = Math.round(ratio * old);
    if (shares >= 1 && Math.abs(shares / old / ratio - 1) < 5e-5) return [shares, old];
  }
  return undefined;
}
