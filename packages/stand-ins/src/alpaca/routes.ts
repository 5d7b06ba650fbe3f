import type { VenueAnswer, VenueRequest } from '../http.js';
import { accept, assetNamed, json } from './accept.js';
import { accountBody, activityBody, assetBody, orderBody, positionBody } from './bodies.js';
import { advance, begin, cancel } from './fills.js';
import { type Account, type Order, type State, isOpen } from './state.js';

const NOT_FOUND = json(404, { code: 40410000, message: 'order not found' });
const UNAUTHORIZED = json(401, { code: 40110000, message: 'request is not authorized' });
const DAY = 86_400_000;

const visible = (state: State, order: Order | undefined): Order | undefined =>
  order && order.visibleAt <= state.now() ? order : undefined;

const answerOrder = (state: State, order: Order | undefined): VenueAnswer =>
  order ? json(200, orderBody(order, state.now())) : NOT_FOUND;

function place(state: State, account: Account, body: string): VenueAnswer {
  const accepted = accept(state, account, body);
  if ('body' in accepted) return accepted;
  const answer = json(200, { ...orderBody(accepted, state.now()), status: 'pending_new' });
  begin(state, account, accepted);
  if (accepted.filledQty.gt('0')) return json(200, orderBody(accepted, state.now()));
  advance(state, account);
  return answer;
}

function list(state: State, account: Account, query: URLSearchParams): VenueAnswer {
  const wanted = query.get('status') ?? 'open';
  const most = Number(query.get('limit') ?? 50);
  const all = account.orders
    .filter((order) => visible(state, order))
    .filter((order) => wanted === 'all' || isOpen(order) === (wanted === 'open'));
  const sorted = query.get('direction') === 'asc' ? all : all.toReversed();
  return json(
    200,
    sorted.slice(0, most).map((order) => orderBody(order, state.now())),
  );
}

function remove(state: State, account: Account, orderId: string): VenueAnswer {
  const order = account.orders.find(({ id }) => id === orderId);
  if (!order) return NOT_FOUND;
  if (!isOpen(order)) {
    return json(422, { code: 42210000, message: `order is already in "${order.status}" state` });
  }
  cancel(state, order);
  return { status: 204, body: '' };
}

/** Two adjoining days of round-the-clock sessions are enough: only `is_open` is imitated. */
const clock = (state: State): VenueAnswer =>
  json(200, {
    timestamp: new Date(state.now()).toISOString(),
    is_open: state.isOpen,
    next_open: new Date(state.now() + DAY).toISOString(),
    next_close: new Date(state.now() + DAY).toISOString(),
  });

function assets(state: State, query: URLSearchParams): VenueAnswer {
  const [status, wanted] = [query.get('status'), query.get('asset_class') ?? 'us_equity'];
  const found = [...state.assets.values()].filter(
    (asset) => asset.class === wanted && (status === null || asset.status === status),
  );
  return json(200, found.map(assetBody));
}

function positions(state: State, account: Account): VenueAnswer {
  const held = [...account.positions.keys()].flatMap((assetId) => {
    const asset = state.assets.get(assetId);
    return asset ? [positionBody(account, asset)] : [];
  });
  return json(200, held);
}

const MOST_ACTIVITIES = 100;

/** Those after a day, the newest first, after the last one of the page before. */
function activities(account: Account, query: URLSearchParams): VenueAnswer {
  const from = Date.parse(query.get('after') ?? '1970-01-01');
  const most = Math.min(MOST_ACTIVITIES, Number(query.get('page_size') ?? MOST_ACTIVITIES));
  const all = account.activities.filter(({ at }) => at > from).toReversed();
  const start = all.findIndex(({ id }) => id === query.get('page_token')) + 1;
  return json(200, all.slice(start, start + most).map(activityBody));
}

function get(state: State, account: Account, { path, query }: VenueRequest): VenueAnswer {
  const [, , subject = '', ...names] = path.split('/');
  const name = names.join('/');
  switch (subject) {
    case 'account':
      return name === 'activities'
        ? activities(account, query)
        : json(200, accountBody(state, account));
    case 'positions':
      return positions(state, account);
    case 'clock':
      return clock(state);
    case 'assets': {
      if (name === '') return assets(state, query);
      const asset = assetNamed(state, name);
      return asset
        ? json(200, assetBody(asset))
        : json(404, { code: 40410000, message: `asset not found for ${name}` });
    }
    case 'orders': {
      if (name === '') return list(state, account, query);
      const order = account.orders.find(({ id }) => id === name);
      return answerOrder(state, visible(state, order));
    }
    case 'orders:by_client_order_id': {
      const wanted = query.get('client_order_id');
      const order = account.orders.find(({ clientOrderId }) => clientOrderId === wanted);
      return answerOrder(state, visible(state, order));
    }
    default:
      return json(404, { message: 'Not Found' });
  }
}

/** The account that the headers prove: by a key and its secret, or by an access token. */
function accountOf(state: State, headers: VenueRequest['headers']): Account | undefined {
  const { authorization, 'apca-api-key-id': keyId, 'apca-api-secret-key': secret } = headers;
  if (authorization !== undefined) {
    const token = authorization.replace(/^Bearer /, '');
    return [...state.accounts.values()].find(({ accessTokens }) => accessTokens.has(token));
  }
  const account = state.accounts.get(keyId ?? '');
  return account?.secretKey === secret ? account : undefined;
}

/** Answers a request of the trading API as it is imitated here. */
export function answer(state: State, request: VenueRequest): VenueAnswer {
  const { method, path, headers } = request;
  const account = accountOf(state, headers);
  if (!account) return UNAUTHORIZED;
  advance(state, account);
  if (method === 'POST' && path === '/v2/orders') return place(state, account, request.body);
  if (method === 'DELETE' && path.startsWith('/v2/orders/')) {
    return remove(state, account, path.slice('/v2/orders/'.length));
  }
  if (method === 'GET') return get(state, account, request);
  return json(405, { message: 'Method Not Allowed' });
}
