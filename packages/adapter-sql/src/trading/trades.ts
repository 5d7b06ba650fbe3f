import type { StrategyId, Trade } from '@slipstream/domain';
import type { TradeStore } from '@slipstream/ports';
import { build, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { tradeColumns } from './columns.js';

const pageOfTrades = pages('trades', tradeColumns.load, 'strategy_id');
const ledgerOf = prepared<{ strategyId: StrategyId }>()((param) =>
  build
    .selectFrom('trades')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .orderBy('created_at')
    .orderBy('id'),
);

/** So many of the newest trades of a strategy are read at once: each bot that mirrors it asks for them after every trade. */
const NEWEST = 20;

async function newestTrades(session: Session, strategyId: StrategyId): Promise<readonly Trade[]> {
  const known = session.records.get('newestTrades', strategyId);
  if (known) return known.trades;
  const trades = await pageOfTrades(session, { strategy_id: strategyId }, { limit: NEWEST });
  session.records.read('newestTrades', strategyId, { trades });
  return trades;
}

export const sqlTrades = (session: Session): TradeStore => ({
  list: async (strategyId, page) => {
    const { limit, cursor, from, to } = page;
    const isNewest = cursor === undefined && from === undefined && to === undefined;
    if (isNewest && limit <= NEWEST)
      return (await newestTrades(session, strategyId)).slice(0, limit);
    return pageOfTrades(session, { strategy_id: strategyId }, page);
  },
  ledger: (strategyId) => session.list(ledgerOf({ strategyId }), tradeColumns.load),
});
