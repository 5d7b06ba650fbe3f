import {
  type AlertRecord,
  type BookChange,
  type OpenOrder,
  RESEND_WINDOW,
  Refusal,
  type StockId,
  type StrategyId,
  type Timestamp,
  id,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { ownStrategy, requireUser } from '../strategies/access.js';
import { ownUser } from '../accounts/users.js';
import { alertCame } from './alert-watch.js';
import type { AlertDelivery } from './unanswered-alerts.js';
import type { Caller, UserCaller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, pageOf } from '../page.js';
import type { Transaction } from '../transaction.js';

/** The names in an alert, as far as they could be read. */
export interface NamedByAlert {
  readonly strategyId?: string | undefined;
  /** `stock_id`, `STOCK:EXCHANGE` or `SYMBOL:EXCHANGE`. */
  readonly stock?: string | undefined;
  readonly alertId?: string | undefined;
}

/** The fields of an alert that are known before its verdict. */
export type ReceivedAlert = Omit<AlertRecord, 'verdict' | 'reason' | 'orderId' | 'answer'>;

type Judgement = Pick<AlertRecord, 'verdict' | 'reason' | 'orderId' | 'answer'>;

/** The alert with its verdict. */
export const judged = (received: ReceivedAlert, judgement: Judgement): AlertRecord => ({
  id: received.id,
  userId: received.userId,
  tokenId: received.tokenId,
  strategyId: received.strategyId,
  stockId: received.stockId,
  alertId: received.alertId,
  verdict: judgement.verdict,
  reason: judgement.reason,
  orderId: judgement.orderId,
  body: received.body,
  fingerprint: received.fingerprint,
  answer: judgement.answer,
  createdAt: received.createdAt,
});

type Inbox = Pick<Stores, 'alerts' | 'events'>;

/** Stores an alert with its verdict, and publishes it. */
export async function addAlert(
  core: Pick<Core, 'live' | 'tradingHours'>,
  stores: Inbox & Pick<Stores, 'strategies'>,
  alert: AlertRecord,
): Promise<void> {
  const { strategyId, createdAt: at } = alert;
  await stores.alerts.add(alert);
  await stores.events.add({ kind: 'alert_added', alert, at });
  if (strategyId !== null) await alertCame(core, stores, strategyId, at);
}

/** The alert as it is in the inbox already: a server that forwards sends its request again when its link was cut. */
export const earlierAlert = async (
  { alerts }: Pick<Stores, 'alerts'>,
  delivery: AlertDelivery | undefined,
): Promise<AlertRecord | undefined> =>
  delivery?.isAgain ? alerts.find(id(delivery.id)) : undefined;

/** Stores what became of an alert later, and publishes it. */
export async function changeAlert(
  { alerts, events }: Inbox,
  alert: AlertRecord,
  at: Timestamp,
): Promise<void> {
  await alerts.save(alert);
  await events.add({ kind: 'alert_changed', alert, at });
}

/** Null when no instrument or more than one has the name. */
function stockNamed({ stocks }: Core['live'], name: string): StockId | null {
  try {
    return stocks.lookUp(name)?.id ?? null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** The alert as it will be stored. An alert from a call within the process has no body and is never a resend. */
export function receivedAlert(
  { live, ids, clock, fingerprints, senders }: Core,
  { userId, tokenId }: UserCaller,
  strategyId: StrategyId | null,
  named: NamedByAlert,
  delivery: AlertDelivery | undefined,
): ReceivedAlert {
  senders.add(userId);
  const body = delivery?.body ?? null;
  return {
    id: delivery ? id(delivery.id) : ids.next(),
    userId,
    tokenId,
    strategyId,
    stockId: named.stock === undefined ? null : stockNamed(live, named.stock),
    alertId: named.alertId ?? null,
    body,
    fingerprint: body === null ? null : fingerprints.of(tokenId, strategyId ?? '', body),
    createdAt: clock.now(),
  };
}

const REPEATS = 'repeats ';

/** Why an alert does nothing that repeats this one. */
export const repeats = ({ id: first }: AlertRecord): string => `${REPEATS}${first}`;

/**
 * The alert that this one repeats: one with the same `alert_id` at any time, else one with the same body and token within 30
 * seconds, unless its answer is known to have arrived (contract 3, "Resends"). One that is there already, by the same request,
 * repeats what it did, or what it repeated.
 */
export async function repeatedAlert(
  { unansweredAlerts }: Core,
  { alerts }: Pick<Stores, 'alerts'>,
  strategyId: StrategyId,
  { alertId, fingerprint, createdAt }: ReceivedAlert,
  earlier: AlertRecord | undefined,
): Promise<AlertRecord | undefined> {
  if (earlier?.answer) return earlier;
  if (earlier?.verdict === 'duplicate')
    return alerts.find(id((earlier.reason ?? '').slice(REPEATS.length)));
  if (alertId !== null) return alerts.findFirst(strategyId, alertId);
  if (fingerprint === null) return undefined;
  const last = unansweredAlerts.find(fingerprint, createdAt - RESEND_WINDOW);
  return last && alerts.find(last);
}

/** Marks the alerts whose orders were cancelled before they filled as superseded by the alert that cancelled them. */
export async function supersede(
  stores: Inbox,
  {
    changes,
    accepted,
  }: { readonly changes: readonly BookChange[]; readonly accepted: readonly OpenOrder[] },
  by: ReceivedAlert,
): Promise<void> {
  const own = new Set(accepted.map((order) => order.id));
  for (const change of changes) {
    if (change.kind !== 'cancelled' || own.has(change.order.id)) continue;
    const earlier = await stores.alerts.findByOrder(change.order.id);
    if (earlier?.verdict !== 'accepted') continue;
    const superseded = { verdict: 'superseded', reason: `superseded by ${by.id}` } as const;
    await changeAlert(stores, { ...earlier, ...superseded }, by.createdAt);
  }
}

/** Records in an alert that its order was reduced to fit, or to nothing (contract 7b.4). */
export async function recordCuts(
  stores: Inbox,
  changes: readonly BookChange[],
  at: Timestamp,
): Promise<void> {
  for (const { kind, order } of changes) {
    if (kind !== 'filled' && kind !== 'cancelled') continue;
    const { reason } = order;
    const isCut = kind === 'filled' || reason?.startsWith('insufficient_buying_power');
    if (reason === null || !isCut) continue;
    const alert = await stores.alerts.findByOrder(order.id);
    if (alert?.verdict === 'accepted') await changeAlert(stores, { ...alert, reason }, at);
  }
}

/**
 * Stores a refused alert in a transaction of its own: the refusal itself changed nothing. Without a strategy of its own it is one
 * for the strategy that its token is bound to.
 */
export const keepRefusedAlert =
  (core: Core) =>
  async (
    caller: Caller,
    named: NamedByAlert,
    { code, message: reason }: Refusal,
    delivery?: AlertDelivery,
  ): Promise<void> => {
    if (caller.kind !== 'user') return;
    const keep = async (stores: Transaction): Promise<void> => {
      // Its alerts went with the account.
      await ownUser(stores, caller.userId);
      const [only, another] = caller.strategyIds ?? [];
      const meant = named.strategyId ?? (another === undefined ? only : undefined);
      const strategyId = await ownStrategyId(stores, caller, meant);
      const received = receivedAlert(core, caller, strategyId, named, delivery);
      const verdict = 'refused';
      if (!(await earlierAlert(stores, delivery)))
        await addAlert(
          core,
          stores,
          judged(received, { verdict, reason, orderId: null, answer: null }),
        );
      stores.markRefused(code);
    };
    await core.unitOfWork.run(keep, { isWanted: delivery?.isWanted });
  };

/** The strategy's id, if the sender owns it: alerts from others do not enter a strategy's inbox. */
async function ownStrategyId(
  stores: Stores,
  caller: UserCaller,
  named: string | undefined,
): Promise<StrategyId | null> {
  if (named === undefined) return null;
  try {
    const strategy = await ownStrategy(stores, caller, named);
    const isCovered = caller.strategyIds?.includes(strategy.id) ?? true;
    return isCovered ? strategy.id : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** The alerts of one strategy, or those of all of the caller's strategies and those that named none; newest first. */
export const getAlerts =
  ({ unitOfWork }: Core) =>
  async (
    caller: Caller,
    command: PageRequest & { readonly strategyId?: string | undefined },
  ): Promise<AlertRecord[]> => {
    const { userId } = requireUser(caller);
    const { strategyId } = command;
    const page = pageOf(command);
    return unitOfWork.read(async (stores) => {
      if (strategyId === undefined) return stores.alerts.listOfUser(userId, page);
      const strategy = await ownStrategy(stores, caller, strategyId);
      return stores.alerts.listOfStrategy(strategy.id, page);
    });
  };
