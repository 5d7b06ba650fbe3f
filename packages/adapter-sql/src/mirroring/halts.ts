import { HALT_SCOPES, type HaltId, type HaltScope, type HaltTarget } from '@slipstream/domain';
import type { HaltStore } from '@slipstream/ports';
import { NEWEST, type Place } from '../storage/lists.js';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { haltColumns } from './columns.js';

const haltById = rowBy('halts', 'id');
const haltsOn = prepared<HaltTarget>()((param) =>
  build
    .selectFrom('halts')
    .selectAll()
    .where('scope', '=', param('scope'))
    .where('target', 'is not distinct from', param('target'))
    .orderBy('created_at')
    .orderBy('id'),
);
const haltsAfter = prepared<Place & { limit: number }>()((param) =>
  build
    .selectFrom('halts')
    .selectAll()
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(param('created_at'), param('id'))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
);
const countOf = prepared<{ scope: HaltScope }>()((param) =>
  build
    .selectFrom('halts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('scope', '=', param('scope')),
);
const saveHalt = upsert('halts', haltColumns, 'id');
const removeHalt = prepared<{ id: HaltId }>()((param) =>
  build.deleteFrom('halts').where('id', '=', param('id')),
);

async function countIn(session: Session, scope: HaltScope): Promise<number> {
  const known = session.records.get('halts', scope);
  if (known) return known.count;
  const count = (await session.row(countOf({ scope })))?.count ?? 0;
  session.records.read('halts', scope, { count });
  return count;
}

export const sqlHalts = (session: Session): HaltStore => ({
  find: (id) => session.find(haltById(id), haltColumns.load),
  on: async ({ scope, target }) =>
    (await countIn(session, scope)) === 0
      ? []
      : session.list(haltsOn({ scope, target }), haltColumns.load),
  list: async ({ limit, cursor }) => {
    const after = cursor === undefined ? NEWEST : await session.row(haltById(cursor));
    return after ? session.list(haltsAfter({ ...after, limit }), haltColumns.load) : [];
  },
  count: async () => {
    const counts = HALT_SCOPES.map(
      async (scope) => [scope, await countIn(session, scope)] as const,
    );
    return Object.fromEntries(await Promise.all(counts)) as Record<HaltScope, number>;
  },
  save: async (halt) => {
    session.write(saveHalt(halt));
    session.records.written('halts', halt.scope, undefined);
  },
  remove: async (id) => {
    session.write(removeHalt({ id }));
    for (const scope of HALT_SCOPES) session.records.written('halts', scope, undefined);
  },
});
