import {
  type EndpointEventId,
  type EndpointId,
  type Timestamp,
  type UserId,
  id,
} from '@slipstream/domain';
import type { EndpointEventStore } from '@slipstream/ports';
import { sql } from 'kysely';
import { chunks } from '../storage/lists.js';
import { build, insert, once, prepared, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { endpointEventColumns } from './columns.js';

const eventById = rowBy('endpoint_events', 'id');
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
  find: (eventId) => session.find(eventById(eventId), endpointEventColumns.load),
  unaddressed: (limit) =>
    session.list(unaddressedEvents({ limit }), (row) => ({
      ...endpointEventColumns.load(row),
      place: row.place,
      addressedTo: row.addressed_to === null ? null : id<'endpoint'>(row.addressed_to),
    })),
  addressed: async (eventId, upTo) =>
    void session.write(noteAddressed({ id: eventId, upTo, all: upTo === null ? 1 : 0 })),
  ofUser: (userId, limit) => session.list(eventsOfUser({ userId, limit }), (row) => id(row.id)),
  expired: (before, limit) => session.list(expiredEvents({ before, limit }), (row) => id(row.id)),
  add: async (event) => void session.write(addEvent(event)),
  remove: async (eventIds) => {
    for (const ids of chunks(eventIds))
      session.write(once(build.deleteFrom('endpoint_events').where('id', 'in', ids)));
  },
});
