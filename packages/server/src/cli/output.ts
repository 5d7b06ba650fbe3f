import CliTable from 'cli-table3';

/** A text whose commands to a terminal, which others may have written, are shown as JSON may write them: JSON stays what it was. */
const printable = (text: string): string =>
  text.replace(
    /[^\P{Cc}\n\t]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Prints the result, for programs and people. All other messages go to standard error. */
export const print = (text: string): void => void process.stdout.write(`${printable(text)}\n`);
export const printError = (text: string): void => void process.stderr.write(`${printable(text)}\n`);

/**
 * From now on it is no failure that whoever read the output has left, as `head` does, nor that a message cannot be written (a full
 * disk): it is lost, and a server goes on. A result that cannot be written is said, and makes the exit code 1.
 */
export function outliveReaders(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    printError(`The output could not be written: ${error.message}`);
  });
}

/** The cells of a row, by their headings. Null is shown as a dash. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

const ANSI_FREE = { head: [], border: [], compact: true };
// oxfmt-ignore
const NO_LINES = {
  'top': '', 'top-mid': '', 'top-left': '', 'top-right': '', 'bottom': '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '',
  'left': '', 'left-mid': '', 'mid': '', 'mid-mid': '', 'right': '', 'right-mid': '', 'middle': '  ',
};

/** Escape sequences and line breaks in other users' texts must not reach a terminal. */
const harmless = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?%?$/.test(text);

/** Rows under headings; numbers are aligned to the right. */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const cells = rows.map((row) =>
    Object.values(columns).map((cell) => harmless(String(cell(row) ?? '-'))),
  );
  const colAligns = Object.keys(columns).map((_, index) =>
    cells.length > 0 && cells.every((row) => isNumber(row[index] ?? '') || row[index] === '-')
      ? ('right' as const)
      : ('left' as const),
  );
  const lines = new CliTable({
    head: Object.keys(columns),
    colAligns,
    chars: NO_LINES,
    style: { ...ANSI_FREE, 'padding-left': 0, 'padding-right': 0 },
  });
  lines.push(...cells);
  return lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Shows progress in a line that a terminal overwrites; prints nothing into a file. */
export function progress(what: string, done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r${what} ${done} of ${total}${done >= total ? '\n' : ''}`);
}
