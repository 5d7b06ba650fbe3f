import type { MarketDayStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { marketDayColumns } from './columns.js';

const daysSince = prepared<{ date: string }>()((param) =>
  build.selectFrom('market_days').selectAll().where('date', '>=', param('date')).orderBy('date'),
);
const saveDay = upsert('market_days', marketDayColumns, 'date');

export const sqlMarketDays = (session: Session): MarketDayStore => ({
  since: (date) => session.list(daysSince({ date }), marketDayColumns.load),
  save: async (day) => void session.write(saveDay(day)),
});
