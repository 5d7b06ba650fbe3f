import { type Connection, LOG_PAGES } from '../storage/connection.js';
import type { OwnWrite } from './own-writes.js';

/** The writes of a transaction, as they go to another thread: a few long lists are copied faster than many objects. */
export interface Batch {
  /** How many pages fill the log. */
  readonly pages: number;
  readonly statements: readonly string[];
  /** For each write the place of its statement, how many rows it must change (or -1), and how many parameters it has. */
  readonly shapes: readonly number[];
  readonly parameters: readonly unknown[];
}

/** `refused`: nothing of the batch is there. `lost`: it was written, and the disk did not say that it kept it. */
export type BatchEnd = 'durable' | 'refused' | 'lost';

interface Write {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly changes: number | undefined;
}

const ANY = -1;

export function batchOf(writes: readonly OwnWrite[], pages = LOG_PAGES): Batch {
  const places = new Map<string, number>();
  const [shapes, parameters]: [number[], unknown[]] = [[], []];
  for (const [query, changes = ANY] of writes) {
    const place = places.get(query.sql) ?? places.size;
    places.set(query.sql, place);
    shapes.push(place, changes, query.parameters.length);
    for (const parameter of query.parameters) parameters.push(parameter);
  }
  return { pages, statements: [...places.keys()], shapes, parameters };
}

/** Makes a batch as one transaction. False when nothing of it is there. */
export function makeBatch({ handle, statement }: Connection, batch: Batch): boolean {
  try {
    statement('BEGIN IMMEDIATE').run();
    for (const { sql, parameters, changes } of writesOf(batch)) {
      const changed = statement(sql).run(parameters).changes;
      if (changes !== undefined && changed !== changes) throw new Error('a row was changed');
    }
    statement('COMMIT').run();
    return true;
  } catch {
    if (handle.inTransaction) statement('ROLLBACK').run();
    return false;
  }
}

/** The writes of a batch in their order. */
function* writesOf({ statements, shapes, parameters }: Batch): Iterable<Write> {
  let from = 0;
  for (let at = 0; at < shapes.length; at += 3) {
    const [place, changes, count] = shapes.slice(at, at + 3) as [number, number, number];
    yield {
      sql: statements[place] as string,
      parameters: parameters.slice(from, from + count),
      changes: changes === ANY ? undefined : changes,
    };
    from += count;
  }
}
