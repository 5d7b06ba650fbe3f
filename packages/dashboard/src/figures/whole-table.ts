/** What the service answers of a list at once. */
const PAGE = 100;
/** A cell with what ends it; one in quotes may have several lines. */
const CELL = /("(?:[^"]|"")*"|[^",\n]*)[,\n]/g;

/** Which part of a list is asked for. */
export interface Page {
  readonly limit: number;
  readonly cursor?: string;
}

/** The cells of a column of a table. */
function columnOf(table: string, name: string): string[] {
  const columns = table.slice(0, table.indexOf('\n')).split(',');
  const cells = [...table.matchAll(CELL)].map(([, cell = '']) => cell);
  return cells.filter((_, at) => columns[at % columns.length] === name).slice(1);
}

/**
 * All pages of a list as one table: the service answers a hundred records at once, and a file of a part looks whole. `id` names
 * the column of the records' own ids; a table without one is no list, and is asked for once.
 */
export async function wholeTable(
  ask: (page: Page) => Promise<string>,
  id: string | undefined,
): Promise<string> {
  let table = '';
  for (let cursor: string | undefined; ;) {
    const text = await ask({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    table += table === '' ? text : text.slice(text.indexOf('\n') + 1);
    const ids = id === undefined ? [] : columnOf(text, id);
    cursor = ids.at(-1);
    if (ids.length < PAGE || cursor === undefined) return table;
  }
}
