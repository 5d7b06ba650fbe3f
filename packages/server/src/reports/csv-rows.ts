import { Refusal } from '@slipstream/domain';
import { CsvError, parse } from 'csv-parse/sync';

/** A row of a table by its columns, and the line of the file that it ends in. */
export interface CsvRow<Column extends string> {
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
}

/** The rows of a small table; `columnsOf` names its columns by its first line. A text that is no CSV is refused with its file. */
export function csvRows<Column extends string>(
  file: string,
  text: string,
  columnsOf: (names: string[]) => string[],
): CsvRow<Column>[] {
  let isEmpty = true;
  const columns = (names: string[]): string[] => {
    isEmpty = false;
    return columnsOf(names);
  };
  try {
    const options = { bom: true, trim: true, skip_empty_lines: true, info: true, columns } as const;
    const rows = parse(text, options) as unknown as {
      readonly record: CsvRow<Column>['cells'];
      readonly info: { readonly lines: number };
    }[];
    if (isEmpty) throw new Refusal('invalid_field', `${file} is empty`);
    return rows.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    if (error instanceof CsvError) throw new Refusal('invalid_field', `${file}: ${error.message}`);
    throw error;
  }
}
