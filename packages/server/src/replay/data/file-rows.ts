import { Refusal } from '@slipstream/domain';
import { alpacaBars } from './alpaca-bars.js';
import { klinesFormat } from './klines.js';
import { parquetRows } from './parquet.js';
import type { PriceChoice, RowFormat, SaidRow, Wanted } from './rows.js';
import { tableFormat } from './table-format.js';
import { type TableRow, tableRows, unzippedText } from './table.js';

/** A row with its line in the file; a text says why it cannot be used. */
export interface NumberedRow {
  readonly line: number;
  readonly said: SaidRow | string;
}

/** How files are read. */
export interface Reading {
  readonly choice: PriceChoice;
  readonly wanted: Wanted;
}

/** The facts of a format that a reader needs beside the rows. */
export type FoundFormat = Pick<RowFormat, 'name' | 'barTime'>;

/** The rows of a file in any of the formats, and the format as soon as the first is read. */
export async function* rowsOf(
  file: string,
  { choice, wanted }: Reading,
  found: (format: FoundFormat) => void,
): AsyncGenerator<Iterable<NumberedRow>> {
  if (/\.json(\.gz)?$/i.test(file)) {
    found({ name: 'alpaca bars', barTime: 'start' });
    yield alpacaBars(file, await unzippedText(file));
    return;
  }
  let format: RowFormat | undefined;
  let columns = 0;
  const isParquet = /\.parquet$/i.test(file);
  for await (const rows of isParquet ? parquetRows(file) : tableRows(file)) {
    const [first] = rows;
    if (!first) continue;
    const isFirst = format === undefined;
    format ??= formatOf(file, first, { choice, wanted });
    if (isFirst) {
      columns = first.cells.length;
      found(format);
    }
    const { read, hasHeader } = format;
    yield (isFirst && hasHeader ? rows.slice(1) : rows).map(({ line, cells }) => ({
      line,
      said: cells.length < columns ? 'the line is cut short' : read(cells),
    }));
  }
  if (!format) throw new Refusal('invalid_field', `${file} is empty`);
}

function formatOf(file: string, { line, cells }: TableRow, { choice, wanted }: Reading): RowFormat {
  const format = klinesFormat(cells) ?? tableFormat(cells, choice, wanted);
  if (typeof format === 'string') throw new Refusal('invalid_field', `${file}:${line}: ${format}`);
  return format;
}
