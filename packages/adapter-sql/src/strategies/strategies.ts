import type { Strategy, StrategyId, UserId } from '@slipstream/domain';
import type { StrategyStore } from '@slipstream/ports';
import type { Answer } from '../storage/answer.js';
import { build, once, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { NEWEST, type Place, inChunks, inOrderOf, dueRows } from '../storage/lists.js';
import { strategyColumns } from './columns.js';

const strategyById = rowBy('strategies', 'id');
const strategiesById = (ids: readonly StrategyId[]) =>
  build.selectFrom('strategies').selectAll().where('id', 'in', ids);
const liveStrategies = prepared<object>()(() =>
  build.selectFrom('strategies').selectAll().where('deleted_at', 'is', null).orderBy('id'),
);
const strategiesBelowZero = prepared<object>()(() =>
  build
    .selectFrom('strategies')
    .selectAll()
    .where(({ eb, or }) => or([eb('below_zero_for', '>', 0), eb('ended_at', 'is not', null)]))
    .where('deleted_at', 'is', null)
    .orderBy('id'),
);
const strategiesEnding = prepared<object>()(() =>
  build.selectFrom('strategies').selectAll().where('end_under_way', 'is not', null).orderBy('id'),
);
const strategiesOpening = prepared<object>()(() =>
  build
    .selectFrom('strategies')
    .selectAll()
    .where('segment_opening', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('id'),
);
const strategiesDue = dueRows('strategies', 'alert_due_at');
const placeOfOwn = prepared<{ userId: UserId; cursor: string }>()((param) =>
  build
    .selectFrom('strategies')
    .select(['created_at', 'id'])
    .where('id', '=', param('cursor'))
    .where('user_id', '=', param('userId')),
);
const ownAfter = prepared<{ userId: UserId; limit: number } & Place>()((param) =>
  build
    .selectFrom('strategies')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .where('deleted_at', 'is', null)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(param('created_at'), param('id'))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
);
const saveStrategy = upsert('strategies', strategyColumns, 'id');

/** From memory when it is there. */
const findStrategy = (session: Session, id: StrategyId): Answer<Strategy | undefined> =>
  session.records.get('strategies', id) ?? loadStrategy(session, id);

async function loadStrategy(session: Session, id: StrategyId): Promise<Strategy | undefined> {
  const row = await session.row(strategyById(id));
  if (!row) return undefined;
  const strategy = strategyColumns.load(row);
  session.records.read('strategies', id, strategy);
  return strategy;
}

export const sqlStrategies = (session: Session): StrategyStore => ({
  find: async (id) => findStrategy(session, id),
  list: async (strategyIds) => {
    const found = strategyIds.map((id) => session.records.get('strategies', id));
    const unknown = strategyIds.filter((_, at) => !found[at]);
    const rows = await inChunks(unknown, (ids) => session.rows(once(strategiesById(ids))));
    const read = rows.map(strategyColumns.load);
    for (const strategy of read) session.records.read('strategies', strategy.id, strategy);
    return inOrderOf(strategyIds, [...found.filter((strategy) => strategy !== undefined), ...read]);
  },
  ownedBy: async (userId, page) => {
    const { limit, cursor } = page;
    const after = cursor === undefined ? NEWEST : await session.row(placeOfOwn({ userId, cursor }));
    if (!after) return [];
    const found = await session.list(ownAfter({ userId, limit, ...after }), strategyColumns.load);
    for (const strategy of found) session.records.read('strategies', strategy.id, strategy);
    return found;
  },
  live: () => session.list(liveStrategies({}), strategyColumns.load),
  belowZero: () => session.list(strategiesBelowZero({}), strategyColumns.load),
  endsUnderWay: () => session.list(strategiesEnding({}), strategyColumns.load),
  segmentsOpening: () => session.list(strategiesOpening({}), strategyColumns.load),
  alertsDue: (now, limit) => session.list(strategiesDue({ now, limit }), strategyColumns.load),
  save: async (strategy) => {
    session.write(saveStrategy(strategy));
    session.records.written('strategies', strategy.id, strategy);
  },
});
