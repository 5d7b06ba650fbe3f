import { type Decimal, type TradingRules, ZERO, decimal, divide } from '@slipstream/domain';
import { BrokerRefused, type RequestAllowance } from '@slipstream/ports';
import { z } from 'zod';
import { readAs, textIn } from '../answers.js';
import type { Endpoint, ExchangeApi } from '../exchange-api.js';
import type { Balance, Listing, Market, Venue } from '../venue.js';
import {
  balancesAnswer,
  keyInfoAnswer,
  pairAnswer,
  pairsAnswer,
  statusesAnswer,
  tickersAnswer,
} from './answers.js';
import { codeOfAsset } from './assets.js';
import { movements } from './movements.js';
import { cancel, find, lookUp, place, taken } from './orders.js';

const KEY_INFO: Endpoint = { name: 'privatePostGetApiKeyInfo', counts: 'questions' };
const BALANCES: Endpoint = { name: 'privatePostBalanceEx', counts: 'questions' };
const PAIRS: Endpoint = { name: 'publicGetAssetPairs', counts: 'public' };
const TICKERS: Endpoint = { name: 'publicGetTicker', counts: 'public' };

const TITLE = 'Kraken';
const DOLLARS = ['ZUSD', 'USD'];
const HUNDRED = decimal('100');

const keyForm = z.object({
  api_key: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9+/]{40,80}={0,2}$/),
  private_key: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9+/]{40,120}={0,2}$/),
});

/** Its own words, such as `EOrder:Insufficient funds`; those of a warning begin with W. */
const WORDS = /[EW][A-Z][A-Za-z]+:[A-Za-z0-9 :_]{1,80}/g;

const MOST_A_MINUTE = { cancel: 0, find: 0, reduce: 5, increase: 15, read: 20 };

/**
 * Questions: a counter of 15 that loses one every three seconds. Orders have a counter for each market, of at least 60 that loses
 * one a second. What needs no key is counted by address, one a second.
 */
const ALLOWANCES: Readonly<Record<'questions' | 'orders' | 'public', RequestAllowance>> = {
  questions: {
    most: 14,
    within: 45_000,
    leftAlone: { cancel: 0, find: 1, reduce: 2, increase: 3, read: 3 },
  },
  orders: { most: 50, within: 60_000, leftAlone: MOST_A_MINUTE },
  public: { most: 50, within: 60_000, leftAlone: { ...MOST_A_MINUTE, increase: 5, read: 10 } },
};

const step = (places: number): Decimal => decimal(`1e-${places}`);

function marketOf(code: string, id: string, row: unknown): Market {
  const pair = readAs(TITLE, pairAnswer, row);
  const [, percent] = pair.fees?.[0] ?? [];
  return {
    code,
    id,
    amountStep: step(pair.lot_decimals),
    priceStep: pair.tick_size?.gt(ZERO) === true ? pair.tick_size : step(pair.pair_decimals),
    minAmount: pair.ordermin,
    minTotal: pair.costmin ?? ZERO,
    maxAmount: undefined,
    maxTotal: undefined,
    fee: percent && divide(percent, HUNDRED),
  };
}

async function markets(api: ExchangeApi): Promise<readonly Listing[]> {
  const { result } = await api.ask(PAIRS, {}, pairsAnswer, 'read');
  const read = (row: unknown, name: string): string => textIn(TITLE, row, name);
  return Object.entries(result)
    .filter(([id, row]) => {
      // Dark pools and tokens of stocks are other markets.
      const isCoin = read(row, 'aclass_base') === 'currency' && !/[.:]/.test(id);
      return isCoin && DOLLARS.includes(read(row, 'quote'));
    })
    .map(([id, row]) => {
      const code = api.codeOf(read(row, 'base'));
      return { code, id, alias: read(row, 'altname'), market: () => marketOf(code, id, row) };
    });
}

/** In words of Kraken's; in any other state no order can execute. */
const TRADING = ['online', 'limit_only'];

async function sessions(
  api: ExchangeApi,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TradingRules['session']>> {
  const { result } = await api.ask(PAIRS, { pair: ids.join(',') }, statusesAnswer, 'read');
  return new Map(
    Object.entries(result).map(([id, { status }]) => [
      id,
      TRADING.includes(status) ? 'open' : 'halted',
    ]),
  );
}

async function prices(
  api: ExchangeApi,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Decimal>> {
  const { result } = await api.ask(TICKERS, { pair: ids.join(',') }, tickersAnswer, 'read');
  return new Map(
    Object.entries(result).map(
      ([
        id,
        {
          b: [bid],
          c: [last],
        },
      ]) => [id, bid.gt(ZERO) ? bid : last],
    ),
  );
}

async function balances(api: ExchangeApi): Promise<readonly Balance[]> {
  const { result } = await api.ask(BALANCES, {}, balancesAnswer, 'read');
  const sums = new Map<string, Balance>();
  for (const [name, { balance, hold_trade, credit, credit_used }] of Object.entries(result)) {
    const code = codeOfAsset(api, name);
    const before = sums.get(code);
    const lent = (credit ?? ZERO).minus(credit_used ?? ZERO);
    const available = balance.plus(lent).minus(hold_trade);
    sums.set(code, {
      code,
      total: balance.plus(before?.total ?? ZERO),
      available: available.plus(before?.available ?? ZERO),
    });
  }
  return [...sums.values()];
}

/** Accounts at Kraken, spot. */
export const KRAKEN: Venue = {
  name: 'kraken',
  title: TITLE,
  exchange: 'KRAKEN',
  asksFor: [
    {
      name: 'api_key',
      description:
        'An API key of your account at Kraken that may query funds, orders, trades and ledger entries, create and cancel orders, and not withdraw.',
      required: true,
      example: 'ExampleExampleExampleExampleExampleExampleExampleExampleExam',
    },
    {
      name: 'private_key',
      description: 'The private key that Kraken shows once, beside the API key.',
      required: true,
      example:
        'ExampleExampleExampleExampleExampleExampleExampleExampleExampleExampleExampleExampleEx==',
    },
  ],
  keyOf(given) {
    const read = keyForm.safeParse(given);
    if (!read.success) {
      throw new BrokerRefused('api_key and private_key must be those of an API key of Kraken');
    }
    return { apiKey: read.data.api_key, secret: read.data.private_key };
  },
  allowances: ALLOWANCES,
  meanings: [
    [/^EAPI:(Invalid key|Invalid signature|Feature disabled)/, 'refused'],
    [/^(EService: ?Throttled|EOrder:Domain rate limit|EAuth:Too many)/, 'limited'],
    [/^EService:(Market in |Deadline elapsed)/, 'declined'],
    [/^EService:/, 'unknown'],
    [/^EGeneral:(Internal|Unexpected|Unknown)/, 'unknown'],
    // Kraken did what it was asked for, and ccxt takes the warning for an error.
    [/^W/, 'unknown'],
  ],
  said: (message) => [...new Set(message.match(WORDS) ?? [])].join(', '),
  async keyInfo(api) {
    const { result } = await api.ask(KEY_INFO, {}, keyInfoAnswer, 'find');
    const may = (right: string): boolean => result.permissions.some((one) => one.includes(right));
    return {
      accountId: result.iban.replaceAll(' ', ''),
      mayWithdraw: may('withdraw'),
      // Without the second it could place orders that nobody here could cancel.
      mayTrade: may('modify-trades') && may('close-trades'),
    };
  },
  markets,
  sessions,
  prices,
  balances,
  movements,
  place,
  taken,
  find,
  lookUp,
  cancel,
};
