import type { ComponentChildren, JSX } from 'preact';

/** A column of a table: its heading, and the cell of a row. */
export interface Column<Row> {
  readonly title: string;
  /** `number`: aligned to the right; `name`: the heading of the row; `date`: never broken; `note`: small. */
  readonly kind?: 'number' | 'name' | 'date' | 'note';
  readonly cell: (row: Row) => ComponentChildren;
  /** Of a gain or a loss. */
  readonly tone?: (row: Row) => string | undefined;
}

interface TableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly caption?: string;
  /** Smaller, for numbers with all their digits. */
  readonly isExact?: boolean;
}

const Cell = <Row,>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) => {
  const { kind, cell, tone } = column;
  if (kind === 'name') return <th scope="row">{cell(row)}</th>;
  const classes = [kind === 'note' ? 'quiet' : kind, tone?.(row)].filter(Boolean).join(' ');
  return <td class={classes || undefined}>{cell(row)}</td>;
};

/** A table that scrolls by itself where the page is narrower. */
export const Table = <Row,>({
  columns,
  rows,
  caption,
  isExact = false,
}: TableProps<Row>): JSX.Element => (
  <div class={isExact ? 'wide exact' : 'wide'}>
    <table>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ title, kind }) => (
            <th scope="col" class={kind === 'number' ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column) => (
              <Cell column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
