import { type Delivery, type EndpointId, type UserId, topicsOf } from '@slipstream/domain';
import type { DeliveryStore, EndpointEventStore, EndpointStore } from '@slipstream/ports';
import { byAge, byId, byNewest, due, page } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryEndpoints = ({ endpoints, endpointTurns }: Tables): EndpointStore => ({
  find: async (endpointId) => endpoints.get(endpointId),
  listOf: async (userId) =>
    endpoints
      .values()
      .filter((endpoint) => endpoint.userId === userId)
      .toSorted(byNewest),
  isHeard: async (topic) => endpoints.values().some((one) => topicsOf(one).includes(topic)),
  isAnyHeard: async () => endpoints.values().some((one) => topicsOf(one).length > 0),
  listening: async (topics, cursor, limit) =>
    endpoints
      .values()
      .filter((one) => one.id > (cursor ?? '') && topicsOf(one).some((on) => topics.includes(on)))
      .toSorted(byId)
      .slice(0, limit),
  due: async (now, limit, lastTurn) => {
    const all = due(
      endpoints
        .values()
        .filter(({ id }) => (endpointTurns.get(id)?.lastTurn ?? 'well') === lastTurn),
      ({ id }) => endpointTurns.get(id)?.dueAt ?? null,
      now,
      Infinity,
    );
    const counts = new Map<UserId, number>();
    const nthOf = (userId: UserId): number => {
      const nth = (counts.get(userId) ?? 0) + 1;
      counts.set(userId, nth);
      return nth;
    };
    return all
      .map(({ id, userId }) => ({ id, userId, nth: nthOf(userId) }))
      .toSorted((first, second) => first.nth - second.nth)
      .slice(0, limit)
      .map(({ id, userId }) => ({ id, userId }));
  },
  schedule: async (endpointId, dueAt, lastTurn) => {
    if (endpoints.get(endpointId)) endpointTurns.set(endpointId, { dueAt, lastTurn });
  },
  wake: async (endpointId, at) => {
    const { dueAt = null, lastTurn = 'well' } = endpointTurns.get(endpointId) ?? {};
    if (endpoints.get(endpointId))
      endpointTurns.set(endpointId, { dueAt: Math.min(dueAt ?? at, at), lastTurn });
  },
  save: async (endpoint) => endpoints.set(endpoint.id, endpoint),
  remove: async (endpointId) => {
    endpoints.delete(endpointId);
    endpointTurns.delete(endpointId);
  },
});

export const memoryEndpointEvents = ({ endpointEvents }: Tables): EndpointEventStore => ({
  find: async (eventId) => endpointEvents.get(eventId)?.event,
  unaddressed: async (limit) =>
    endpointEvents
      .values()
      .filter(({ isAddressed }) => !isAddressed)
      .toSorted((first, second) => first.place - second.place)
      .slice(0, limit)
      .map(({ event, place, addressedTo }) => ({ ...event, place, addressedTo })),
  addressed: async (eventId, upTo) => {
    const kept = endpointEvents.get(eventId);
    if (kept)
      endpointEvents.set(eventId, { ...kept, addressedTo: upTo, isAddressed: upTo === null });
  },
  ofUser: async (userId, limit) =>
    endpointEvents
      .values()
      .filter(({ event }) => event.userId === userId)
      .slice(0, limit)
      .map(({ event }) => event.id),
  expired: async (before, limit) =>
    endpointEvents
      .values()
      .map(({ event }) => event)
      .filter(({ createdAt }) => createdAt < before)
      .toSorted(byAge)
      .slice(0, limit)
      .map(({ id }) => id),
  add: async (event) => {
    if (endpointEvents.get(event.id)) throw new Error(`event ${event.id} is there already`);
    const place = 1 + Math.max(0, ...endpointEvents.values().map((kept) => kept.place));
    endpointEvents.set(event.id, { event, place, addressedTo: null, isAddressed: false });
  },
  remove: async (eventIds) => {
    for (const eventId of eventIds) endpointEvents.delete(eventId);
  },
});

export const memoryDeliveries = ({ deliveries }: Tables): DeliveryStore => {
  const of = (endpointId: EndpointId, status?: Delivery['status']): Delivery[] =>
    deliveries
      .values()
      .filter(
        (one) => one.endpointId === endpointId && (status === undefined || one.status === status),
      );
  const untried = (endpointId: EndpointId): Delivery | undefined =>
    of(endpointId, 'pending').toSorted((first, second) => first.place - second.place)[0];
  const retrying = (endpointId: EndpointId, now: number): Delivery | undefined =>
    due(of(endpointId, 'retrying'), ({ nextAt }) => nextAt, now, 1)[0];

  return {
    find: async (deliveryId) => deliveries.get(deliveryId),
    list: async (endpointId, wanted) =>
      page(of(endpointId), wanted, (cursor) => of(endpointId).find(({ id }) => id === cursor)),
    untried: async (endpointId) => untried(endpointId),
    retried: async (endpointId, now) => retrying(endpointId, now),
    isDeliveredAfter: async (endpointId, place) =>
      of(endpointId, 'delivered').some((one) => one.place > place),
    nextAt: async (endpointId) =>
      untried(endpointId)?.nextAt ?? retrying(endpointId, Infinity)?.nextAt ?? null,
    ofEndpoint: async (endpointId, limit) =>
      of(endpointId)
        .slice(0, limit)
        .map(({ id }) => id),
    expired: async (before, limit) =>
      deliveries
        .values()
        .filter(({ createdAt }) => createdAt < before)
        .toSorted(byAge)
        .slice(0, limit)
        .map(({ id }) => id),
    save: async (delivery) => deliveries.set(delivery.id, delivery),
    remove: async (deliveryIds) => {
      for (const deliveryId of deliveryIds) deliveries.delete(deliveryId);
    },
  };
};
