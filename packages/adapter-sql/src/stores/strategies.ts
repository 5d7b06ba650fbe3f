import type { StrategyId } from '@slipstream/domain';
import type { StrategyStore } from '@slipstream/ports';
import { build, once, prepared, upsert } from '../queries.js';
import type { Session } from '../session.js';
import { strategyColumns } from '../tables.js';
import { chunks, inOrderOf } from './lists.js';

const strategyById = prepared<{ id: StrategyId }>()((slot) =>
  build.selectFrom('strategies').selectAll().where('id', '=', slot('id')),
);
const liveStrategies = prepared<object>()(() =>
  build.selectFrom('strategies').selectAll().where('deleted_at', 'is', null).orderBy('id'),
);
const saveStrategy = upsert('strategies', strategyColumns, 'id');

export const sqlStrategies = (session: Session): StrategyStore => ({
  find: async (id) => {
    const row = session.row(strategyById({ id }));
    return row && strategyColumns.load(row);
  },
  list: async (strategyIds) => {
    const [first, ...others] = strategyIds;
    // Most commands name one strategy: that query is compiled already.
    if (first !== undefined && others.length === 0) {
      const row = session.row(strategyById({ id: first }));
      return row ? [strategyColumns.load(row)] : [];
    }
    const rows = chunks(strategyIds).flatMap((ids) =>
      session.rows(once(build.selectFrom('strategies').selectAll().where('id', 'in', ids))),
    );
    return inOrderOf(strategyIds, rows.map(strategyColumns.load));
  },
  live: async () => session.rows(liveStrategies({})).map(strategyColumns.load),
  save: async (strategy) => void session.write(saveStrategy(strategy)),
});
