import type { Page } from '@slipstream/ports';
import { buildAny, prepared } from './queries.js';
import type { Session } from './session.js';
import { NEWEST, type Place, placeBefore } from './lists.js';
import type { Database } from './database.js';

/**
 * Reads pages of a table, newest first: the rows with the given columns. The first column names their owner: a cursor to a
 * row of another owner returns nothing.
 */
export function pages<
  Table extends keyof Database,
  Entity,
  Column extends keyof Database[Table] & string,
>(table: Table, load: (row: Database[Table]) => Entity, ...columns: [Column, ...Column[]]) {
  const rows = buildAny.selectFrom<string>(table);
  const all: readonly [string, ...string[]] = columns;
  const placeOf = prepared<Record<string, unknown>>()((param) =>
    rows
      .select(['created_at', 'id'])
      .where('id', '=', param('cursor'))
      .where(all[0], '=', param(all[0])),
  );
  const pageAfter = prepared<Record<string, unknown>>()((param) =>
    all
      .reduce((found, column) => found.where(column, '=', param(column)), rows.selectAll())
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(param('created_at'), param('id'))),
      )
      .where('created_at', '>=', param('from'))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(param('limit') as number),
  );
  return async (
    session: Session,
    asked: Readonly<Record<Column, string>>,
    { limit, cursor, from = 0, to }: Page,
  ): Promise<Entity[]> => {
    const after =
      cursor === undefined
        ? NEWEST
        : ((await session.row(placeOf({ cursor, ...asked }))) as Place | undefined);
    if (!after) return [];
    const place = { from, ...placeBefore(after, to) };
    const found = (await session.rows(
      pageAfter({ limit, ...place, ...asked }),
    )) as Database[Table][];
    return found.map(load);
  };
}
