import { type Book, type Market, type Plan, type Security, submit } from '@slipstream/domain';
import { bookOf, tradedStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { viewOrders } from './order-views.js';
import type { PlanPreviewView } from '../views.js';

/** The orders that a plan would place now, computed by the code that places them. Nothing is stored. */
export const previewOf = (
  { unitOfWork, live, clock, ids, belowZero }: Core,
  caller: Caller,
  strategyId: string,
  planFor: (book: Book, type: Security, market: Market, closesOnly: boolean) => Plan,
): Promise<PlanPreviewView> =>
  unitOfWork.read(async (stores) => {
    const strategy = await tradedStrategy(stores, caller, strategyId);
    const book = await bookOf(stores, strategy.id);
    const market = live.market(clock.now());
    const closesOnly = belowZero.closesOnly(strategy.id);
    const { requests, skipped, buffers, strategyValue } = planFor(
      book,
      strategy.type,
      market,
      closesOnly,
    );
    const { accepted } = submit(book, requests, market, () => ids.next());
    return { orders: viewOrders(accepted, market, book), skipped, buffers, strategyValue };
  });
