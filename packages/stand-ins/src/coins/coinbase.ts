import { createPublicKey, verify } from 'node:crypto';
import { decimal } from '@slipstream/domain';
import { json } from '../alpaca/accept.js';
import type { VenueAnswer, VenueRequest } from '../http.js';
import { type CoinExchange, type CoinOptions, coinExchange } from './exchange.js';
import {
  type CoinAccount,
  type CoinMarket,
  type CoinOrder,
  type CoinState,
  type Problem,
  DOLLARS,
  advance,
  availableOf,
  begin,
  cancel,
  heldBack,
  isOpen,
  newOrder,
  problemOf,
  shown,
  toldOf,
} from './state.js';

const idOf = ({ coin }: CoinMarket): string => `${coin}-USD`;
const UNAUTHORIZED: VenueAnswer = { status: 401, body: 'Unauthorized' };

const productBody = (market: CoinMarket) => ({
  product_id: idOf(market),
  price: market.bid.toFixed(),
  base_currency_id: market.coin,
  quote_currency_id: DOLLARS,
  base_increment: market.amountStep.toFixed(),
  quote_increment: '0.01',
  price_increment: market.priceStep.toFixed(),
  base_min_size: market.minAmount.toFixed(),
  quote_min_size: market.minTotal.toFixed(),
  base_max_size: market.maxAmount?.toFixed() ?? '1000000000000',
  quote_max_size: '150000000',
  status: 'online',
  is_disabled: false,
  trading_disabled: market.halted,
  cancel_only: false,
  limit_only: false,
  post_only: false,
  auction_mode: false,
  view_only: false,
  product_type: 'SPOT',
});

function products(state: CoinState, query: URLSearchParams): VenueAnswer {
  const asked = query.getAll('product_ids');
  const found = [...state.markets.values()].filter(
    (market) => market.listed && (asked.length === 0 || asked.includes(idOf(market))),
  );
  return json(200, { products: found.map(productBody), num_products: found.length });
}

const statusOf = (order: CoinOrder): string => {
  if (isOpen(order)) {
    if (order.cancelledAt !== null) return 'CANCEL_QUEUED';
    return order.market.halted ? 'PENDING' : 'OPEN';
  }
  return order.status.toUpperCase();
};

const orderBody = (state: CoinState, order: CoinOrder) => ({
  order_id: order.id,
  client_order_id: order.clientOrderId ?? '',
  product_id: idOf(order.market),
  side: order.side.toUpperCase(),
  status: statusOf(order),
  created_time: new Date(order.at).toISOString(),
  order_configuration: order.limit
    ? {
        limit_limit_gtc: {
          base_size: order.amount.toFixed(),
          limit_price: order.limit.toFixed(),
          post_only: false,
        },
      }
    : { market_market_ioc: { base_size: order.amount.toFixed() } },
  filled_size: toldOf(state, order).toFixed(),
  average_filled_price: order.price.toFixed(),
  filled_value: toldOf(state, order).times(order.price).toFixed(),
  total_fees: order.fee.toFixed(),
  pending_cancel: order.cancelledAt !== null && isOpen(order),
  product_type: 'SPOT',
  reject_message: '',
  cancel_message: order.status === 'cancelled' ? 'User requested cancel' : '',
});

const PROBLEMS: Readonly<Record<Problem, string>> = {
  funds: 'INSUFFICIENT_FUND',
  amount: 'INVALID_SIZE_PRECISION',
  price: 'INVALID_PRICE_PRECISION',
  small: 'ORDER_ENTRY_DISABLED',
  large: 'INVALID_BASE_SIZE_TOO_LARGE',
  rights: 'PERMISSION_DENIED',
};

/** A refusal of an order is a 200. */
const refused = (error: string): VenueAnswer =>
  json(200, {
    success: false,
    error_response: {
      error,
      message: 'the order was refused',
      error_details: '',
      preview_failure_reason: `PREVIEW_${error}`,
    },
  });

interface Fields {
  readonly client_order_id?: string;
  readonly product_id?: string;
  readonly side?: string;
  readonly order_ids?: readonly string[];
  readonly order_configuration?: {
    readonly limit_limit_gtc?: { readonly base_size: string; readonly limit_price: string };
    readonly market_market_ioc?: { readonly base_size: string };
  };
}

const placed = (order: CoinOrder): VenueAnswer =>
  json(200, {
    success: true,
    success_response: {
      order_id: order.id,
      product_id: idOf(order.market),
      side: order.side.toUpperCase(),
      client_order_id: order.clientOrderId,
    },
  });

function add(state: CoinState, account: CoinAccount, fields: Fields): VenueAnswer {
  const { client_order_id: id = '', product_id, order_configuration: form } = fields;
  const first = account.orders.find((order) => order.clientOrderId === id);
  if (first) return placed(first);
  const market = [...state.markets.values()].find((one) => idOf(one) === product_id);
  if (!market?.listed) return refused('UNKNOWN_PRODUCT_ID');
  const size = form?.limit_limit_gtc?.base_size ?? form?.market_market_ioc?.base_size;
  if (size === undefined) return refused('UNSUPPORTED_ORDER_CONFIGURATION');
  const limit = form?.limit_limit_gtc?.limit_price;
  const wanted = {
    clientOrderId: id,
    market,
    side: fields.side === 'BUY' ? ('buy' as const) : ('sell' as const),
    amount: decimal(size),
    limit: limit === undefined ? null : decimal(limit),
  };
  const problem = problemOf(state, account, wanted);
  if (problem === 'rights') {
    return json(403, { error: 'PERMISSION_DENIED', message: 'missing required scopes' });
  }
  if (problem) return refused(PROBLEMS[problem]);
  const order = newOrder(state, account, wanted);
  begin(state, account, order);
  return placed(order);
}

function remove(state: CoinState, account: CoinAccount, ids: readonly string[]): VenueAnswer {
  const results = ids.map((order_id) => {
    const order = account.orders.find(({ id }) => id === order_id);
    if (!order) return { success: false, failure_reason: 'UNKNOWN_CANCEL_ORDER', order_id };
    if (!isOpen(order))
      return { success: false, failure_reason: 'INVALID_CANCEL_REQUEST', order_id };
    cancel(state, order);
    return { success: true, failure_reason: 'UNKNOWN_CANCEL_FAILURE_REASON', order_id };
  });
  return json(200, { results });
}

function list(state: CoinState, account: CoinAccount, query: URLSearchParams): VenueAnswer {
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Number(query.get('limit') ?? 100);
  const all = shown(state, account);
  return json(200, {
    orders: all.slice(start, end).map((order) => orderBody(state, order)),
    has_next: end < all.length,
    cursor: end < all.length ? String(end) : '',
    sequence: '0',
  });
}

function balances(state: CoinState, account: CoinAccount, query: URLSearchParams): VenueAnswer {
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Number(query.get('limit') ?? 49);
  const all = [...account.balances.keys()].map((currency) => ({
    uuid: `account-${currency}`,
    name: `${currency} Wallet`,
    currency,
    available_balance: { value: availableOf(state, account, currency).toFixed(), currency },
    hold: { value: heldBack(state, account, currency).toFixed(), currency },
    type: currency === DOLLARS ? 'ACCOUNT_TYPE_FIAT' : 'ACCOUNT_TYPE_CRYPTO',
    active: true,
    ready: true,
  }));
  const has_next = end < all.length;
  const cursor = has_next ? String(end) : '';
  return json(200, { accounts: all.slice(start, end), has_next, cursor, size: all.length });
}

interface Token {
  readonly sub?: string;
  readonly uri?: string;
  readonly exp?: number;
}

const parsed = (text: string): Token => {
  try {
    return JSON.parse(text) as Token;
  } catch {
    return {};
  }
};

const tokenOf = ({ headers }: VenueRequest): readonly string[] =>
  (headers['authorization'] ?? '').replace(/^Bearer /, '').split('.');
const claimsOf = (request: VenueRequest): Token =>
  parsed(Buffer.from(tokenOf(request)[1] ?? '', 'base64url').toString());

/** The token is signed with the account's key, for this request, and of now. */
function isSigned(state: CoinState, { secret }: CoinAccount, request: VenueRequest): boolean {
  const [head = '', claims = '', signature = ''] = tokenOf(request);
  const { uri = '', exp = 0 } = claimsOf(request);
  return (
    uri.startsWith(`${request.method} `) &&
    uri.endsWith(request.path) &&
    exp * 1_000 >= state.now() &&
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey(secret), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  );
}

const ROOT = '/api/v3/brokerage/';

function answer(state: CoinState, request: VenueRequest): VenueAnswer {
  const { method, path, query, body } = request;
  const name = path.slice(ROOT.length);
  if (name === 'market/products') return products(state, query);
  const account = state.accounts.get(claimsOf(request).sub ?? '');
  if (!account || !isSigned(state, account, request)) return UNAUTHORIZED;
  advance(state, account);
  switch (`${method} ${name}`) {
    case 'GET key_permissions':
      return json(200, {
        can_view: true,
        can_trade: account.mayTrade,
        can_transfer: account.mayWithdraw,
        portfolio_uuid: account.id,
        portfolio_type: 'DEFAULT',
      });
    case 'GET accounts':
      return balances(state, account, query);
    case 'GET transaction_summary':
      return json(200, { fee_tier: { taker_fee_rate: state.fee.toFixed() } });
    case 'GET orders/historical/batch':
      return list(state, account, query);
    case 'POST orders':
      return add(state, account, JSON.parse(body) as Fields);
    case 'POST orders/batch_cancel':
      return remove(state, account, (JSON.parse(body) as Fields).order_ids ?? []);
    default:
      return json(404, { error: 'NOT_FOUND', message: 'route not found' });
  }
}

/** Imitates Coinbase's Advanced Trade API for spot trading. */
export const coinbaseStandIn = (options: CoinOptions): CoinExchange =>
  coinExchange(
    { answer, keyKind: (request) => (claimsOf(request).sub ?? '').slice(0, 2) },
    options,
  );
