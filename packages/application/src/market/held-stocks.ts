import type { StockId } from '@slipstream/domain';
import type { Core } from '../core.js';
import type { Services } from '../services.js';
import { heldText } from './split-guard.js';

/** A stock that is held until a corporate action is booked, or until the operator sets it active. */
export interface HeldStockView {
  readonly symbol: string;
  readonly reason: string;
}

export const heldStocks =
  ({ live }: Pick<Core, 'live'>, { announced }: Pick<Services, 'announced'>) =>
  (): readonly HeldStockView[] => {
    const reasons = new Map<StockId, string>(
      [...live.guard.all()].map(([stockId, held]) => [stockId, heldText(held)]),
    );
    for (const [stockId, name] of announced.held()) reasons.set(stockId, `${name}, not booked`);
    return [...reasons].map(([stockId, reason]) => ({
      symbol: live.stocks.find(stockId)?.symbol ?? stockId,
      reason,
    }));
  };
