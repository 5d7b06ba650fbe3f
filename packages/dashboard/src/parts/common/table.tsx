import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Meaning } from '../../figures/meanings.js';
import { Note, Scroll } from './panel.js';
import { ShownMeaning, useMeanings } from './meanings.js';

/** The fields of a row in the table's file: the service's own names and texts. */
export type RecordOf<Row> = (row: Row) => Readonly<Record<string, unknown>>;

/** A button that saves the rows of a table. */
export function TableFile(props: {
  readonly label: string;
  readonly records: () => readonly Readonly<Record<string, unknown>>[];
}) {
  const [isFailed, setFailed] = useState(false);
  const keep = (): void =>
    void import('./save-table.js')
      .then(({ saveTable }) => saveTable(props.label, props.records()))
      .then(
        () => setFailed(false),
        () => setFailed(true),
      );
  return (
    <div class="row">
      <button type="button" class="plain small" onClick={keep}>
        {props.label} as CSV
      </button>
      {isFailed && <Note tone="bad">The file was not made. Reload the page.</Note>}
    </div>
  );
}

/** A column of a table. */
export interface Column<Row> {
  readonly name: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Left out where the screen is narrow. */
  readonly isWide?: boolean;
  /** Further classes of its cells. */
  readonly class?: string;
  /** What its cells mean; null where they are buttons, or another column says it. */
  readonly what: Meaning | null;
}

const classOf = <Row,>({ isNumber, isWide, class: more }: Column<Row>, isHead: boolean): string =>
  [isNumber && 'number', isWide && 'wide', !isHead && more].filter(Boolean).join(' ');

/** Rows with a heading over each column; without rows a sentence. The table scrolls sideways by itself. */
export function Table<Row>(props: {
  readonly label: string;
  /** Columns that are not there now may be false. */
  readonly columns: readonly (Column<Row> | false)[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What there is instead of rows. */
  readonly empty: ComponentChildren;
  /** Rows below, of another shape. */
  readonly foot?: ComponentChildren;
  /** What a row is in the table's file; null where the service makes the file, with every row. */
  readonly record: RecordOf<Row> | null;
  readonly class?: string;
}) {
  const { label, rows, keyOf, empty, foot, record } = props;
  const columns = props.columns.filter((column) => column !== false);
  const { named, shown } = useMeanings();
  if (rows.length === 0) return <div class="quiet">{empty}</div>;
  return (
    <>
      <Scroll label={label}>
        <table class={props.class}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={index} scope="col" class={classOf(column, true)}>
                  {named(column.what, column.name, column.name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map((column, index) => (
                  <td key={index} class={classOf(column, false)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
            {foot}
          </tbody>
        </table>
      </Scroll>
      <ShownMeaning shown={shown} />
      {record && <TableFile label={label} records={() => rows.map(record)} />}
    </>
  );
}

/** A heading that only readers of the screen need. */
export const Unseen = (props: { readonly children: ComponentChildren }) => (
  <span class="hidden">{props.children}</span>
);
