import type { Strategy, StrategyId } from '@slipstream/domain';
import type { StrategyStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../queries.js';
import type { Session } from '../session.js';
import { strategyColumns } from '../tables.js';

const strategyById = prepared<{ id: StrategyId }>()((slot) =>
  build.selectFrom('strategies').selectAll().where('id', '=', slot('id')),
);
const liveStrategies = prepared<object>()(() =>
  build.selectFrom('strategies').selectAll().where('deleted_at', 'is', null).orderBy('id'),
);
const saveStrategy = upsert('strategies', strategyColumns, 'id');

/** From memory when it is there. */
function findStrategy(session: Session, id: StrategyId): Strategy | undefined {
  const known = session.records.get('strategies', id);
  if (known) return known;
  const row = session.row(strategyById({ id }));
  if (!row) return undefined;
  const strategy = strategyColumns.load(row);
  session.records.read('strategies', id, strategy);
  return strategy;
}

export const sqlStrategies = (session: Session): StrategyStore => ({
  find: async (id) => findStrategy(session, id),
  list: async (strategyIds) =>
    [...new Set(strategyIds)].flatMap((id) => findStrategy(session, id) ?? []),
  live: async () => session.rows(liveStrategies({})).map(strategyColumns.load),
  save: async (strategy) => {
    session.write(saveStrategy(strategy));
    session.records.written('strategies', strategy.id, strategy);
  },
});
