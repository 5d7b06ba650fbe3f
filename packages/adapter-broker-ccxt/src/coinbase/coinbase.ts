import { createPrivateKey } from 'node:crypto';
import { type Decimal, type TradingRules, ZERO } from '@slipstream/domain';
import { BrokerRefused, BrokerUnreachable, type RequestAllowance } from '@slipstream/ports';
import { z } from 'zod';
import { readAs, textIn } from '../answers.js';
import type { Endpoint, ExchangeApi } from '../exchange-api.js';
import type { Balance, Listing, Market, Venue } from '../venue.js';
import {
  type AccountRow,
  type StateRow,
  accountsAnswer,
  keyInfoAnswer,
  productAnswer,
  productsAnswer,
  statesAnswer,
  summaryAnswer,
} from './answers.js';
import { cancel, find, place } from './orders.js';

const KEY_INFO: Endpoint = { name: 'v3PrivateGetBrokerageKeyPermissions', counts: 'questions' };
const ACCOUNTS: Endpoint = { name: 'v3PrivateGetBrokerageAccounts', counts: 'questions' };
const SUMMARY: Endpoint = {
  name: 'v3PrivateGetBrokerageTransactionSummary',
  counts: 'questions',
};
const PRODUCTS: Endpoint = { name: 'v3PublicGetBrokerageMarketProducts', counts: 'public' };

const TITLE = 'Coinbase';

const keyForm = z.object({
  key_name: z
    .string()
    .trim()
    .regex(/^organizations\/[\w-]{1,60}\/apiKeys\/[\w-]{1,60}$/),
  private_key: z.string().trim().max(2_000),
});

/** As ccxt takes it. A key that was copied out of a JSON file has its line breaks as `\n`. */
function pemOf(text: string): string {
  try {
    const key = createPrivateKey(text.replaceAll('\\n', '\n'));
    const { asymmetricKeyDetails: details } = key;
    if (details?.namedCurve === 'prime256v1')
      return key.export({ type: 'sec1', format: 'pem' }).toString();
  } catch {
    // What Node says of it may quote it.
  }
  throw new BrokerRefused(
    'private_key must be the EC private key (ECDSA) of an API key of Coinbase, in PEM',
  );
}

const LEFT_ALONE = { cancel: 0, find: 30, reduce: 60, increase: 90, read: 120 };

/** Coinbase takes 30 a second and user, ten a second and address without a key. */
const ALLOWANCES: Readonly<Record<'questions' | 'orders' | 'public', RequestAllowance>> = {
  questions: { most: 600, within: 60_000, leftAlone: LEFT_ALONE },
  orders: { most: 600, within: 60_000, leftAlone: LEFT_ALONE },
  public: { most: 300, within: 60_000, leftAlone: LEFT_ALONE },
};

/** Codes such as `INSUFFICIENT_FUND`, in words. What says nothing is left out. */
const CODES =
  /"(?:error|preview_failure_reason|new_order_failure_reason)":\s*"([A-Z][A-Z_]{2,80})"/g;
const SAYS_NOTHING = /^UNKNOWN_FAILURE_REASON$/;

function said(message: string): string {
  const codes = [...message.matchAll(CODES)].map(([, code = '']) => code);
  const telling = codes.filter((code) => !SAYS_NOTHING.test(code));
  const words = telling.map((code) => code.replaceAll('_', ' ').toLowerCase());
  return [...new Set(words)].map((one) => `Coinbase: ${one}`).join(', ');
}

/** Zero is no limit. */
const largest = (size: Decimal | undefined): Decimal | undefined =>
  size?.gt(ZERO) === true ? size : undefined;

function marketOf(code: string, id: string, row: unknown): Market {
  const product = readAs(TITLE, productAnswer, row);
  return {
    code,
    id,
    amountStep: product.base_increment,
    priceStep: product.price_increment,
    minAmount: product.base_min_size,
    minTotal: product.quote_min_size,
    maxAmount: largest(product.base_max_size),
    maxTotal: largest(product.quote_max_size),
    fee: undefined,
  };
}

async function markets(api: ExchangeApi): Promise<readonly Listing[]> {
  const { products } = await api.ask(PRODUCTS, { product_type: 'SPOT' }, productsAnswer, 'read');
  const read = (row: unknown, name: string): string => textIn(TITLE, row, name);
  return products
    .filter((row) => read(row, 'quote_currency_id') === 'USD' && read(row, 'status') !== GONE)
    .map((row) => {
      const [id, code] = [read(row, 'product_id'), api.codeOf(read(row, 'base_currency_id'))];
      return { code, id, alias: id, market: () => marketOf(code, id, row) };
    });
}

/** Of a market that stays in the list after its end. */
const GONE = 'delisted';

const isTrading = (row: StateRow): boolean =>
  row.status === 'online' &&
  !row.is_disabled &&
  !row.trading_disabled &&
  !row.cancel_only &&
  !row.post_only &&
  !row.auction_mode &&
  !row.view_only;

const states = async (api: ExchangeApi, ids: readonly string[]): Promise<readonly StateRow[]> =>
  (await api.ask(PRODUCTS, { product_ids: ids }, statesAnswer, 'read')).products;

async function sessions(
  api: ExchangeApi,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TradingRules['session']>> {
  const rows = await states(api, ids);
  return new Map(rows.map((row) => [row.product_id, isTrading(row) ? 'open' : 'halted']));
}

async function prices(
  api: ExchangeApi,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Decimal>> {
  const rows = await states(api, ids);
  return new Map(
    rows.flatMap(({ product_id: id, price }) => (price === '' ? [] : [[id, price] as const])),
  );
}

async function accountRows(api: ExchangeApi): Promise<{ rows: AccountRow[]; pages: number }> {
  const rows: AccountRow[] = [];
  let cursor = '';
  for (let pages = 1; ; pages += 1) {
    const params = { limit: 250, ...(cursor && { cursor }) };
    const answer = await api.ask(ACCOUNTS, params, accountsAnswer, 'read');
    rows.push(...answer.accounts);
    if (!answer.has_next) return { rows, pages };
    if (answer.cursor === '' || answer.cursor === cursor) {
      throw new BrokerUnreachable('Coinbase does not show all balances');
    }
    cursor = answer.cursor;
  }
}

/** Vaults and others are no part of what is traded. */
const TRADED = ['ACCOUNT_TYPE_CRYPTO', 'ACCOUNT_TYPE_FIAT'];

function sumsOf(api: ExchangeApi, rows: readonly AccountRow[]): readonly Balance[] {
  const sums = new Map<string, Balance>();
  for (const { currency, available_balance, hold, type } of rows) {
    if (!TRADED.includes(type)) continue;
    const code = api.codeOf(currency);
    const before = sums.get(code);
    const available = available_balance.value.plus(before?.available ?? ZERO);
    const held = before ? before.total.minus(before.available) : ZERO;
    sums.set(code, { code, available, total: available.plus(held).plus(hold.value) });
  }
  return [...sums.values()];
}

const textOf = (rows: readonly AccountRow[]): string => JSON.stringify(rows);

/** Several pages are of one moment when they are read twice alike. */
async function balances(api: ExchangeApi): Promise<readonly Balance[]> {
  let { rows, pages } = await accountRows(api);
  for (let read = 0; pages > 1; read += 1) {
    if (read === 3)
      throw new BrokerUnreachable('the account at Coinbase changed while it was read');
    const again = await accountRows(api);
    if (textOf(again.rows) === textOf(rows)) break;
    ({ rows, pages } = again);
  }
  return sumsOf(api, rows);
}

/** Accounts at Coinbase (Advanced Trade), spot. */
export const COINBASE: Venue = {
  name: 'coinbase',
  title: TITLE,
  exchange: 'COINBASE',
  asksFor: [
    {
      name: 'key_name',
      description:
        'The name of an API key of your account at Coinbase that may view and trade, and not transfer.',
      required: true,
      example: 'organizations/example/apiKeys/example',
    },
    {
      name: 'private_key',
      description: 'The private key (ECDSA) of that key in PEM; Coinbase shows it once.',
      required: true,
      example: '-----BEGIN EC PRIVATE KEY-----\\nExample\\n-----END EC PRIVATE KEY-----\\n',
    },
  ],
  keyOf(given) {
    const read = keyForm.safeParse(given);
    if (!read.success) {
      throw new BrokerRefused('key_name and private_key must be those of an API key of Coinbase');
    }
    return { apiKey: read.data.key_name, secret: pemOf(read.data.private_key) };
  },
  allowances: ALLOWANCES,
  meanings: [],
  said,
  async keyInfo(api) {
    const answer = await api.ask(KEY_INFO, {}, keyInfoAnswer, 'find');
    return {
      accountId: answer.portfolio_uuid,
      mayWithdraw: answer.can_transfer,
      mayTrade: answer.can_view && answer.can_trade,
    };
  },
  markets,
  sessions,
  prices,
  fee: async (api) => (await api.ask(SUMMARY, {}, summaryAnswer, 'read')).fee_tier.taker_fee_rate,
  balances,
  place,
  find,
  cancel,
};
