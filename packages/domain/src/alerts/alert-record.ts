import type { Id, OrderId, StockId, StrategyId, Timestamp, TokenId, UserId } from '../ids.js';
import type { Order, WaitingReason } from '../trading/order.js';
import type { Quote, Stock } from '../market/stock.js';

export type AlertRecordId = Id<'alert_record'>;

/** The verdict on an alert (contract 3, "Inbox"). */
export const ALERT_VERDICTS = [
  'accepted',
  'no_change',
  'duplicate',
  'superseded',
  'refused',
] as const;
export type AlertVerdict = (typeof ALERT_VERDICTS)[number];

/** An order as the answer showed it. Later changes of the order, its stock or its quote do not change this. */
export interface AnsweredOrder {
  readonly stock: Stock;
  readonly quote: Quote | undefined;
  readonly order: Order;
  readonly waitingReason: WaitingReason | null;
}

/** An alert that came with a valid token, as the inbox keeps it (contract 3). */
export interface AlertRecord {
  /** The id of its request. */
  readonly id: AlertRecordId;
  readonly userId: UserId;
  readonly tokenId: TokenId;
  /** The strategy it named; null when the sender does not own it. */
  readonly strategyId: StrategyId | null;
  /** The stock it named; null when there is no such stock. */
  readonly stockId: StockId | null;
  /** The sender's own `alert_id`. */
  readonly alertId: string | null;
  readonly verdict: AlertVerdict;
  /** Why it was refused, which alert it repeats, or which alert superseded it. */
  readonly reason: string | null;
  /** The order that answered it; that of an alert that traded nothing is in no other list. */
  readonly orderId: OrderId | null;
  /** The received JSON text, without the token; null when it did not arrive as text. */
  readonly body: string | null;
  /** Equal for two alerts of the same token, strategy and body; null when it did not arrive as text. */
  readonly fingerprint: string | null;
  /** The answer to its repeats; null for an alert without an answer of its own. */
  readonly answer: AnsweredOrder | null;
  readonly createdAt: Timestamp;
}

/** How long after an alert the same body may be a repeat of it, in milliseconds (contract 3, "Resends"). */
export const RESEND_WINDOW = 30_000;
