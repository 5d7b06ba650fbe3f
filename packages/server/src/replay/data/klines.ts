import { type Cells, namesOf, pricesReader } from './cells.js';
import type { RowFormat } from './rows.js';
import { timeIn } from './times.js';

const KLINE_COLUMNS = 12;

const KLINES = ['open_time', 'open', 'high', 'low', 'close', 'volume', 'close_time'];

/** Binance klines: 12 columns, with or without a header; times in milliseconds or microseconds. */
export function klinesFormat(first: Cells): RowFormat | undefined {
  if (first.length !== KLINE_COLUMNS) return undefined;
  const names = namesOf(first);
  const hasHeader = names[0] === 'open_time' && names[6] === 'close_time';
  const hasTimes = [0, 6].every((column) => /^\d{13}(\d{3})?$/.test(first[column]?.trim() ?? ''));
  if (!hasHeader && !hasTimes) return undefined;
  const pricesOf = pricesReader(KLINES, ['']);
  return {
    name: 'binance klines',
    barTime: 'start',
    hasHeader,
    read: (cells) => {
      const [time, end] = [timeIn(cells[0] ?? ''), timeIn(cells[6] ?? '')];
      if (time?.kind !== 'moment' || end?.kind !== 'moment')
        return `"${(cells[0] ?? '').slice(0, 40)}" is no time`;
      const prices = pricesOf?.(cells) ?? 'it has no prices';
      if (typeof prices === 'string') return prices;
      const row = { kind: 'bar', symbol: undefined, security: undefined } as const;
      return { ...row, time, endsAt: end.at + 1, prices, asks: null };
    },
  };
}
