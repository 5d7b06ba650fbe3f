import { createClient } from '@slipstream/client';
import { type Operation, operations } from '@slipstream/wire';
import { parse } from 'csv-parse/sync';
import { csvOf } from '../../../dashboard/src/figures/csv.js';
import { wholeTable } from '../../../dashboard/src/figures/whole-table.js';
import { queryOf } from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';
import type { Question } from './asks.js';
import type { Fields, Person, World } from './world.js';

type Rows = readonly Fields[];

/** Says that two ways told otherwise. */
export type Differ = (what: string, told: unknown, expected: unknown) => void;

/** What REST answers; all pages of a list, in pieces of `limit`. */
export async function byRest(
  { server }: World,
  { token }: Person,
  { name, fields, id }: Question,
  limit = 100,
): Promise<unknown> {
  if (id === undefined) return server.ask(name, fields, token);
  const rows: Fields[] = [];
  for (let isMore = true; isMore;) {
    const last = rows.at(-1)?.[id];
    const page = { ...fields, limit, ...(last !== undefined && { cursor: last }) };
    const found = (await server.ask(name, page, token)) as unknown as Rows;
    rows.push(...found);
    isMore = found.length === limit;
  }
  return rows;
}

const words = (fields: Fields): string[] =>
  Object.entries(fields).map(([name, value]) =>
    Array.isArray(value) ? `${name}:=${JSON.stringify(value)}` : `${name}=${String(value)}`,
  );

/** A field as the cell of a table that a reader's program reads: text, and nothing for null. */
function cellOf(field: unknown): string {
  if (field === null || field === undefined) return '';
  const text = typeof field === 'object' ? JSON.stringify(field) : String(field);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : text.replace(/(^|;)(?=[=+\-@\t\r＝＋－＠])/g, "$1'");
}

/** Asks the same in every way there is, and compares with what REST told. */
export async function inEveryWay(
  world: World,
  person: Person,
  question: Question,
  told: unknown,
  differ: Differ,
): Promise<void> {
  const { server, roll } = world;
  const { name, fields, id } = question;
  const { token, agent } = person;
  const row: Operation = operations[name];
  const rows = told as Rows;
  const first = id === undefined ? told : rows.slice(0, 100);

  if (roll(6) === 0) {
    const client = createClient({ url: server.url, token });
    const method = client[name] as (request: object) => Promise<unknown>;
    differ('client', await method(fields), first);
  }
  if (agent.tools.has(name)) differ('agent', await agent.read(name, fields), first);
  if (roll(6) === 0) {
    const environment = { SLIPSTREAM_URL: server.url, SLIPSTREAM_TOKEN: token };
    const { out, complaints } = await runCommand(['call', name, ...words(fields)], environment);
    differ('command line', out === '' ? complaints : JSON.parse(out), first);
  }
  if (id !== undefined && rows.length > 0) {
    const limit = 1 + roll(Math.min(40, rows.length + 1));
    if (rows.length / limit < 20)
      differ(`pages of ${limit}`, await byRest(world, person, question, limit), told);
    if (rows.every((one) => one[id] !== undefined))
      differ('ids', new Set(rows.map((one) => one[id])).size, rows.length);
  }
  if (!row.csv || name === 'getStrategyStatistics') return;
  const tableFrom = async (page: object): Promise<string> =>
    (
      await server.call('GET', `/${name}`, {
        query: queryOf({ ...fields, ...page, format: 'csv' }),
        token,
      })
    ).text;
  const table = await wholeTable((page) => tableFrom(id === undefined ? {} : page), id);
  const [head, ...lines] = parse(table, { relax_column_count: true });
  differ(
    'cells of CSV',
    lines,
    rows.map((one) => (head ?? []).map((field) => cellOf(one[field]))),
  );
  for (const one of rows.slice(0, 1)) differ('columns of CSV', head, Object.keys(one));
  if (rows.length > 0) differ('a table of the dashboard', csvOf(rows), table);
}
