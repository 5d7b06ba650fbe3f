import {
  type Alert,
  type AlertAction,
  type AlertPlan,
  type Book,
  DEFAULT_SLIPPAGE,
  type Decimal,
  type FilledOrder,
  type Market,
  type MarketPosition,
  ONE,
  type OrderId,
  type StockId,
  ZERO,
  planAlert,
  submit,
} from '@slipstream/domain';
import { ownStrategy } from '../access.js';
import type { Caller } from '../caller.js';
import { changeBook } from '../change-book.js';
import type { Core } from '../core.js';
import { viewOrder } from '../presentation.js';
import { previewOf } from '../preview.js';
import type { OrderView, PlanPreviewView } from '../views.js';

export interface AlertCommand {
  readonly strategyId: string;
  /** `stock_id`, `STOCK:EXCHANGE` or `SYMBOL:EXCHANGE`. */
  readonly stock: string;
  readonly action: AlertAction;
  readonly leverage?: Decimal | undefined;
  readonly pyramiding?: number | undefined;
  readonly slippage?: Decimal | undefined;
  readonly marketPosition?: MarketPosition | undefined;
}

const alertOf = ({ floor }: Core, command: AlertCommand): Alert => ({
  stockId: floor.stocks.resolve(command.stock).id,
  action: command.action,
  leverage: command.leverage ?? ONE,
  pyramiding: command.pyramiding ?? null,
  slippage: command.slippage ?? DEFAULT_SLIPPAGE,
  marketPosition: command.marketPosition ?? null,
});

/** The answer to an alert that trades nothing in the named stock: an order of amount 0, filled, that is not kept. */
function nothingTraded(
  book: Book,
  stockId: StockId,
  orderId: OrderId,
  market: Market,
): FilledOrder {
  const quote = market.quote(stockId);
  return {
    id: orderId,
    strategyId: book.strategyId,
    stockId,
    action: 'buy',
    pricing: { type: 'market' },
    size: { by: 'amount', amount: ZERO },
    dependsOn: [],
    reduceOnly: false,
    origin: 'plan',
    createdAt: market.now,
    triggeredAt: null,
    status: 'filled',
    closedAt: market.now,
    filledPrice: quote?.ask ?? ZERO,
    filledAmount: ZERO,
    filledTotal: ZERO,
    feeTotal: ZERO,
  };
}

/** One alert: cancels what is open, places the orders of its plan, answers the named stock's order as accepted. */
export const newOrderWebhook =
  (core: Core) =>
  async (caller: Caller, command: AlertCommand): Promise<OrderView> => {
    const { ids } = core;
    const strategy = await core.unitOfWork.read((stores) =>
      ownStrategy(stores, caller, command.strategyId),
    );
    const alert = alertOf(core, command);
    const { shown } = await changeBook(core)(strategy.id, async (book, market, stores) => {
      await ownStrategy(stores, caller, command.strategyId);
      const plan: AlertPlan = planAlert(book, strategy.type, alert, market, () => ids.next());
      const replaces = plan.replaces ? 'replaced by newOrderWebhook' : undefined;
      const outcome = submit(book, plan.requests, market, () => ids.next(), replaces);
      const named =
        outcome.accepted.find((order) => order.stockId === alert.stockId) ??
        nothingTraded(book, alert.stockId, ids.next(), market);
      return { ...outcome, shown: viewOrder(named, market, book) };
    });
    return shown;
  };

/** The same plan, nothing done. */
export const previewOrderWebhook =
  (core: Core) =>
  async (caller: Caller, command: AlertCommand): Promise<PlanPreviewView> => {
    const alert = alertOf(core, command);
    return previewOf(core, caller, command.strategyId, (book, type, market) =>
      planAlert(book, type, alert, market, () => core.ids.next()),
    );
  };
