import {
  type DeliveryId,
  type EndpointEventId,
  type EndpointId,
  type Timestamp,
  type UserId,
  id,
} from '@slipstream/domain';
import type { DeliveryStore, EndpointEventStore } from '@slipstream/ports';
import { sql } from 'kysely';
import { chunks } from '../storage/lists.js';
import { pages } from '../storage/pages.js';
import { build, insert, once, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { deliveryColumns, endpointEventColumns } from './columns.js';

const eventById = prepared<{ id: EndpointEventId }>()((param) =>
  build.selectFrom('endpoint_events').selectAll().where('id', '=', param('id')),
);
const unaddressedEvents = prepared<{ limit: number }>()((param) =>
  build
    .selectFrom('endpoint_events')
    .selectAll()
    .where('is_addressed', '=', sql.lit(0))
    .orderBy('place')
    .limit(param('limit')),
);
const noteAddressed = prepared<{ id: EndpointEventId; upTo: EndpointId | null; all: number }>()(
  (param) =>
    build
      .updateTable('endpoint_events')
      .set({ addressed_to: param('upTo'), is_addressed: param('all') })
      .where('id', '=', param('id')),
);
const eventsOfUser = prepared<{ userId: UserId; limit: number }>()((param) =>
  build
    .selectFrom('endpoint_events')
    .select('id')
    .where('user_id', '=', param('userId'))
    .limit(param('limit')),
);
const expiredEvents = prepared<{ before: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('endpoint_events')
    .select('id')
    .where('created_at', '<', param('before'))
    .orderBy('created_at')
    .limit(param('limit')),
);
const addEvent = insert('endpoint_events', endpointEventColumns, 'id');

export const sqlEndpointEvents = (session: Session): EndpointEventStore => ({
  find: async (eventId) => {
    const row = await session.row(eventById({ id: eventId }));
    return row && endpointEventColumns.load(row);
  },
  unaddressed: async (limit) =>
    (await session.rows(unaddressedEvents({ limit }))).map((row) => ({
      ...endpointEventColumns.load(row),
      place: row.place,
      addressedTo: row.addressed_to === null ? null : id<'endpoint'>(row.addressed_to),
    })),
  addressed: async (eventId, upTo) =>
    void session.write(noteAddressed({ id: eventId, upTo, all: upTo === null ? 1 : 0 })),
  ofUser: async (userId, limit) =>
    (await session.rows(eventsOfUser({ userId, limit }))).map((row) => id(row.id)),
  expired: async (before, limit) =>
    (await session.rows(expiredEvents({ before, limit }))).map((row) => id(row.id)),
  add: async (event) => void session.write(addEvent(event)),
  remove: async (eventIds) => {
    for (const ids of chunks(eventIds))
      session.write(once(build.deleteFrom('endpoint_events').where('id', 'in', ids)));
  },
});

const deliveryById = prepared<{ id: DeliveryId }>()((param) =>
  build.selectFrom('deliveries').selectAll().where('id', '=', param('id')),
);
const pageOfEndpoint = pages('deliveries', deliveryColumns.load, 'endpoint_id');
const firstUntried = prepared<{ endpointId: EndpointId }>()((param) =>
  build
    .selectFrom('deliveries')
    .selectAll()
    .where('endpoint_id', '=', param('endpointId'))
    .where('status', '=', 'pending')
    .orderBy('place')
    .limit(1),
);
const firstRetried = prepared<{ endpointId: EndpointId; now: Timestamp }>()((param) =>
  build
    .selectFrom('deliveries')
    .selectAll()
    .where('endpoint_id', '=', param('endpointId'))
    .where('status', '=', 'retrying')
    .where('next_at', '<=', param('now'))
    .orderBy('next_at')
    .orderBy('id')
    .limit(1),
);
const nextRetry = prepared<{ endpointId: EndpointId }>()((param) =>
  build
    .selectFrom('deliveries')
    .select('next_at')
    .where('endpoint_id', '=', param('endpointId'))
    .where('status', '=', 'retrying')
    .orderBy('next_at')
    .limit(1),
);
const deliveredAfter = prepared<{ endpointId: EndpointId; place: number }>()((param) =>
  build
    .selectFrom('deliveries')
    .select('id')
    .where('endpoint_id', '=', param('endpointId'))
    .where('status', '=', 'delivered')
    .where('place', '>', param('place'))
    .limit(1),
);
const someOfEndpoint = prepared<{ endpointId: EndpointId; limit: number }>()((param) =>
  build
    .selectFrom('deliveries')
    .select('id')
    .where('endpoint_id', '=', param('endpointId'))
    .limit(param('limit')),
);
const expiredDeliveries = prepared<{ before: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('deliveries')
    .select('id')
    .where('created_at', '<', param('before'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit')),
);
const saveDelivery = upsert('deliveries', deliveryColumns, 'id');

export const sqlDeliveries = (session: Session): DeliveryStore => {
  const untried = async (endpointId: EndpointId) => {
    const row = await session.row(firstUntried({ endpointId }));
    return row && deliveryColumns.load(row);
  };
  return {
    find: async (deliveryId) => {
      const row = await session.row(deliveryById({ id: deliveryId }));
      return row && deliveryColumns.load(row);
    },
    list: async (endpointId, page) => pageOfEndpoint(session, { endpoint_id: endpointId }, page),
    untried,
    retried: async (endpointId, now) => {
      const row = await session.row(firstRetried({ endpointId, now }));
      return row && deliveryColumns.load(row);
    },
    isDeliveredAfter: async (endpointId, place) =>
      (await session.row(deliveredAfter({ endpointId, place }))) !== undefined,
    nextAt: async (endpointId) =>
      (await untried(endpointId))?.nextAt ??
      (await session.row(nextRetry({ endpointId })))?.next_at ??
      null,
    ofEndpoint: async (endpointId, limit) =>
      (await session.rows(someOfEndpoint({ endpointId, limit }))).map((row) => id(row.id)),
    expired: async (before, limit) =>
      (await session.rows(expiredDeliveries({ before, limit }))).map((row) => id(row.id)),
    save: async (delivery) => void session.write(saveDelivery(delivery)),
    remove: async (deliveryIds) => {
      for (const ids of chunks(deliveryIds))
        session.write(once(build.deleteFrom('deliveries').where('id', 'in', ids)));
    },
  };
};
