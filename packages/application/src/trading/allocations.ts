import {
  type Allocation,
  DEFAULT_SLIPPAGE,
  type Decimal,
  type NextId,
  Refusal,
  type StockId,
  id,
  planAllocations,
  submit,
  type OrderView,
  type PlanPreviewView,
} from '@slipstream/domain';
import { tradedStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import { changeBook } from './change-book.js';
import type { Core } from '../core.js';
import { viewOrders } from './order-views.js';
import { previewOf } from './preview.js';
import { allowanceOf, countPlaced } from './token-limits.js';

export interface NewAllocations {
  readonly strategyId: string;
  readonly allocations: readonly { readonly stock: string; readonly percent: Decimal }[];
  readonly slippage?: Decimal | undefined;
}

function allocationsOf({ live }: Core, { allocations }: NewAllocations): Allocation[] {
  const named = new Map<StockId, string>();
  return allocations.map(({ stock, percent }) => {
    const stockId = live.stocks.resolve(stock).id;
    const before = named.get(stockId);
    if (before !== undefined) {
      const both = before === stock ? stock : `${before} (also sent as ${stock})`;
      throw new Refusal('invalid_field', `${both} is allocated twice`);
    }
    named.set(stockId, stock);
    return { stockId, percent };
  });
}

/** Cancels every open order and places market orders toward the complete set of targets, in one transaction. */
export const newOrderAllocations =
  (core: Core) =>
  async (caller: Caller, command: NewAllocations): Promise<OrderView[]> => {
    const nextId: NextId = () => core.ids.next();
    const strategyId = id<'strategy'>(command.strategyId);
    const allocations = allocationsOf(core, command);
    const slippage = command.slippage ?? DEFAULT_SLIPPAGE;
    const { shown } = await changeBook(core, strategyId, async (book, market, stores) => {
      const strategy = await tradedStrategy(stores, caller, strategyId);
      const allowance = await allowanceOf(core, stores, caller, strategyId, market.now);
      const plan = planAllocations(
        book,
        { allocations, slippage },
        {
          type: strategy.type,
          market,
          nextId,
          closesOnly: core.belowZero.closesOnly(strategyId),
        },
      );
      const placed = allowance.bound(plan.requests, { book, type: strategy.type, market });
      const replaces = 'replaced by newOrderAllocations';
      const outcome = submit(book, placed.requests, market, nextId, replaces);
      const shown = viewOrders(outcome.accepted, market, book);
      await countPlaced(core, stores, placed, outcome.changes);
      stores.answerWith(shown);
      return { ...outcome, shown };
    });
    return shown;
  };

/** The same plan, nothing done. */
export const previewOrderAllocations =
  (core: Core) =>
  async (caller: Caller, command: NewAllocations): Promise<PlanPreviewView> => {
    const allocations = allocationsOf(core, command);
    const slippage = command.slippage ?? DEFAULT_SLIPPAGE;
    return previewOf(core, caller, command.strategyId, (book, context) =>
      planAllocations(book, { allocations, slippage }, context),
    );
  };
