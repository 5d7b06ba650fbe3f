import {
  type Book,
  type NextId,
  type Plan,
  type PlanContext,
  submit,
  type PlanPreviewView,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { bookOf, tradedStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { viewOrders } from './order-views.js';
import { allowanceOf } from './token-limits.js';
import { atPresent } from './present-book.js';

/** The orders that a plan would place now, computed by the code that places them. Nothing is stored. */
export const previewOf = (
  core: Core,
  caller: Caller,
  strategyId: string,
  planFor: (book: Book, context: PlanContext, stores: ReadStores) => Plan | Promise<Plan>,
): Promise<PlanPreviewView> =>
  core.unitOfWork.read(async (stores) => {
    const { live, clock, ids, belowZero } = core;
    const strategy = await tradedStrategy(stores, caller, strategyId);
    const allowance = await allowanceOf(core, stores, caller, strategy.id, clock.now());
    const book = atPresent(core, await bookOf(stores, strategy.id));
    const market = live.market(clock.now());
    const nextId: NextId = () => ids.next();
    const context = {
      type: strategy.type,
      market,
      nextId,
      closesOnly: belowZero.closesOnly(strategy.id),
    };
    const {
      requests: planned,
      skipped,
      buffers,
      strategyValue,
    } = await planFor(book, context, stores);
    const { requests } = allowance.bound(planned, { book, type: strategy.type, market });
    const { accepted } = submit(book, requests, market, nextId);
    return { orders: viewOrders(accepted, market, book), skipped, buffers, strategyValue };
  });
