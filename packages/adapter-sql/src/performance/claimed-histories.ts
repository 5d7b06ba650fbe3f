import type { StrategyId } from '@slipstream/domain';
import type { ClaimedHistoryStore } from '@slipstream/ports';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { claimedColumns } from './columns.js';

const ofStrategy = rowBy('claimed_histories', 'strategy_id');
const removeOf = prepared<{ strategyId: StrategyId }>()((param) =>
  build.deleteFrom('claimed_histories').where('strategy_id', '=', param('strategyId')),
);
const saveHistory = upsert('claimed_histories', claimedColumns, 'strategy_id');

export const sqlClaimedHistories = (session: Session): ClaimedHistoryStore => ({
  find: async (strategyId) => {
    const row = await session.row(ofStrategy(strategyId));
    return row && claimedColumns.load(row).points;
  },
  save: async (strategyId, points) => {
    session.write(saveHistory({ strategyId, points }));
  },
  remove: async (strategyId) => {
    session.write(removeOf({ strategyId }));
  },
});
