import {
  type Action,
  type Book,
  DEFAULT_SLIPPAGE,
  type Decimal,
  type IdentifiedRequest,
  type OrderStatus,
  type OrderType,
  type Pricing,
  type Size,
  type SizingContext,
  asIfFilled,
  cancelOrder,
  dependencyDepth,
  id,
  maxOrderSize,
  onlyReducesAfter,
  openOrder,
  placeable,
  strategyValue,
  submit,
  tradableStock,
  type MaxOrderSizeView,
  type OrderView,
  type PlanPreviewView,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { bookOf, followedStrategy, tradedStrategy } from '../strategies/access.js';
import { requireBelowCap } from '../caps.js';
import type { Caller } from '../caller.js';
import { changeBook } from './change-book.js';
import type { Core } from '../core.js';
import { pageOf } from '../page.js';
import { atPresent } from './present-book.js';
import { notOpen, openPrerequisites, orderOf } from './prerequisites.js';
import { viewOrders } from './order-views.js';
import { previewOf } from './preview.js';
import { sizedPricing } from './sized-pricing.js';
import { allowanceOf, countPlaced } from './token-limits.js';
import type { Paged } from './trades.js';

/** Open orders by default; newest first. */
export const getOrders =
  ({ unitOfWork, live, clock }: Core) =>
  async (
    caller: Caller,
    command: Paged & { readonly orderStatus?: OrderStatus | undefined },
  ): Promise<OrderView[]> => {
    const { orderStatus = 'open' } = command;
    return unitOfWork.read(async (stores) => {
      const strategy = await followedStrategy(stores, caller, command.strategyId);
      const orders = await stores.orders.list(strategy.id, orderStatus, pageOf(command));
      return viewOrders(orders, live.market(clock.now()), await bookOf(stores, strategy.id));
    });
  };

export interface NewOrder {
  readonly strategyId: string;
  /** `stock_id`, `STOCK:EXCHANGE` or `SYMBOL:EXCHANGE`. */
  readonly stock: string;
  readonly action: Action;
  readonly pricing: Pricing;
  readonly size: Size;
  readonly dependsOn?: readonly string[] | undefined;
  readonly reduceOnly?: boolean | undefined;
}

/** Makes the request of newOrder for a book: refused, or ready to be submitted. */
function orderMaker({ live, ids, settings }: Core, command: NewOrder) {
  const { dependsOn = [] } = command;
  const placement = {
    id: ids.next<'order'>(),
    stockId: live.stocks.resolve(command.stock).id,
    action: command.action,
    pricing: command.pricing,
    size: command.size,
    reduceOnly: command.reduceOnly ?? (dependsOn.length > 0 ? ('if_it_reduces' as const) : false),
    origin: 'order' as const,
  };
  return async (
    stores: Pick<ReadStores, 'orders'>,
    book: Book,
    sizing: SizingContext,
  ): Promise<IdentifiedRequest> => {
    const open = await openPrerequisites(stores, book, dependsOn);
    const dependent = { ...placement, dependsOn: open };
    const depth = dependencyDepth(book.openOrders, open);
    if (depth >= settings.caps.dependencies && !onlyReducesAfter(book, dependent, sizing.market))
      requireBelowCap(settings.caps, 'dependencies', depth);
    return placeable(book, dependent, sizing);
  };
}

/** Accepts one order and executes it at once when it can; the answer shows it as accepted. */
export const newOrder =
  (core: Core) =>
  async (caller: Caller, command: NewOrder): Promise<OrderView> => {
    const { ids } = core;
    const strategyId = id<'strategy'>(command.strategyId);
    const requestFor = orderMaker(core, command);
    const { shown } = await changeBook(core, strategyId, async (book, market, stores) => {
      const strategy = await tradedStrategy(stores, caller, strategyId);
      const allowance = await allowanceOf(core, stores, caller, strategyId, market.now);
      const closesOnly = core.belowZero.closesOnly(strategyId);
      const request = await requestFor(stores, book, { type: strategy.type, market, closesOnly });
      const placed = allowance.bound([request], { book, type: strategy.type, market });
      const outcome = submit(book, placed.requests, market, () => ids.next());
      const shown = viewOrders(outcome.accepted, market, book);
      await countPlaced(core, stores, placed, outcome.changes);
      stores.answerWith(shown[0]);
      return { ...outcome, shown };
    });
    return shown[0] as OrderView;
  };

/** The order that newOrder would accept now, nothing done. */
export const previewOrder =
  (core: Core) =>
  async (caller: Caller, command: NewOrder): Promise<PlanPreviewView> => {
    const requestFor = orderMaker(core, command);
    return previewOf(core, caller, command.strategyId, async (book, context, stores) => ({
      requests: [await requestFor(stores, book, context)],
      skipped: [],
      buffers: [],
      strategyValue: strategyValue(book, context.market) ?? null,
    }));
  };

/** Cancels an open order; its dependents are released. */
export const deleteOrder =
  (core: Core) =>
  async (
    caller: Caller,
    command: { readonly strategyId: string; readonly orderId: string },
  ): Promise<void> => {
    const strategyId = id<'strategy'>(command.strategyId);
    await changeBook(core, strategyId, async (book, market, stores) => {
      await tradedStrategy(stores, caller, strategyId);
      const orderId = id<'order'>(command.orderId);
      if (!openOrder(book, orderId)) throw notOpen(orderId, await orderOf(stores, book, orderId));
      const outcome = cancelOrder(book, orderId, market, () => core.ids.next());
      stores.answerWith(undefined);
      return outcome;
    });
  };

export interface SizeQuestion {
  readonly strategyId: string;
  readonly stock: string;
  readonly action: Action;
  readonly type?: OrderType | undefined;
  readonly slippage?: Decimal | undefined;
  readonly price?: Decimal | undefined;
  readonly stopPrice?: Decimal | undefined;
  readonly dependsOn?: readonly string[] | undefined;
}

/** The largest order that newOrder would accept now. */
export const getMaxOrderSize =
  ({ unitOfWork, live, clock, belowZero }: Core) =>
  async (caller: Caller, command: SizeQuestion): Promise<MaxOrderSizeView> => {
    const { action, slippage = DEFAULT_SLIPPAGE } = command;
    return unitOfWork.read(async (stores) => {
      const strategy = await tradedStrategy(stores, caller, command.strategyId);
      const read = await bookOf(stores, strategy.id);
      const market = live.market(clock.now());
      const stock = tradableStock(market, live.stocks.resolve(command.stock).id, strategy.type);
      const open = await openPrerequisites(stores, read, command.dependsOn ?? []);
      const book = atPresent({ live }, read);
      const stillOpen = open.filter((orderId) => openOrder(book, orderId));
      const assumed = asIfFilled(book, stillOpen, market);
      const pricing = sizedPricing(action, command);
      const closesOnly = belowZero.closesOnly(strategy.id);
      const limit = maxOrderSize(assumed, { stock, action, pricing, slippage }, market, closesOnly);
      return { strategyId: strategy.id, stockId: stock.id, action, slippage, ...limit };
    });
  };
