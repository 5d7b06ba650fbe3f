import type { StockId } from '@slipstream/domain';
import type { DailyCloseStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { dailyCloseColumns } from './columns.js';

const closesAfter = prepared<{ stockId: StockId; day: number; limit: number }>()((param) =>
  build
    .selectFrom('daily_closes')
    .selectAll()
    .where('stock_id', '=', param('stockId'))
    .where('day', '>', param('day'))
    .orderBy('day')
    .limit(param('limit')),
);
const saveClose = upsert('daily_closes', dailyCloseColumns, 'stock_id', 'day');

export const sqlDailyCloses = (session: Session): DailyCloseStore => ({
  listAfter: (stockId, day, limit) =>
    session.list(closesAfter({ stockId, day, limit }), dailyCloseColumns.load),
  save: async (closes) => {
    for (const close of closes) session.write(saveClose(close));
  },
});
