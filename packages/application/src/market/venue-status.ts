import type { StockId } from '@slipstream/domain';
import type { Core } from '../core.js';
import type { QuoteIntake } from './quotes/quote-intake.js';

/** Takes a halt of the venue, or its end. When it lets orders execute, they do at once. */
export const venueStatus =
  ({ live, log }: Core, intake: QuoteIntake) =>
  (stockId: StockId, status: 'active' | 'halted', reason: string): void => {
    if (!live.stocks.setHalt(stockId, 'venue', status === 'halted')) return;
    log.info({ stockId, status, reason }, 'the venue changed the status of a stock');
    if (status === 'active') void intake.reconsider([stockId]);
  };
