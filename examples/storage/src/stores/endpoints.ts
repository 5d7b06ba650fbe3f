import { type Delivery, topicsOf } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { type Tables, byId, dueBy, newestFirst, oldestFirst, pageOf } from '../table.js';

type EndpointStores = Pick<Stores, 'endpoints' | 'endpointEvents' | 'deliveries'>;

export const endpointStores = ({
  endpoints,
  endpointTurns,
  endpointEvents,
  deliveries,
}: Tables): EndpointStores => {
  const of = (endpointId: string, ...statuses: readonly Delivery['status'][]) =>
    deliveries.where(
      (one) =>
        one.endpointId === endpointId && (statuses.length === 0 || statuses.includes(one.status)),
    );
  const untried = (endpointId: string): Delivery | undefined =>
    of(endpointId, 'pending').sort((one, other) => one.place - other.place)[0];
  const retrying = (endpointId: string, now: number): Delivery | undefined =>
    dueBy(of(endpointId, 'retrying'), ({ nextAt }) => nextAt, now, 1)[0];
  return {
    endpoints: {
      find: async (endpointId) => endpoints.get(endpointId),
      listOf: async (id) => newestFirst(endpoints.where(({ userId }) => userId === id)),
      isHeard: async (topic) =>
        endpoints.where((endpoint) => topicsOf(endpoint).includes(topic)).length > 0,
      isAnyHeard: async () =>
        endpoints.where((endpoint) => topicsOf(endpoint).length > 0).length > 0,
      listening: async (topics, cursor, limit) =>
        byId(
          endpoints.where(
            (endpoint) =>
              endpoint.id > (cursor ?? '') &&
              topicsOf(endpoint).some((one) => topics.includes(one)),
          ),
        ).slice(0, limit),
      due: async (now, limit, line) => {
        const turns = endpointTurns.where(({ lastTurn }) => lastTurn === line);
        const ofUser = new Map<string, number>();
        return dueBy(turns, ({ dueAt }) => dueAt, now, Infinity)
          .flatMap(({ id }) => {
            const endpoint = endpoints.get(id);
            if (!endpoint) return [];
            const { userId } = endpoint;
            const nth = (ofUser.get(userId) ?? 0) + 1;
            ofUser.set(userId, nth);
            return { one: { id, userId }, nth };
          })
          .sort((first, second) => first.nth - second.nth)
          .slice(0, limit)
          .map(({ one }) => one);
      },
      schedule: async (id, dueAt, lastTurn) => {
        if (endpoints.get(id)) endpointTurns.set(id, { id, dueAt, lastTurn });
      },
      wake: async (id, at) => {
        const { dueAt = null, lastTurn = 'well' } = endpointTurns.get(id) ?? {};
        if (endpoints.get(id))
          endpointTurns.set(id, { id, dueAt: Math.min(dueAt ?? at, at), lastTurn });
      },
      save: async (endpoint) => endpoints.set(endpoint.id, endpoint),
      remove: async (endpointId) => {
        endpoints.delete(endpointId);
        endpointTurns.delete(endpointId);
      },
    },
    endpointEvents: {
      find: async (eventId) => endpointEvents.get(eventId)?.event,
      unaddressed: async (limit) =>
        endpointEvents
          .where(({ isAddressed }) => !isAddressed)
          .sort((one, other) => one.place - other.place)
          .slice(0, limit)
          .map(({ event, place, addressedTo }) => ({ ...event, place, addressedTo })),
      addressed: async (eventId, upTo) => {
        const kept = endpointEvents.get(eventId);
        if (kept)
          endpointEvents.set(eventId, { ...kept, addressedTo: upTo, isAddressed: upTo === null });
      },
      ofUser: async (userId, limit) =>
        endpointEvents
          .where(({ event }) => event.userId === userId)
          .slice(0, limit)
          .map(({ event }) => event.id),
      expired: async (before, limit) =>
        oldestFirst(
          endpointEvents
            .where(({ event }) => event.createdAt < before)
            .map(({ event: { id, createdAt } }) => ({ id, createdAt })),
        )
          .slice(0, limit)
          .map(({ id }) => id),
      add: async (event) => {
        const places = endpointEvents.where(() => true).map((kept) => kept.place);
        const place = 1 + Math.max(0, ...places);
        endpointEvents.add(event.id, { event, place, addressedTo: null, isAddressed: false });
      },
      remove: async (eventIds) => {
        for (const eventId of eventIds) endpointEvents.delete(eventId);
      },
    },
    deliveries: {
      find: async (deliveryId) => deliveries.get(deliveryId),
      list: async (endpointId, page) => pageOf(of(endpointId), page),
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
        oldestFirst(deliveries.where(({ createdAt }) => createdAt < before))
          .slice(0, limit)
          .map(({ id }) => id),
      save: async (delivery) => deliveries.set(delivery.id, delivery),
      remove: async (deliveryIds) => {
        for (const deliveryId of deliveryIds) deliveries.delete(deliveryId);
      },
    },
  };
};
