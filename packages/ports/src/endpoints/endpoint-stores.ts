import type {
  Delivery,
  DeliveryId,
  Endpoint,
  EndpointEvent,
  EndpointEventId,
  EndpointId,
  Timestamp,
  UserId,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Whether the last turn of an endpoint failed, or was slow: it waits in another line than the others. */
export type LastTurn = 'well' | 'failed';

/** An endpoint with a delivery due, and whose it is: users take turns. */
export type DueEndpoint = Pick<Endpoint, 'id' | 'userId'>;

/** Keeps endpoints. Absence is `undefined`; `save` adds or replaces. */
export interface EndpointStore {
  find(endpointId: EndpointId): Promise<Endpoint | undefined>;
  /** Newest first, ties by the later id. */
  listOf(userId: UserId): Promise<Endpoint[]>;
  /** Whether an endpoint listens on the topic (`topicsOf`). Transactions of orders ask it, so it is known in memory. */
  isHeard(topic: string): Promise<boolean>;
  /** Whether an endpoint listens on any topic: where none does, nobody need find out the topics. Known in memory too. */
  isAnyHeard(): Promise<boolean>;
  /** The endpoints that listen on one of the topics, by id, each once: those after `cursor`. */
  listening(
    topics: readonly string[],
    cursor: EndpointId | null,
    limit: number,
  ): Promise<Endpoint[]>;
  /**
   * Those with a delivery due, of those whose last turn went well or of those whose last turn failed or was slow: of each user the one
   * that is longest due, then of each the second, and so on; among them longest due first, ties by id.
   */
  due(now: Timestamp, limit: number, lastTurn: LastTurn): Promise<DueEndpoint[]>;
  /** After a turn: sets when its next delivery is due; null when none waits. `save` does not change it. */
  schedule(endpointId: EndpointId, dueAt: Timestamp | null, lastTurn: LastTurn): Promise<void>;
  /** Makes it due at that moment, if it is not due earlier. */
  wake(endpointId: EndpointId, at: Timestamp): Promise<void>;
  save(endpoint: Endpoint): Promise<void>;
  remove(endpointId: EndpointId): Promise<void>;
}

/** An event that is not addressed to all its endpoints yet. */
export interface UnaddressedEvent extends EndpointEvent {
  /** Its place in the order in which the events were added. */
  readonly place: number;
  /** The last endpoint that has its delivery; null before the first. */
  readonly addressedTo: EndpointId | null;
}

/** Keeps the events until they are old: their deliveries refer to them. */
export interface EndpointEventStore {
  find(eventId: EndpointEventId): Promise<EndpointEvent | undefined>;
  /** In the order in which they were added. */
  unaddressed(limit: number): Promise<UnaddressedEvent[]>;
  /** Notes that all endpoints up to this one have their deliveries; null: all have. */
  addressed(eventId: EndpointEventId, upTo: EndpointId | null): Promise<void>;
  /** The events that concern this user alone. */
  ofUser(userId: UserId, limit: number): Promise<EndpointEventId[]>;
  /** Those from before that moment, oldest first. */
  expired(before: Timestamp, limit: number): Promise<EndpointEventId[]>;
  /** Its id must be new. */
  add(event: EndpointEvent): Promise<void>;
  remove(eventIds: readonly EndpointEventId[]): Promise<void>;
}

/** Keeps deliveries. Absence is `undefined`; `save` adds or replaces. */
export interface DeliveryStore {
  find(deliveryId: DeliveryId): Promise<Delivery | undefined>;
  /** Newest first, ties by the later id. */
  list(endpointId: EndpointId, page: Page): Promise<Delivery[]>;
  /** The first in the order of events that was never tried. */
  untried(endpointId: EndpointId): Promise<Delivery | undefined>;
  /** The one that is tried again longest due, at or before `now`. */
  retried(endpointId: EndpointId, now: Timestamp): Promise<Delivery | undefined>;
  /** Whether one of a later event was delivered. */
  isDeliveredAfter(endpointId: EndpointId, place: number): Promise<boolean>;
  /** When a delivery of the endpoint is due next; null when none waits. */
  nextAt(endpointId: EndpointId): Promise<Timestamp | null>;
  /** Some of the endpoint. */
  ofEndpoint(endpointId: EndpointId, limit: number): Promise<DeliveryId[]>;
  /** Those from before that moment, oldest first, ties by id. */
  expired(before: Timestamp, limit: number): Promise<DeliveryId[]>;
  save(delivery: Delivery): Promise<void>;
  remove(deliveryIds: readonly DeliveryId[]): Promise<void>;
}
