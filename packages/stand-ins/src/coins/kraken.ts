import { createHash, createHmac } from 'node:crypto';
import { type Decimal, ZERO, decimal } from '@slipstream/domain';
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
  begin,
  cancel,
  heldBack,
  isOpen,
  newOrder,
  problemOf,
  shown,
  toldOf,
} from './state.js';

/** What it calls the older currencies: an id, and another name in the names of markets. */
const ASSETS: Readonly<Record<string, readonly [string, string]>> = {
  BTC: ['XXBT', 'XBT'],
  ETH: ['XETH', 'ETH'],
  DOGE: ['XXDG', 'XDG'],
  USD: ['ZUSD', 'USD'],
};
const namesOf = (code: string): readonly [string, string] => ASSETS[code] ?? [code, code];
const pairId = ({ coin }: CoinMarket): string =>
  coin in ASSETS ? `${namesOf(coin)[0]}ZUSD` : `${coin}USD`;
const altName = ({ coin }: CoinMarket): string => `${namesOf(coin)[1]}USD`;

const result = (body: unknown): VenueAnswer => json(200, { error: [], result: body });
const refused = (error: string): VenueAnswer => json(200, { error: [error] });

const placesOf = (step: Decimal): number => (step.toFixed().split('.')[1] ?? '').length;
const MOST_SHOWN = 50;

function listed(state: CoinState, query: URLSearchParams): readonly CoinMarket[] | undefined {
  const all = [...state.markets.values()].filter((market) => market.listed);
  const asked = query.get('pair')?.split(',');
  if (!asked) return all;
  const found = all.filter((one) => asked.includes(pairId(one)) || asked.includes(altName(one)));
  return found.length === asked.length ? found : undefined;
}

const byId = (rows: readonly (readonly [string, unknown])[]): unknown => Object.fromEntries(rows);

const pairBody = (state: CoinState, market: CoinMarket) => ({
  altname: altName(market),
  wsname: `${namesOf(market.coin)[1]}/USD`,
  aclass_base: 'currency',
  base: namesOf(market.coin)[0],
  aclass_quote: 'currency',
  quote: 'ZUSD',
  pair_decimals: placesOf(market.priceStep),
  lot_decimals: placesOf(market.amountStep),
  cost_decimals: 5,
  fees: [[0, Number(state.fee.times('100').toFixed())]],
  ordermin: market.minAmount.toFixed(),
  costmin: market.minTotal.toFixed(),
  tick_size: market.priceStep.toFixed(),
  status: market.halted ? 'cancel_only' : 'online',
});

const tickerBody = ({ bid, ask }: CoinMarket) => ({
  a: [ask.toFixed(), '1', '1.000'],
  b: [bid.toFixed(), '1', '1.000'],
  c: [bid.toFixed(), '0.1'],
  o: bid.toFixed(),
});

function publicAnswer(state: CoinState, { path, query }: VenueRequest): VenueAnswer {
  const markets = listed(state, query);
  if (!markets) return refused('EQuery:Unknown asset pair');
  const body = path.endsWith('/Ticker') ? tickerBody : (one: CoinMarket) => pairBody(state, one);
  return result(Object.fromEntries(markets.map((one) => [pairId(one), body(one)])));
}

const WORDS: Readonly<Record<CoinOrder['status'], string>> = {
  open: 'open',
  filled: 'closed',
  cancelled: 'canceled',
  expired: 'expired',
  failed: 'canceled',
};

const orderBody = (state: CoinState, order: CoinOrder) => ({
  refid: null,
  userref: 0,
  cl_ord_id: order.clientOrderId,
  status: order.market.halted && isOpen(order) ? 'pending' : WORDS[order.status],
  reason: order.status === 'cancelled' ? 'User requested' : null,
  opentm: order.at / 1_000,
  descr: {
    pair: altName(order.market),
    type: order.side,
    ordertype: order.limit ? 'limit' : 'market',
    price: order.limit?.toFixed() ?? '0',
    leverage: 'none',
  },
  vol: order.amount.toFixed(),
  vol_exec: toldOf(state, order).toFixed(),
  cost: toldOf(state, order).times(order.price).toFixed(),
  fee: order.fee.toFixed(),
  price: order.price.toFixed(),
  oflags: state.feeIn === 'coin' && order.side === 'buy' ? 'fcib' : 'fciq',
});

const PROBLEMS: Readonly<Record<Problem, string>> = {
  funds: 'EOrder:Insufficient funds',
  amount: 'EGeneral:Invalid arguments:volume',
  price: 'EOrder:Invalid price',
  small: 'EOrder:Order minimum not met',
  large: 'EGeneral:Invalid arguments:volume',
  rights: 'EGeneral:Permission denied',
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function add(state: CoinState, account: CoinAccount, fields: URLSearchParams): VenueAnswer {
  const text = (name: string): string => fields.get(name) ?? '';
  const id = text('cl_ord_id');
  if (!UUID.test(id) && id.length > 18) return refused('EGeneral:Invalid arguments:cl_ord_id');
  if (fields.has('leverage')) return refused('EOrder:Cannot open position');
  const market = [...state.markets.values()].find((one) => pairId(one) === text('pair'));
  if (!market?.listed) return refused('EQuery:Unknown asset pair');
  const deadline = fields.get('deadline');
  if (deadline !== null && Date.parse(deadline) < state.now())
    return refused('EService:Deadline elapsed');
  if (account.orders.some((order) => isOpen(order) && order.clientOrderId === id))
    return refused('EOrder:cl_ord_id is not unique');
  const wanted = {
    clientOrderId: id || null,
    market,
    side: text('type') === 'buy' ? ('buy' as const) : ('sell' as const),
    amount: decimal(text('volume')),
    limit: text('ordertype') === 'limit' ? decimal(text('price')) : null,
  };
  const problem = problemOf(state, account, wanted);
  if (problem) return refused(PROBLEMS[problem]);
  const order = newOrder(state, account, wanted);
  begin(state, account, order);
  const at = order.limit ? `limit ${order.limit.toFixed()}` : 'market';
  const described = `${order.side} ${order.amount.toFixed(8)} ${altName(market)} @ ${at}`;
  return result({ txid: [order.id], descr: { order: described } });
}

function remove(state: CoinState, account: CoinAccount, id: string): VenueAnswer {
  const order = account.orders.find((one) => one.clientOrderId === id && isOpen(one));
  if (!order) return refused('EOrder:Unknown order');
  cancel(state, order);
  return result({ count: 1, pending: isOpen(order) });
}

function list(
  state: CoinState,
  account: CoinAccount,
  fields: URLSearchParams,
  open: boolean,
): VenueAnswer {
  const id = fields.get('cl_ord_id');
  const rows = shown(state, account)
    .filter((order) => isOpen(order) === open && (id === null || order.clientOrderId === id))
    .map((order) => [order.id, orderBody(state, order)] as const);
  return open
    ? result({ open: byId(rows) })
    : result({ closed: byId(rows.slice(0, MOST_SHOWN)), count: rows.length });
}

const balanceBody = (state: CoinState, account: CoinAccount) =>
  Object.fromEntries(
    [...account.balances].map(([code, amount]) => [
      namesOf(code)[0],
      {
        balance: amount.toFixed(),
        hold_trade: heldBack(state, account, code).toFixed(),
        ...(code === DOLLARS && { credit: ZERO.toFixed(), credit_used: ZERO.toFixed() }),
      },
    ]),
  );

function ledger(account: CoinAccount, fields: URLSearchParams): VenueAnswer {
  const start = Number(fields.get('start') ?? 0);
  const [first, kind] = [Number(fields.get('ofs') ?? 0), fields.get('type') ?? 'all'];
  const rows = account.ledger
    .filter((one) => (kind === 'all' || one.kind === kind) && one.at / 1_000 > start)
    .toReversed();
  const shownRows = rows
    .slice(first, first + MOST_SHOWN)
    .map(({ id, ...one }): [string, unknown] => [
      id,
      {
        refid: `F${id}`,
        time: one.at / 1_000,
        type: one.kind,
        asset: namesOf(one.currency)[0],
        amount: one.amount.toFixed(),
        fee: ZERO.toFixed(),
      },
    ]);
  return result({ ledger: byId(shownRows), count: rows.length });
}

const keyBody = (account: CoinAccount) => ({
  apiKeyName: 'test',
  permissions: [
    ...['query-funds', 'query-open-trades', 'query-closed-trades'],
    ...(account.mayTrade ? ['modify-trades', 'close-trades'] : []),
    ...(account.mayWithdraw ? ['withdraw-funds'] : []),
  ],
  iban: account.id.replace(/(.{4})(?=.)/g, '$1 '),
});

/** Kraken's signature: the path, then SHA-256 of nonce and body, by HMAC-SHA512. */
function isSigned({ secret }: CoinAccount, { path, headers, body }: VenueRequest): boolean {
  const nonce = new URLSearchParams(body).get('nonce') ?? '';
  const inner = createHash('sha256')
    .update(nonce + body)
    .digest();
  const sign = createHmac('sha512', Buffer.from(secret, 'base64')).update(path).update(inner);
  return sign.digest('base64') === headers['api-sign'];
}

const MOST_CALLS = 15;
const FORGOTTEN_A_SECOND = 0.33;

/** Questions are counted, and forgotten by and by; orders and cancellations are not counted here. */
function isWithinLimits(state: CoinState, account: CoinAccount, path: string): boolean {
  if (/(Add|Cancel)Order$/.test(path)) return true;
  const seconds = Math.max(0, state.now() - account.calledAt) / 1_000;
  const left = Math.max(0, account.calls - seconds * FORGOTTEN_A_SECOND);
  const calls = left + (path.endsWith('Ledgers') ? 2 : 1);
  Object.assign(account, { calledAt: state.now(), calls: Math.min(calls, MOST_CALLS) });
  return calls <= MOST_CALLS;
}

function answer(state: CoinState, request: VenueRequest): VenueAnswer {
  const { path, headers, body } = request;
  if (path.startsWith('/0/public/')) return publicAnswer(state, request);
  const account = state.accounts.get(headers['api-key'] ?? '');
  if (!account) return refused('EAPI:Invalid key');
  if (!isSigned(account, request)) return refused('EAPI:Invalid signature');
  const fields = new URLSearchParams(body);
  const nonce = Number(fields.get('nonce'));
  if (nonce <= account.nonce) return refused('EAPI:Invalid nonce');
  account.nonce = nonce;
  if (!isWithinLimits(state, account, path)) return refused('EAPI:Rate limit exceeded');
  advance(state, account);
  switch (path.slice('/0/private/'.length)) {
    case 'GetApiKeyInfo':
      return result(keyBody(account));
    case 'BalanceEx':
      return result(balanceBody(state, account));
    case 'OpenOrders':
      return list(state, account, fields, true);
    case 'ClosedOrders':
      return list(state, account, fields, false);
    case 'Ledgers':
      return ledger(account, fields);
    case 'AddOrder':
      return add(state, account, fields);
    case 'CancelOrder':
      return remove(state, account, fields.get('cl_ord_id') ?? '');
    default:
      return refused('EGeneral:Unknown method');
  }
}

/** Imitates Kraken's REST API for spot trading. */
export const krakenStandIn = (options: CoinOptions): CoinExchange =>
  coinExchange(
    { answer, keyKind: ({ headers }) => (headers['api-key'] ?? '').slice(0, 2) },
    options,
  );
