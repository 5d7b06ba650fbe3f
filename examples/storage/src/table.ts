import type { Page } from '@slipstream/ports';
import type { Records, State, TableName, Write } from './records.js';

/** The rows of one table, as a transaction sees them: with its own writes. */
export interface Table<Row> {
  get(key: string): Row | undefined;
  /** In the order in which they were first saved. */
  where(holds: (row: Row) => boolean): Row[];
  set(key: string, row: Row): void;
  /** Throws when the key is there: what is append-only is never written twice. */
  add(key: string, row: Row): void;
  delete(key: string): void;
}

export type Tables = { readonly [Name in TableName]: Table<Records[Name]> };

/** A key of several parts; none of them holds a space. */
export const keyOf = (...parts: readonly (string | number)[]): string => parts.join(' ');

/** The tables over a state; what is written goes into `writes` and shows in them at once. */
export function tablesOver(state: State, writes: Write[]): Tables {
  const own = new Map<TableName, Map<string, unknown>>();

  function table<Name extends TableName>(name: Name): Table<Records[Name]> {
    type Row = Records[Name];
    const rows = (): ReadonlyMap<string, Row> =>
      (own.get(name) ?? state.get(name) ?? new Map<string, Row>()) as ReadonlyMap<string, Row>;
    const write = (key: string, row: Row | null): void => {
      const copy = own.get(name) ?? new Map<string, unknown>(rows());
      own.set(name, copy);
      if (row === null) copy.delete(key);
      else copy.set(key, row);
      writes.push([name, key, row]);
    };
    return {
      get: (key) => rows().get(key),
      where: (holds) => [...rows().values()].filter(holds),
      set: write,
      add(key, row) {
        if (rows().has(key)) throw new Error(`${name} has ${key} already`);
        write(key, row);
      },
      delete: (key) => write(key, null),
    };
  }

  return new Proxy({} as Tables, { get: (_, name: TableName) => table(name) });
}

interface Made {
  readonly id: string;
  readonly createdAt: number;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => compare(one.id, other.id));

/** Oldest first, ties by id. */
export const oldestFirst = <Row extends Made>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => one.createdAt - other.createdAt || compare(one.id, other.id));

/** Newest first, ties by the later id. */
export const newestFirst = <Row extends Made>(rows: readonly Row[]): Row[] =>
  oldestFirst(rows).reverse();

/** Those at or before `now` by that time of theirs, longest past first, ties by id. */
export function dueBy<Row extends { readonly id: string }>(
  rows: readonly Row[],
  timeOf: (row: Row) => number | null,
  now: number,
  limit: number,
): Row[] {
  const due = rows.flatMap((row) => {
    const at = timeOf(row);
    return at !== null && at <= now ? [{ row, at }] : [];
  });
  return due
    .sort((one, other) => one.at - other.at || compare(one.row.id, other.row.id))
    .slice(0, limit)
    .map(({ row }) => row);
}

/**
 * A page of `all`. The cursor may be a row that is not among those that `holds` picks any more; one that was never in
 * the list answers nothing.
 */
export function pageOf<Row extends Made>(
  all: readonly Row[],
  { limit, cursor, from = -Infinity, to = Infinity }: Page,
  holds: (row: Row) => boolean = () => true,
): Row[] {
  const list = newestFirst(all);
  const at = cursor === undefined ? -1 : list.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && at < 0) return [];
  return list
    .slice(at + 1)
    .filter((row) => row.createdAt >= from && row.createdAt < to && holds(row))
    .slice(0, limit);
}
