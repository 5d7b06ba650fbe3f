import {
  END_UNDONE_WITHIN,
  FULLY_TRADING,
  Refusal,
  cancelOpenOrders,
  id,
  type StrategyView,
} from '@slipstream/domain';
import type { Caller } from '../caller.js';
import { changeBook } from '../trading/change-book.js';
import type { Core } from '../core.js';
import { afterEnds, requireNoEndUnderWay } from './ends-under-way.js';
import { notifyOfAccount } from '../messages/notify-of-account.js';
import { viewStrategies } from './strategy-views.js';

/**
 * Revokes the end of a strategy for the operator (contract 7b.9): it trades and ranks again. Closed positions stay closed and
 * refunds stay refunded; paying followers must subscribe again.
 */
export const undoStrategyEnd =
  (core: Core) =>
  async (_caller: Caller, command: { readonly strategyId: string }): Promise<StrategyView> => {
    const strategyId = id<'strategy'>(command.strategyId);
    const { shown } = await afterEnds(core, () =>
      changeBook(core, strategyId, async (book, market, stores) => {
        const [strategy] = await stores.strategies.list([strategyId]);
        if (!strategy || strategy.deletedAt !== null)
          throw new Refusal('not_found', `strategy ${strategyId} does not exist`);
        requireNoEndUnderWay(strategy);
        const { endedAt } = strategy;
        if (endedAt === null) throw new Refusal('conflict', 'the strategy is not over');
        if (market.now - endedAt > END_UNDONE_WITHIN)
          throw new Refusal('conflict', 'the end of a strategy can be undone within 7 days only');
        const revived = { ...strategy, belowZeroFor: 0, endedAt: null, updatedAt: market.now };
        await stores.strategies.save(revived);
        await notifyOfAccount(core, stores, {
          userId: strategy.userId,
          subject: 'A strategy of yours goes on',
          text: `Strategy “${strategy.name}” goes on: its end was undone. What was closed stays closed, and subscriptions that were refunded have ended.`,
          strategyId,
        });
        const [view] = await viewStrategies(core, stores, [revived]);
        stores.answerWith(view);
        const outcome = cancelOpenOrders(book, 'the end of the strategy was undone', market);
        return { ...outcome, shown: view as StrategyView };
      }),
    );
    core.belowZero.forget(strategyId);
    core.watch.isNow(strategyId, FULLY_TRADING);
    return shown;
  };
