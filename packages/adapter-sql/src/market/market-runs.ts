import type { MarketRunStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { marketRunColumns } from './columns.js';

const LAST = 'last';

const lastRun = prepared<object>()(() => build.selectFrom('market_runs').selectAll().limit(1));
const saveRun = upsert('market_runs', marketRunColumns, 'name');

export const sqlMarketRuns = (session: Session): MarketRunStore => ({
  last: async () => {
    const row = await session.row(lastRun({}));
    if (!row) return undefined;
    const { name: _, ...run } = marketRunColumns.load(row);
    return run;
  },
  save: async (run) => void session.write(saveRun({ name: LAST, ...run })),
});
