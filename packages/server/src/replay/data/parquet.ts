import { Refusal } from '@slipstream/domain';
import type * as hyparquet from 'hyparquet';
import type { TableRow } from './table.js';

type Reader = typeof hyparquet;
type Column = Awaited<ReturnType<Reader['parquetMetadataAsync']>>['schema'][number];

const PACKAGE = 'hyparquet';
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

/** The reader is an optional package: who has no such files needs it not. */
async function readerFor(file: string): Promise<Reader> {
  try {
    return await import('hyparquet');
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Refusal(
      'invalid_field',
      `${file} needs the package ${PACKAGE}, which is not installed: npm install ${PACKAGE}`,
    );
  }
}

const [FEWEST_DIGITS, MOST_DIGITS] = [6, 9];

/** The shortest text of a number of four bytes, which has other digits as a double. */
function shortest(value: number): string {
  for (let digits = FEWEST_DIGITS; digits < MOST_DIGITS; digits += 1) {
    const near = Number(value.toPrecision(digits));
    if (Math.fround(near) === value) return String(near);
  }
  return String(value);
}

/** A time as the file says it: a day, a moment, or a clock's time of a zone that it does not name. */
function timeText(
  value: Date,
  { logical_type: logical, converted_type: converted }: Column,
): string {
  const text = value.toISOString();
  if (logical?.type === 'DATE' || converted === 'DATE') return text.slice(0, 10);
  return logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC ? text.slice(0, -1) : text;
}

function cellOf(value: unknown, column: Column): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return timeText(value, column);
  if (typeof value === 'number') return column.type === 'FLOAT' ? shortest(value) : String(value);
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : 'no price';
}

/**
 * The rows of a Parquet file as those of a table, its column names first; a row's number stands for its line. A row group is in memory
 * at once.
 */
export async function* parquetRows(file: string): AsyncGenerator<readonly TableRow[]> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await readerFor(file);
  try {
    const bytes = await asyncBufferFromFile(file);
    const metadata = await parquetMetadataAsync(bytes);
    const columns = metadata.schema.filter(({ type }) => type !== undefined);
    yield [{ line: 0, cells: columns.map(({ name }) => name) }];
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      let rows: readonly unknown[][] = [];
      await parquetRead({
        ...{ file: bytes, metadata, rowStart, rowEnd },
        onComplete: (read: unknown[][]) => (rows = read),
      });
      const first = rowStart + 1;
      yield rows.map((cells, index) => ({
        line: first + index,
        cells: columns.map((column, place) => cellOf(cells[place], column)),
      }));
      rowStart = rowEnd;
    }
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof Error)) throw error;
    throw new Refusal('invalid_field', `${file} cannot be read (${error.message})`);
  }
}
