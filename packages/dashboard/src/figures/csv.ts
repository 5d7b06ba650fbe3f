const NUMBER = /^-?\d+(\.\d+)?$/;
/** Where spreadsheets take what follows for a formula: at the beginning, and after a semicolon, which may divide cells. */
const FORMULA = /(^|;)(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** A field of a record as a cell, by the rules of the service's own tables: nothing is empty, a list is JSON. */
function cellOf(field: unknown): string {
  if (field === null || field === undefined) return '';
  const text = typeof field === 'string' ? field : JSON.stringify(field);
  // A text of strangers is never computed; the figures of the service stay as they are.
  const guarded = NUMBER.test(text) ? text : text.replace(FORMULA, "$1'");
  return /[",\n\r]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Records as the text of a table; the names of their fields are its header. */
export function csvOf(records: readonly Readonly<Record<string, unknown>>[]): string {
  const names = [...new Set(records.flatMap((one) => Object.keys(one)))];
  const lines = [names, ...records.map((one) => names.map((name) => one[name]))];
  return lines.map((line) => `${line.map(cellOf).join(',')}\n`).join('');
}
