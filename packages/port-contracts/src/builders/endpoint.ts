import { type Delivery, type Endpoint, type EndpointEvent, id } from '@slipstream/domain';
import { NOON } from './noon.js';

/** A webhook of `user-1` for filled orders. */
export const anEndpoint = (overrides: Partial<Endpoint> = {}): Endpoint => ({
  id: id('endpoint-1'),
  userId: id('user-1'),
  tokenId: null,
  kind: 'webhook',
  events: ['order.filled'],
  strategyIds: null,
  valueLevels: [],
  status: 'active',
  statusReason: null,
  sealedTarget: 'sealed',
  createdAt: NOON,
  ...overrides,
});

/** An order of `strategy-1`, whose owner is `user-1`, was filled. */
export const anEndpointEvent = (overrides: Partial<EndpointEvent> = {}): EndpointEvent => ({
  id: id('event-1'),
  name: 'order.filled',
  strategyId: id('strategy-1'),
  userId: null,
  topics: ['strategy:strategy-1', 'user:user-1'],
  moved: null,
  sealed: 'sealed',
  createdAt: NOON,
  ...overrides,
});

/** Of `event-1` to `endpoint-1`, not tried yet. */
export const aDelivery = (overrides: Partial<Delivery> = {}): Delivery => ({
  id: id('delivery-1'),
  endpointId: id('endpoint-1'),
  eventId: id('event-1'),
  event: 'order.filled',
  place: 1,
  status: 'pending',
  attempt: 0,
  responseStatus: null,
  reason: null,
  nextAt: NOON,
  createdAt: NOON,
  ...overrides,
});
