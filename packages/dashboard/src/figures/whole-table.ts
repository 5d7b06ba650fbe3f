/** What the service answers of a list at once. */
const PAGE = 100;
/** A line that begins with an id, as each record of a list does; rows of other tables begin with a time or a name. */
const RECORD = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}),/;

/** Which part of a list is asked for. */
export interface Page {
  readonly limit: number;
  readonly cursor?: string;
}

/** All pages of a list as one table: the service answers a hundred records at once, and a file of a part looks whole. */
export async function wholeTable(ask: (page: Page) => Promise<string>): Promise<string> {
  let table = '';
  for (let cursor: string | undefined; ;) {
    const text = await ask({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    table += table === '' ? text : text.slice(text.indexOf('\n') + 1);
    const ids = text.split('\n').flatMap((line) => RECORD.exec(line)?.[1] ?? []);
    cursor = ids.at(-1);
    if (ids.length < PAGE || cursor === undefined) return table;
  }
}
