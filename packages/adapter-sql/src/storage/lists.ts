import type { SelectQueryBuilder } from 'kysely';
import type { Answer } from './answer.js';
import type { Database } from './database.js';
import { type Query, buildAny, prepared } from './queries.js';

/** At most that many parameters in one query: SQLite takes 32,766. */
const CHUNK = 500;

/** `ids`, each once, in pieces that fit into a query. */
export function chunks<Id>(ids: readonly Id[]): Id[][] {
  const unique = [...new Set(ids)];
  return Array.from({ length: Math.ceil(unique.length / CHUNK) }, (_, n) =>
    unique.slice(n * CHUNK, (n + 1) * CHUNK),
  );
}

/** The rows of all `ids`, asked for in such pieces. */
export async function inChunks<Id, Row>(
  ids: readonly Id[],
  read: (some: Id[]) => Answer<Row[]>,
): Promise<Row[]> {
  return (await Promise.all(chunks(ids).map(async (some) => read(some)))).flat();
}

/** The items in the order of `ids`, each once. */
export function inOrderOf<Id, Item extends { readonly id: Id }>(
  ids: readonly Id[],
  items: readonly Item[],
): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** The place where a page starts: after this moment and id, newest first. */
export interface Place {
  readonly created_at: number;
  readonly id: string;
}

/** Before everything. */
export const NEWEST: Place = { created_at: Number.MAX_SAFE_INTEGER, id: '' };

/** The place after which a list of what was made before `to` goes on. */
export const placeBefore = (after: Place, to = NEWEST.created_at): Place =>
  to <= after.created_at ? { created_at: to, id: '' } : after;

/** Newest first, ties by the later id. */
export const byNewest = (
  first: { readonly createdAt: number; readonly id: string },
  second: { readonly createdAt: number; readonly id: string },
): number => second.createdAt - first.createdAt || (first.id < second.id ? 1 : -1);

interface Due {
  readonly now: number;
  readonly limit: number;
}

type AnyRows = SelectQueryBuilder<Record<string, Record<string, unknown>>, string, object>;

const due = (rows: AnyRows, column: string, key: string) =>
  prepared<Due>()((param) =>
    rows.where(column, '<=', param('now')).orderBy(column).orderBy(key).limit(param('limit')),
  );

/** The rows whose moment in that column is at or before `now`: the earliest first, ties by id. */
export const dueRows = <Table extends keyof Database>(
  table: Table,
  column: keyof Database[Table] & string,
): ((asked: Due) => Query<Database[Table]>) =>
  due(buildAny.selectFrom<string>(table).selectAll(), column, 'id') as never;

/** The keys of such rows, ties by the key. */
export const dueKeys = <Table extends keyof Database, Key extends keyof Database[Table] & string>(
  table: Table,
  column: keyof Database[Table] & string,
  key: Key,
): ((asked: Due) => Query<Pick<Database[Table], Key>>) =>
  due(buildAny.selectFrom<string>(table).select(key), column, key) as never;
