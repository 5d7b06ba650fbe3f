import type { ComponentChildren } from 'preact';
import { Scroll } from './panel.js';

/** A column of a table. */
export interface Column<Row> {
  readonly name: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Left out where the screen is narrow. */
  readonly isWide?: boolean;
  /** Further classes of its cells. */
  readonly class?: string;
  /** The definition of its figures, shown on hover. */
  readonly what?: string;
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
  readonly class?: string;
}) {
  const { label, rows, keyOf, empty, foot } = props;
  const columns = props.columns.filter((column) => column !== false);
  if (rows.length === 0) return <div class="quiet">{empty}</div>;
  return (
    <Scroll label={label}>
      <table class={props.class}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" class={classOf(column, true)} title={column.what}>
                {column.name}
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
  );
}

/** A heading that only readers of the screen need. */
export const Unseen = (props: { readonly children: ComponentChildren }) => (
  <span class="hidden">{props.children}</span>
);
