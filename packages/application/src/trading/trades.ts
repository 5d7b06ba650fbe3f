import { type PositionsView, type TradeView } from '@slipstream/domain';
import { bookOf, followedStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, pageOf } from '../page.js';
import { viewPositions, viewTrades } from './order-views.js';
import { atPresent } from './present-book.js';

export interface Paged extends PageRequest {
  readonly strategyId: string;
}

/** Every fill, newest first. */
export const getTrades =
  ({ unitOfWork, live, clock }: Core) =>
  async (caller: Caller, command: Paged): Promise<TradeView[]> => {
    const trades = await unitOfWork.read(async (stores) => {
      const strategy = await followedStrategy(stores, caller, command.strategyId);
      return stores.trades.list(strategy.id, pageOf(command));
    });
    return viewTrades(trades, live.market(clock.now()));
  };

export const getPositions =
  ({ unitOfWork, live, clock }: Core) =>
  async (caller: Caller, { strategyId }: { readonly strategyId: string }): Promise<PositionsView> =>
    unitOfWork.read(async (stores) => {
      const strategy = await followedStrategy(stores, caller, strategyId);
      const book = await bookOf(stores, strategy.id);
      return viewPositions(atPresent({ live }, book), live.market(clock.now()));
    });
