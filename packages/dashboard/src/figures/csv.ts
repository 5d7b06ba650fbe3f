const NUMBER = /^-?\d+(\.\d+)?$/;
/** What spreadsheets take for a formula, also in the wide forms of the letters. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A field of a record as a cell, by the rules of the service's own tables: nothing is empty, a list is JSON. */
function cellOf(field: unknown): string {
  if (field === null || field === undefined) return '';
  const text = typeof field === 'string' ? field : JSON.stringify(field);
  // A text of strangers is never computed; the figures of the service stay as they are.
  const guarded = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Records as the text of a table; the names of their fields are its header. */
export function csvOf(records: readonly Readonly<Record<string, unknown>>[]): string {
  const names = [...new Set(records.flatMap((one) => Object.keys(one)))];
  const lines = [names, ...records.map((one) => names.map((name) => one[name]))];
  return lines.map((line) => `${line.map(cellOf).join(',')}\n`).join('');
}
