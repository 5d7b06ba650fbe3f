import {
  type Alert,
  type AlertAction,
  type AlertPlan,
  type Book,
  DEFAULT_SLIPPAGE,
  type Decimal,
  type FilledOrder,
  type Market,
  type Stock,
  type MarketPosition,
  type NextId,
  ONE,
  type OrderId,
  Refusal,
  ZERO,
  actionOf,
  holding,
  id,
  moveTold,
  overtakenBy,
  planAlert,
  type PlatformMove,
  sideOf,
  strategyValue,
  submit,
  type OrderView,
  type PlanPreviewView,
} from '@slipstream/domain';
import { ownStrategy, requireGoesOn, requireUser } from '../strategies/access.js';
import type { AlertDelivery } from './unanswered-alerts.js';
import type { Caller, UserCaller } from '../caller.js';
import { changeBook } from '../trading/change-book.js';
import type { Core } from '../core.js';
import {
  type ReceivedAlert,
  addAlert,
  changeAlert,
  earlierAlert,
  judged,
  keepRefusedAlert,
  receivedAlert,
  repeatedAlert,
  repeats,
  supersede,
} from './inbox.js';
import { viewOrder } from '../trading/order-views.js';
import { previewOf } from '../trading/preview.js';
import { allowanceOf, countPlaced } from '../trading/token-limits.js';

export interface AlertCommand {
  readonly strategyId: string;
  /** `stock_id`, `STOCK:EXCHANGE` or `SYMBOL:EXCHANGE`. */
  readonly stock: string;
  readonly action: AlertAction;
  readonly leverage?: Decimal | undefined;
  readonly pyramiding?: number | undefined;
  readonly slippage?: Decimal | undefined;
  readonly marketPosition?: MarketPosition | undefined;
  readonly positionSize?: Decimal | undefined;
  readonly previousPositionSize?: Decimal | undefined;
  /** The sender's own id of the alert: a repeat with the same id on the same strategy is answered with the first order. */
  readonly alertId?: string | undefined;
}

const alertOf = ({ live }: Core, command: AlertCommand): Alert => ({
  stockId: live.stocks.resolve(command.stock).id,
  action: command.action,
  leverage: command.leverage ?? ONE,
  pyramiding: command.pyramiding ?? null,
  slippage: command.slippage ?? DEFAULT_SLIPPAGE,
  marketPosition: command.marketPosition ?? null,
  positionSize: command.positionSize ?? null,
  previousPositionSize: command.previousPositionSize ?? null,
});

/** The answer to an alert that trades nothing in the named stock: a filled order of amount 0, which is not stored. */
function nothingTraded(
  book: Book,
  { stockId, action }: Alert,
  orderId: OrderId,
  market: Market<Stock>,
): FilledOrder {
  return {
    id: orderId,
    strategyId: book.strategyId,
    stockId,
    action: actionOf({ action }),
    pricing: { type: 'market' },
    size: { by: 'amount', amount: ZERO },
    dependsOn: [],
    reduceOnly: false,
    origin: 'plan',
    createdAt: market.now,
    triggeredAt: null,
    status: 'filled',
    closedAt: market.now,
    filledPrice: null,
    filledAmount: ZERO,
    filledTotal: ZERO,
    feeTotal: ZERO,
    reason: null,
  };
}

/** What the alert tells of its platform's position; a call within the process is no platform's. */
function moveOf(alert: Alert, received: ReceivedAlert, book: Book): PlatformMove | undefined {
  const { id: alertId, fingerprint, createdAt: at } = received;
  const told = moveTold(alert);
  if (!told || fingerprint === null) return undefined;
  const held = sideOf(holding(book, alert.stockId));
  return { id: alertId, fingerprint, at, held, ...told };
}

/** The plan of an alert that came too late: the one after it on the platform has been carried out. */
const overtaken = ({ id: by }: PlatformMove, value: Decimal | undefined): AlertPlan => ({
  requests: [],
  skipped: [],
  buffers: [],
  strategyValue: value ?? null,
  verdict: 'no_change',
  reason: `overtaken by ${by}, which came first and follows it on the platform`,
  replaces: false,
});

/**
 * Executes one alert: cancels the open orders, places the orders of its plan and returns the named stock's order as accepted. A
 * repeat of an alert whose answer may be lost gets the same answer and does nothing. The inbox has the alert in either case.
 */
const takeAlert = async (
  core: Core,
  caller: UserCaller,
  command: AlertCommand,
  delivery: AlertDelivery | undefined,
): Promise<OrderView> => {
  const nextId: NextId = () => core.ids.next();
  const strategyId = id<'strategy'>(command.strategyId);
  const received = receivedAlert(core, caller, strategyId, command, delivery);
  const { fingerprint, createdAt: at, stockId } = received;
  const { shown, first } = await changeBook(
    core,
    strategyId,
    async (book, market, stores) => {
      const strategy = await ownStrategy(stores, caller, strategyId);
      const earlier = await earlierAlert(stores, delivery);
      const repeated = await repeatedAlert(core, stores, strategyId, received, earlier);
      if (repeated?.answer) {
        const { orderId, answer } = repeated;
        const judgement = {
          verdict: 'duplicate',
          reason: repeats(repeated),
          orderId,
        } as const;
        if (!earlier)
          await addAlert(core, stores, judged(received, { ...judgement, answer: null }));
        stores.answerWith(answer);
        return { book, changes: [], shown: answer, first: repeated.id };
      }
      requireGoesOn(strategy);
      const allowance = await allowanceOf(core, stores, caller, strategyId, market.now);
      const alert = alertOf(core, command);
      const closesOnly = core.belowZero.closesOnly(strategyId);
      const move = moveOf(alert, received, book);
      const overtaker = move && overtakenBy(move, core.platformMoves.before(strategyId, move));
      const plan: AlertPlan = overtaker
        ? overtaken(overtaker, strategyValue(book, market))
        : planAlert(book, alert, { type: strategy.type, market, nextId, closesOnly });
      const replaces = plan.replaces ? 'replaced by newOrderWebhook' : undefined;
      const counted = allowance.bound(plan.requests, { book, type: strategy.type, market });
      const outcome = submit(book, counted.requests, market, nextId, replaces);
      // At once: a quote that comes while the inbox is written is met too.
      core.live.expect(outcome.changes);
      const placed = outcome.accepted.find((order) => order.stockId === alert.stockId);
      const named = placed ?? nothingTraded(book, alert, core.ids.next(), market);
      const answer = viewOrder(named, market, book);
      await countPlaced(core, stores, counted, outcome.changes);
      const { verdict, reason } = plan;
      const judgement = { verdict, reason, orderId: placed?.id ?? null, answer };
      const record = judged(received, judgement);
      // It was refused, and nobody was told so: now it is not.
      if (earlier?.verdict === 'refused') await changeAlert(stores, record, at);
      else await addAlert(core, stores, record);
      if (fingerprint !== null) {
        if (move) core.platformMoves.told(strategyId, move);
        else core.platformMoves.lose(strategyId, alert.stockId);
        core.unansweredAlerts.taken({ id: received.id, fingerprint, at }, at);
      }
      await supersede(stores, outcome, received);
      stores.answerWith(answer);
      return { ...outcome, shown: answer, first: received.id };
    },
    { isWanted: delivery?.isWanted },
  ).catch((error: unknown) => {
    if (stockId !== null) core.platformMoves.forget(strategyId, stockId, received.id);
    throw error;
  });
  if (delivery && fingerprint !== null)
    core.unansweredAlerts.sending(delivery.id, { id: first, fingerprint, at });
  return shown;
};

/** Takes an alert (spec 4.4). A refused alert changes nothing and stays in the inbox with the reason. */
export const newOrderWebhook =
  (core: Core) =>
  async (caller: Caller, command: AlertCommand, delivery?: AlertDelivery): Promise<OrderView> => {
    try {
      return await takeAlert(core, requireUser(caller), command, delivery);
    } catch (error) {
      if (error instanceof Refusal) await keepRefusedAlert(core)(caller, command, error, delivery);
      throw error;
    }
  };

/** The same plan, without placing anything. */
export const previewOrderWebhook =
  (core: Core) =>
  async (caller: Caller, command: AlertCommand): Promise<PlanPreviewView> => {
    const alert = alertOf(core, command);
    return previewOf(core, caller, command.strategyId, (book, context) =>
      planAlert(book, alert, context),
    );
  };
