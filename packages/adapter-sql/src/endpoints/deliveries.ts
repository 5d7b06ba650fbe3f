import { type EndpointId, type Timestamp, id } from '@slipstream/domain';
import type { DeliveryStore } from '@slipstream/ports';
import { chunks } from '../storage/lists.js';
import { pages } from '../storage/pages.js';
import { build, once, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { deliveryColumns } from './columns.js';

const deliveryById = rowBy('deliveries', 'id');
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
  const untried = (endpointId: EndpointId) =>
    session.find(firstUntried({ endpointId }), deliveryColumns.load);
  return {
    find: (deliveryId) => session.find(deliveryById(deliveryId), deliveryColumns.load),
    list: async (endpointId, page) => pageOfEndpoint(session, { endpoint_id: endpointId }, page),
    untried,
    retried: (endpointId, now) =>
      session.find(firstRetried({ endpointId, now }), deliveryColumns.load),
    isDeliveredAfter: async (endpointId, place) =>
      (await session.row(deliveredAfter({ endpointId, place }))) !== undefined,
    nextAt: async (endpointId) =>
      (await untried(endpointId))?.nextAt ??
      (await session.row(nextRetry({ endpointId })))?.next_at ??
      null,
    ofEndpoint: (endpointId, limit) =>
      session.list(someOfEndpoint({ endpointId, limit }), (row) => id(row.id)),
    expired: (before, limit) =>
      session.list(expiredDeliveries({ before, limit }), (row) => id(row.id)),
    save: async (delivery) => void session.write(saveDelivery(delivery)),
    remove: async (deliveryIds) => {
      for (const ids of chunks(deliveryIds))
        session.write(once(build.deleteFrom('deliveries').where('id', 'in', ids)));
    },
  };
};
