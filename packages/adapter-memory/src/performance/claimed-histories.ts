import type { ClaimedHistoryStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryClaimedHistories = ({ claimedHistories }: Tables): ClaimedHistoryStore => ({
  find: async (strategyId) => claimedHistories.get(strategyId),
  save: async (strategyId, points) => claimedHistories.set(strategyId, points),
  remove: async (strategyId) => claimedHistories.delete(strategyId),
});
