import type { Decimal } from '../numbers/decimal.js';
import type {
  DeliveryId,
  EndpointEventId,
  EndpointId,
  StrategyId,
  Timestamp,
  UserId,
} from '../ids.js';
import { HOUR, MINUTE } from '../time.js';
import type { Endpoint, EventName } from './endpoint.js';

/** An event as it is kept for endpoints, written in the transaction that made it true. */
export interface EndpointEvent {
  readonly id: EndpointEventId;
  readonly name: EventName;
  readonly strategyId: StrategyId | null;
  /** The only user whose endpoints are told; null for all who may see the strategy's orders or value. */
  readonly userId: UserId | null;
  /** The endpoints that listen on one of these are told. */
  readonly topics: readonly string[];
  /** Of `value.crossed`: the values before and after. */
  readonly moved: { readonly from: Decimal; readonly to: Decimal } | null;
  /** The body and the text of its message, sealed because records hold personal data. */
  readonly sealed: string;
  readonly createdAt: Timestamp;
}

/** `pending` was never tried, `retrying` failed and is tried again, `failed` is given up. */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An event on its way to an endpoint. Its id is the `webhook-id` of every attempt. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly endpointId: EndpointId;
  readonly eventId: EndpointEventId;
  readonly event: EventName;
  /** The event's place in the order of all events: first attempts are made in it. */
  readonly place: number;
  readonly status: DeliveryStatus;
  /** Attempts so far, since the owner last sent it again. */
  readonly attempt: number;
  /** HTTP status of the last attempt; null without an answer. */
  readonly responseStatus: number | null;
  /** Why the last attempt failed; null if it did not. */
  readonly reason: string | null;
  /** When it is tried next; null when it is over. */
  readonly nextAt: Timestamp | null;
  readonly createdAt: Timestamp;
}

/** What may come of an attempt. `gone`: the receiver wants no further message. */
export const SEND_RESULTS = ['delivered', 'failed', 'gone'] as const;
export type SendResult = (typeof SEND_RESULTS)[number];

/** What came of an attempt. */
export interface SendAnswer {
  readonly kind: SendResult;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** In plain words and without secrets; null when it was delivered. */
  readonly reason: string | null;
  /** For how many milliseconds the receiver wants nothing; absent when it does not say. */
  readonly retryAfter?: number;
}

/** Who asks for longer is asked again after an hour. */
const LONGEST_REST = HOUR;

/** For how many milliseconds the receiver is left in peace. */
export const restAfter = ({ retryAfter = 0 }: SendAnswer): number =>
  Math.min(Math.max(retryAfter, 0), LONGEST_REST);

/** Milliseconds between the attempts: two days in all. */
const WAITS: readonly number[] = [
  5_000,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  16 * HOUR,
];

/** Whether an attempt put the delivery off further than any does: it failed while the clock was ahead. */
export const isHeldTooLong = ({ nextAt }: Delivery, now: Timestamp): boolean =>
  (nextAt ?? now) - now > Math.max(...WAITS);

/** The delivery after an attempt: delivered, due again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h and 16 h or when the receiver wants it if that is later, or given up. */
export function afterAttempt(delivery: Delivery, answer: SendAnswer, now: Timestamp): Delivery {
  const { kind, status: responseStatus, reason } = answer;
  const attempt = delivery.attempt + 1;
  const tried = { ...delivery, attempt, responseStatus, reason };
  if (kind === 'delivered') return { ...tried, status: 'delivered', nextAt: null };
  const wait = kind === 'gone' ? undefined : WAITS[delivery.attempt];
  if (wait === undefined) return { ...tried, status: 'failed', nextAt: null };
  return { ...tried, status: 'retrying', nextAt: now + Math.max(wait, restAfter(answer)) };
}

/** The delivery, due now once more under its id, with all attempts before it: one that was given up is not given up again at once. One that was never tried keeps its turn. */
export const retriedNow = (delivery: Delivery, now: Timestamp): Delivery =>
  delivery.status === 'pending'
    ? { ...delivery, nextAt: now }
    : { ...delivery, status: 'retrying', attempt: 0, nextAt: now };

const passes = (level: Decimal, { from, to }: NonNullable<EndpointEvent['moved']>): boolean =>
  from.lt(level) ? to.gte(level) : to.lt(level);

/** Whether the endpoint asked for the event: a level belongs to the values above it. */
export const asksFor = (
  { events, valueLevels }: Pick<Endpoint, 'events' | 'valueLevels'>,
  { name, moved }: Pick<EndpointEvent, 'name' | 'moved'>,
): boolean =>
  events.includes(name) && (moved === null || valueLevels.some((level) => passes(level, moved)));
