import { decimal } from '@slipstream/domain';
import type { Venue, VenueRequest } from '@slipstream/stand-ins';

/** A deliberate bug of an adapter, imitated between the server and the venue. If no check finds it, the checks are broken. */
type VenueBug = (venue: Venue) => Venue;

type OrderBody = Readonly<Record<string, string>>;

const isOrder = ({ method, path }: VenueRequest): boolean =>
  method === 'POST' && path === '/v2/orders';

function changed(request: VenueRequest, change: (order: OrderBody) => OrderBody): VenueRequest {
  const order = JSON.parse(request.body) as OrderBody;
  return { ...request, body: JSON.stringify({ ...order, ...change(order) }) };
}

/** Every fifth order is sent once more, under an id of its own. */
const newId: VenueBug = (venue) => {
  let sent = 0;
  return async (request) => {
    const outcome = await venue(request);
    if (!isOrder(request)) return outcome;
    sent += 1;
    const another = (order: OrderBody): OrderBody => ({
      client_order_id: `${order['client_order_id']}-again`,
    });
    if (sent % 5 === 0) await venue(changed(request, another));
    return outcome;
  };
};

/** No order is found again once it was sent. */
const forgotten: VenueBug = (venue) => async (request) => {
  const asks = request.method === 'GET' && request.path.startsWith('/v2/orders');
  if (!asks) return venue(request);
  const headers = { 'content-type': 'application/json' };
  if (request.path === '/v2/orders') return { status: 200, body: '[]', headers };
  const body = JSON.stringify({ code: 40410000, message: 'order not found' });
  return { status: 404, body, headers };
};

/** An order to buy leaves with ten times its limit. */
const limitLost: VenueBug = (venue) => (request) => {
  if (!isOrder(request)) return venue(request);
  const raised = ({ side, limit_price: limit }: OrderBody): OrderBody =>
    side === 'buy' && limit !== undefined
      ? { limit_price: decimal(limit).times('10').toFixed() }
      : {};
  return venue(changed(request, raised));
};

export const VENUE_BUGS: Readonly<Record<string, VenueBug>> = {
  new_id: newId,
  forgotten,
  limit_lost: limitLost,
};
