import type { MarketRunStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryMarketRuns = ({ marketRuns }: Tables): MarketRunStore => ({
  last: async () => marketRuns.get('last'),
  save: async (run) => marketRuns.set('last', run),
});
