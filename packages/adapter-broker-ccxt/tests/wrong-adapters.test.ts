import { describe, expect, it } from '@jest/globals';
import { brokerContract, failuresOf } from '@slipstream/port-contracts';
import type { Venue, VenueAnswer, VenueRequest } from '@slipstream/stand-ins';
import { type Name, openBroker } from './fixture.js';

type Fields = Record<string, unknown>;

const parsed = (body: string): Fields | undefined => {
  try {
    return JSON.parse(body) as Fields;
  } catch {
    return undefined;
  }
};

/** An adapter that takes answers for others. */
const taking =
  (change: (answer: VenueAnswer, request: VenueRequest) => VenueAnswer) =>
  (venue: Venue): Venue =>
  async (request) => {
    const answer = await venue(request);
    return typeof answer === 'string' ? answer : change(answer, request);
  };

/** One that reads the answers of that path as others. */
const reading = (path: string, change: (body: Fields) => Fields) =>
  taking((answer, request) => {
    const body = parsed(answer.body);
    if (!request.path.endsWith(path) || !body) return answer;
    return { ...answer, body: JSON.stringify(change(body)) };
  });

const inText = (path: string, from: RegExp, to: string) =>
  taking((answer, request) =>
    request.path.endsWith(path) ? { ...answer, body: answer.body.replaceAll(from, to) } : answer,
  );

const NO_ORDERS = { error: [], result: { open: {}, closed: {} } };
const NO_LIST = { orders: [], has_next: false, cursor: '' };

/** Faults of an adapter as they look from the venue, each with a case that must find it. */
const WRONG: readonly (readonly [string, string, Name, (venue: Venue) => Venue])[] = [
  [
    'takes a page for an empty list of orders',
    'BC-23',
    'kraken',
    taking((answer, { path }) =>
      path.endsWith('OpenOrders') && !parsed(answer.body)?.['result']
        ? { status: 200, body: JSON.stringify(NO_ORDERS) }
        : answer,
    ),
  ],
  [
    'takes no answer for no orders',
    'BC-23',
    'coinbase',
    taking((answer, { path }) =>
      path.endsWith('historical/batch') && !parsed(answer.body)?.['orders']
        ? { status: 200, body: JSON.stringify(NO_LIST) }
        : answer,
    ),
  ],
  [
    'takes an acceptance for a fill',
    'BC-33',
    'kraken',
    inText(
      'OpenOrders',
      /"status":"open"(.*?)"vol_exec":"0"(.*?)"price":"0"/g,
      '"status":"closed"$1"vol_exec":"10"$2"price":"101"',
    ),
  ],
  ['keeps what expired open', 'BC-39', 'kraken', inText('ClosedOrders', /"expired"/g, '"open"')],
  ['keeps what expired open', 'BC-39', 'coinbase', inText('batch', /"EXPIRED"/g, '"OPEN"')],
  [
    'forgets the fills of what was cancelled',
    'BC-26',
    'kraken',
    inText(
      'ClosedOrders',
      /"status":"canceled"(.*?)"vol_exec":"[\d.]+"/g,
      '"status":"canceled"$1"vol_exec":"0"',
    ),
  ],
  ['looks among the open orders only', 'BC-08', 'kraken', reading('ClosedOrders', () => NO_ORDERS)],
  [
    'sells all that it bought of a coin',
    'BC-05',
    'kraken',
    inText('BalanceEx', /"balance":"9\.96"/g, '"balance":"10"'),
  ],
  [
    'tells no fee',
    'BC-35',
    'coinbase',
    inText('batch', /"total_fees":"[\d.]+"/g, '"total_fees":"0"'),
  ],
  [
    'tells dollars that are free for all dollars',
    'BC-06',
    'coinbase',
    inText('accounts', /"type":"ACCOUNT_TYPE_CRYPTO"/g, '"type":"ACCOUNT_TYPE_VAULT"'),
  ],
  ['tells no halt', 'BC-32', 'kraken', inText('AssetPairs', /"cancel_only"/g, '"online"')],
  [
    'tells no halt',
    'BC-32',
    'coinbase',
    inText('products', /"trading_disabled":true/g, '"trading_disabled":false'),
  ],
  [
    'takes a limit of the rate for an outage',
    'BC-25',
    'coinbase',
    taking((answer) => (answer.status === 429 ? { ...answer, status: 503 } : answer)),
  ],
  [
    'tells withdrawals without their sign',
    'BC-47',
    'kraken',
    inText('Ledgers', /"amount":"-/g, '"amount":"'),
  ],
];

describe('the suite for brokers', () => {
  it.each(WRONG)('finds an adapter that %s, by %s (%s)', async (words, expected, name, around) => {
    const wrong = openBroker(name, {
      cancelling: 30_000,
      around,
      ...(expected === 'BC-05' && { feeIn: 'coin' as const }),
    });
    expect(await failuresOf(() => brokerContract(words, wrong), expected)).toEqual([expected]);
  });
});
