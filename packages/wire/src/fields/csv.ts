import { oneOf } from './lists.js';

/** The form of an answer: a record in the envelope, or a table of its own. */
export const format = oneOf(['json', 'csv']).meta({
  description: 'csv: a table as text/csv, without the envelope; json without it.',
});

/** The request of rows that also answer tables. */
export const isForCsv = (request: unknown): boolean =>
  typeof request === 'object' &&
  request !== null &&
  'format' in request &&
  request.format === 'csv';

type Cell = string | number | boolean | null;

const SPECIAL = /[",\r\n]/;
const written = (cell: Cell): string => {
  const text = cell === null ? '' : String(cell);
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A table with its header (RFC 4180); null is an empty cell. */
export const csvText = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map((cells) => `${cells.map(written).join(',')}\r\n`).join('');
