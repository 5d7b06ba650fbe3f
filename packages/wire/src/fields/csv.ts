import { stringify } from 'csv-stringify/sync';
import type { z } from 'zod';
import type { Operation } from '../operations/operation.js';
import { cursor, limit, momentOrDay, oneOf } from './lists.js';

/** The form of an answer: a record in the envelope, or a table of its own. */
export const format = oneOf(['json', 'csv']).meta({
  description: 'csv: a table as text/csv, without the envelope; json without it.',
});

/** The request of rows that also answer tables. */
const isForCsv = (request: unknown): boolean =>
  typeof request === 'object' &&
  request !== null &&
  'format' in request &&
  request.format === 'csv';

const CSV = 'text/csv; charset=utf-8';

/** The type of the file that answers the request; undefined where the answer is in the envelope. */
export const fileType = (
  { csv, file }: Pick<Operation, 'csv' | 'file'>,
  request: unknown,
): string | undefined => (csv !== undefined && isForCsv(request) ? CSV : file);

/** A cell of a table; null is an empty one. */
export type Cell = string | number | boolean | null;

const NUMBER = /^-?\d+(\.\d+)?$/;
/**
 * Where a spreadsheet takes what follows for a formula, also in the wide forms of its signs: at the beginning of a text, and after a
 * semicolon, which divides cells where the comma is the decimal sign, whatever quotes there are.
 */
const FORMULA = /(^|;)(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** An apostrophe keeps spreadsheets from computing a text; numbers stay as they are. */
const guarded = (text: string): string => (NUMBER.test(text) ? text : text.replace(FORMULA, "$1'"));

/** The lines of a table, each with its end; the first one is the header. */
export const csvText = (lines: readonly (readonly Cell[])[]): string =>
  stringify([...lines], { cast: { boolean: String, string: guarded } });

/** The fields of a list that is read page by page, of a span of time, or as a table. */
export const listFields = {
  from: momentOrDay('start').optional().meta({
    description: 'Only what was made then or later: a time, or a day (UTC) for its start.',
  }),
  to: momentOrDay('end').optional().meta({
    description: 'Only what was made before: a time, or a day (UTC) for its end.',
  }),
  limit: limit.optional(),
  cursor: cursor.optional(),
  format: format.optional(),
};

/** A field of a record as a cell; lists and objects as JSON. */
const cellOf = (field: unknown): Cell =>
  field === undefined || field === null
    ? null
    : typeof field === 'object'
      ? JSON.stringify(field)
      : (field as Cell);

/** Presents a list as a table with the fields of their schema. */
export const tableOf =
  <Item>(resource: z.ZodObject, present: (item: Item) => Readonly<Record<string, unknown>>) =>
  (items: readonly Item[]): string =>
    recordsTable(resource, items.map(present));

/** Records as a table with the fields of their schema. */
export const recordsTable = (
  { shape }: z.ZodObject,
  records: readonly Readonly<Record<string, unknown>>[],
): string => {
  const names = Object.keys(shape);
  return csvText([names, ...records.map((one) => names.map((name) => cellOf(one[name])))]);
};
