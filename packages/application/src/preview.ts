import { type Book, type Market, type Plan, type Security, submit } from '@slipstream/domain';
import { bookOf, ownStrategy } from './access.js';
import type { Caller } from './caller.js';
import type { Core } from './core.js';
import { viewOrders } from './presentation.js';
import type { PlanPreviewView } from './views.js';

/** What a plan would place now, worked out by the code that places it; nothing is kept. */
export const previewOf = (
  { unitOfWork, floor, clock, ids }: Core,
  caller: Caller,
  strategyId: string,
  planFor: (book: Book, type: Security, market: Market) => Plan,
): Promise<PlanPreviewView> =>
  unitOfWork.read(async (stores) => {
    const strategy = await ownStrategy(stores, caller, strategyId);
    const book = await bookOf(stores, strategy.id);
    const market = floor.market(clock.now());
    const { requests, skipped, buffers, strategyValue } = planFor(book, strategy.type, market);
    const { accepted } = submit(book, requests, market, () => ids.next());
    return { orders: viewOrders(accepted, market, book), skipped, buffers, strategyValue };
  });
