import { TIMEFRAME_LENGTHS } from '@slipstream/domain';
import { requireUser, visibleStrategy } from '../access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { thin } from '../strategy-views.js';
import type { HistoryPoint, Timeframe } from '../views.js';

/** Most points that getStrategyHistory answers (contract 3). */
const MAX_POINTS = 500;

/** What the strategy's value did over the timeframe, oldest first. */
export const getStrategyHistory =
  ({ unitOfWork, clock }: Core) =>
  async (
    caller: Caller,
    command: { readonly strategyId: string; readonly timeframe?: Timeframe | undefined },
  ): Promise<HistoryPoint[]> => {
    requireUser(caller);
    const from = clock.now() - TIMEFRAME_LENGTHS[command.timeframe ?? 'month'];
    return unitOfWork.read(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      const buckets = await stores.valueHistory.list(strategy.id, from);
      const inside = buckets.filter((bucket) => bucket.lastAt > from);
      return thin(inside, MAX_POINTS).map(({ lastAt, last, high, low }) => ({
        at: lastAt,
        value: last,
        high,
        low,
      }));
    });
  };
