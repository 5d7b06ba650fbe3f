import type { StrategyId, Timestamp, ValueDay } from '@slipstream/domain';
import type { ValueDayStore } from '@slipstream/ports';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { dayColumns } from './columns.js';

const dayOfStrategy = rowBy('value_days', 'strategy_id');
const unrecorded = prepared<{ before: Timestamp; limit: number; after: string }>()((param) =>
  build
    .selectFrom('value_days')
    .selectAll()
    .where('strategy_id', '>', param('after') as StrategyId)
    .where('is_recorded', '=', 0)
    .where('last_at', '<', param('before'))
    .orderBy('strategy_id')
    .limit(param('limit')),
);
const saveDay = upsert('value_days', dayColumns, 'strategy_id');

function loaded(row: object): { readonly strategyId: StrategyId; readonly day: ValueDay } {
  const { strategyId, ...day } = dayColumns.load(row);
  return { strategyId, day };
}

export const sqlValueDays = (session: Session): ValueDayStore => ({
  find: async (strategyId) => {
    const known = session.records.get('valueDays', strategyId);
    if (known) return known.day;
    const row = await session.row(dayOfStrategy(strategyId));
    const day = row && loaded(row).day;
    session.records.read('valueDays', strategyId, { day });
    return day;
  },
  unrecorded: (before, limit, after = '' as StrategyId) =>
    session.list(unrecorded({ before, limit, after }), loaded),
  save: async (strategyId, day) => {
    session.write(saveDay({ strategyId, ...day }));
    session.records.written('valueDays', strategyId, { day });
  },
});
