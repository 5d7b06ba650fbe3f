import { describe, expect, it } from '@jest/globals';
import { brokerContract, failuresOf } from '@slipstream/port-contracts';
import type { Venue, VenueAnswer, VenueRequest } from '@slipstream/stand-ins';
import { acme, coin, openBroker } from './fixture.js';

type Fields = Record<string, unknown>;

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
};

/** An adapter that sends other orders than it was asked for. */
const sending =
  (change: (order: Fields) => Fields) =>
  (venue: Venue): Venue =>
  (request) => {
    if (request.method !== 'POST') return venue(request);
    return venue({ ...request, body: JSON.stringify(change(JSON.parse(request.body) as Fields)) });
  };

/** An adapter that takes answers for others. */
const taking =
  (change: (answer: VenueAnswer, request: VenueRequest) => VenueAnswer) =>
  (venue: Venue): Venue =>
  async (request) => {
    const answer = await venue(request);
    return typeof answer === 'string' ? answer : change(answer, request);
  };

/** One that reads each record of answers whose path begins so as another. */
const reading = (path: string, change: (record: Fields) => Fields) =>
  taking((answer, request) => {
    const body = parsed(answer.body);
    if (!request.path.startsWith(path) || !body || answer.status !== 200) return answer;
    const next = Array.isArray(body) ? body.map(change) : change(body as Fields);
    return { ...answer, body: JSON.stringify(next) };
  });

const without = (name: string) => (record: Fields) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => field !== name));

const UNKNOWN: VenueAnswer = {
  status: 404,
  body: JSON.stringify({ code: 40410000, message: 'order not found' }),
};

/** Faults of an adapter as they look from the venue, each with a case that must find it. */
const WRONG: readonly (readonly [string, string, (venue: Venue) => Venue])[] = [
  ['sends no id of its own', 'BC-05', sending(without('client_order_id'))],
  [
    'sends a new id with each order',
    'BC-08',
    (venue) => {
      let sent = 0;
      const renamed = sending((order) => ({ ...order, client_order_id: `new-${(sent += 1)}` }));
      return renamed(venue);
    },
  ],
  [
    'sends every order at the market',
    'BC-41',
    sending((order) => ({ ...without('limit_price')(order), type: 'market' })),
  ],
  ['does not say that an order only closes', 'BC-43', sending(without('position_intent'))],
  [
    'sends whole shares only',
    'BC-13',
    sending((order) => ({ ...order, qty: String(order['qty']).split('.')[0] })),
  ],
  [
    'takes a known id for a rejection',
    'BC-08',
    (venue) => {
      let isRefused = false;
      const blind = taking((answer, { method, path }) => {
        const asksById = path.startsWith('/v2/orders:by_client_order_id');
        const hidden = isRefused && asksById ? UNKNOWN : answer;
        isRefused = method === 'POST' && answer.status === 422;
        return { ...hidden, body: hidden.body.replace('client_order_id must', 'it must') };
      });
      return blind(venue);
    },
  ],
  [
    'takes an acceptance for a fill',
    'BC-33',
    reading('/v2/orders', (order) =>
      order['status'] === 'pending_new'
        ? { ...order, status: 'filled', filled_qty: order['qty'], filled_avg_price: '101' }
        : order,
    ),
  ],
  [
    'keeps what expired open',
    'BC-39',
    reading('/v2/orders', (order) =>
      order['status'] === 'expired' ? { ...order, status: 'new' } : order,
    ),
  ],
  [
    'forgets the fills of what was cancelled',
    'BC-26',
    reading('/v2/orders', (order) =>
      order['status'] === 'canceled' ? { ...order, filled_qty: '0' } : order,
    ),
  ],
  [
    'takes no answer for no order',
    'BC-23',
    taking((answer, { method, path }) =>
      method === 'GET' && path.startsWith('/v2/orders') && answer.status !== 200 ? UNKNOWN : answer,
    ),
  ],
  [
    'takes 429 for an outage',
    'BC-25',
    taking((answer) => (answer.status === 429 ? { ...answer, status: 503 } : answer)),
  ],
  [
    'tells shorts without their sign',
    'BC-14',
    reading('/v2/positions', (position) => ({ ...position, side: 'long' })),
  ],
  ['tells no halt', 'BC-32', reading('/v2/assets', (asset) => ({ ...asset, tradable: true }))],
  ['tells no closed market', 'BC-18', reading('/v2/clock', () => ({ is_open: true }))],
];

describe('the suite for brokers', () => {
  it('finds nothing in the right adapter', async () => {
    const right = openBroker(acme, { cancelling: 400 });
    expect(await failuresOf(() => brokerContract('right', right))).toEqual([]);
  });

  it.each(WRONG)('finds an adapter that %s, by %s', async (name, expected, around) => {
    const wrong = openBroker(acme, { cancelling: 400 }, around);
    expect(await failuresOf(() => brokerContract(name, wrong))).toContain(expected);
  });

  it('finds one that sells all it bought of a coin', async () => {
    const around = reading('/v2/positions', (position) => ({
      ...position,
      qty: String(Math.ceil(Number(position['qty']))),
    }));
    const wrong = openBroker(coin, {}, around);
    expect(await failuresOf(() => brokerContract('sells all', wrong))).toContain('BC-05');
  });
});
