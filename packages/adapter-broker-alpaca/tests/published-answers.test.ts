import { describe, expect, it } from '@jest/globals';
import { BrokerUnreachable } from '@slipstream/ports';
import {
  accountAnswer,
  assetAnswer,
  clockAnswer,
  orderAnswer,
  positionsAnswer,
} from '../src/answers.js';
import { readAs } from '../src/api.js';
import { rulesOf } from '../src/assets.js';

const SCHEMAS = {
  order: orderAnswer,
  position: positionsAnswer.element,
  account: accountAnswer,
  asset: assetAnswer,
  clock: clockAnswer,
};

interface Published {
  /** How many of the published answers have these facts. */
  readonly count: number;
  readonly from: string;
  readonly kind: keyof typeof SCHEMAS;
  /** Of the fields that are read; ids are ours. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The first field that cannot be read, and why it is so; null when all can. */
  readonly refused: readonly [field: string, because: string] | null;
}

const NAMES = { id: 'order-1', client_order_id: 'client-1', asset_id: 'asset-1' };
const PLACEHOLDER = 'a placeholder of the documents is no symbol';
const FIRST_VERSION = 'the first version of the API';
const OF_MONEY = 'an order over a sum of money is none of ours';

const anOrder = {
  ...NAMES,
  symbol: 'AAPL',
  asset_class: 'us_equity',
  side: 'buy',
  qty: 1,
  filled_qty: '0',
  filled_avg_price: null,
  status: 'accepted',
  commission: 1.25,
};
const firstOrder = {
  ...NAMES,
  side: 'buy',
  qty: '15',
  filled_qty: '0',
  filled_avg_price: '107.00',
  status: 'new',
};
const aPosition = {
  symbol: 'AAPL',
  exchange: 'NASDAQ',
  asset_class: 'us_equity',
  qty: '5',
  side: 'long',
  market_value: '600.0',
  current_price: '120.0',
  lastday_price: '119.0',
};
const anAsset = {
  id: 'asset-1',
  class: 'us_equity',
  exchange: 'NASDAQ',
  symbol: 'AAPL',
  status: 'active',
  tradable: true,
  shortable: true,
  borrow_status: 'easy_to_borrow',
  fractionable: true,
};

const ORDERS = 'alpaca-py tests/trading/trading_client/test_order_routes.py';
const POSITIONS = 'alpaca-py tests/trading/trading_client/test_position_routes.py';
const BROKER = 'alpaca-py tests/broker/broker_client/test_trading_routes.py';
const PYTHON = 'alpaca-trade-api-python tests/test_rest.py';

/** Answers in the test fixtures of Alpaca's own SDKs (Apache-2.0), by the facts that this adapter reads of them. */
const READ: readonly Published[] = [
  {
    count: 5,
    from: `${ORDERS} 30 138 190 240 396`,
    kind: 'order',
    facts: { ...anOrder, symbol: 'AAPL`' },
    refused: ['symbol', PLACEHOLDER],
  },
  {
    count: 1,
    from: `${ORDERS} 514`,
    kind: 'order',
    facts: { ...anOrder, symbol: 'SPY`' },
    refused: ['symbol', PLACEHOLDER],
  },
  {
    count: 1,
    from: `${ORDERS} 571`,
    kind: 'order',
    facts: { ...anOrder, symbol: 'AAPL`', side: 'sell' },
    refused: ['symbol', PLACEHOLDER],
  },
  {
    count: 1,
    from: `${ORDERS} 86`,
    kind: 'order',
    facts: { ...anOrder, symbol: 'SPY', filled_qty: 0, filled_avg_price: 0, status: 'new' },
    refused: null,
  },
  {
    count: 1,
    from: `${PYTHON} 1110`,
    kind: 'order',
    facts: { ...anOrder, symbol: 'SPY', qty: '1' },
    refused: null,
  },
  {
    count: 2,
    from: `${POSITIONS} 231, ${BROKER} 304`,
    kind: 'order',
    facts: { ...anOrder, qty: null },
    refused: ['qty', OF_MONEY],
  },
  {
    count: 2,
    from: `${POSITIONS} 284, ${BROKER} 358`,
    kind: 'order',
    facts: { ...anOrder, symbol: '{symbol}', qty: null },
    refused: ['symbol', PLACEHOLDER],
  },
  {
    count: 4,
    from: `${POSITIONS} 337 390, ${BROKER} 412 466`,
    kind: 'order',
    facts: { ...anOrder, symbol: 'AAPL`', qty: null },
    refused: ['symbol', PLACEHOLDER],
  },
  {
    count: 3,
    from: `${PYTHON} 93 131 230`,
    kind: 'order',
    facts: firstOrder,
    refused: ['symbol', FIRST_VERSION],
  },
  {
    count: 1,
    from: `${PYTHON} 268`,
    kind: 'order',
    facts: { ...firstOrder, qty: 15 },
    refused: ['symbol', FIRST_VERSION],
  },
  {
    count: 4,
    from: `${POSITIONS} 13 61, ${BROKER} 81 130`,
    kind: 'position',
    facts: aPosition,
    refused: null,
  },
  {
    count: 2,
    from: `${POSITIONS} 107, ${BROKER} 177`,
    kind: 'position',
    facts: { ...aPosition, symbol: '{symbol}' },
    refused: ['symbol', PLACEHOLDER],
  },
  {
    count: 2,
    from: `${PYTHON} 320 342`,
    kind: 'position',
    facts: { qty: '5', side: 'long', market_value: '600.0' },
    refused: ['symbol', FIRST_VERSION],
  },
  {
    count: 1,
    from: 'alpaca-py tests/trading/trading_client/test_account_routes.py 9',
    kind: 'account',
    facts: {
      account_number: '010203ABCD',
      status: 'ACTIVE',
      currency: 'USD',
      cash: '-23140.2',
      long_market_value: '126960.76',
      short_market_value: '0',
      buying_power: '262113.632',
      non_marginable_buying_power: '98945.02',
      multiplier: '4',
      shorting_enabled: true,
      account_blocked: false,
      trading_blocked: false,
      trade_suspended_by_user: false,
    },
    refused: null,
  },
  {
    count: 1,
    from: `${PYTHON} 30`,
    kind: 'account',
    facts: {
      status: 'ACTIVE',
      currency: 'USD',
      cash: '4000.32',
      account_blocked: false,
      trading_blocked: false,
    },
    refused: ['account_number', FIRST_VERSION],
  },
  {
    count: 3,
    from: 'alpaca-py tests/trading/trading_client/test_asset_routes.py 15 54 104',
    kind: 'asset',
    facts: anAsset,
    refused: null,
  },
  {
    count: 2,
    from: `${PYTHON} 53 71`,
    kind: 'asset',
    facts: { id: 'asset-1', exchange: 'NASDAQ', symbol: 'AAPL', status: 'active', tradable: true },
    refused: ['class', FIRST_VERSION],
  },
  { count: 1, from: `${PYTHON} 367`, kind: 'clock', facts: { is_open: true }, refused: null },
];

/** The rest of the 61, and why nothing here reads it. */
const NOT_ASKED_FOR: Readonly<Record<string, number>> = {
  'a cancellation that was taken: its status says all (204)': 2,
  'a cancellation that was refused: its status says all (404, 422)': 2,
  'the cancellation of all orders': 2,
  'the closing of all positions': 2,
  'the exercise of an option': 2,
  "the account's configuration": 3,
  'the positions of all accounts of a broker': 1,
  'the history of a portfolio': 4,
  'the calendar': 1,
  'a function of the test in place of an answer of 429': 1,
  'a refusal: those are in the table of errors': 4,
};

describe('the published answers', () => {
  it.each(READ)('$from: $kind', ({ kind, facts, refused }) => {
    const read = (): unknown => readAs<unknown>(SCHEMAS[kind], facts);
    if (refused) {
      expect(read).toThrow(BrokerUnreachable);
      expect(read).toThrow(new RegExp(`: ${refused[0]}$`));
    } else {
      expect(read()).toBeTruthy();
    }
  });

  it('are all here', () => {
    const counts = [...READ.map(({ count }) => count), ...Object.values(NOT_ASKED_FOR)];
    expect(counts.reduce((total, count) => total + count, 0)).toBe(61);
  });
});

// docs.alpaca.markets/us/changelog: 2026-06-05 (`borrow_status`), 2026-07-16 (`easy_to_borrow` may be left out, until 2026-09-22).
describe('a stock is sold short', () => {
  it.each([
    ['if it is easy to borrow', { borrow_status: 'easy_to_borrow' }, true],
    ['not if it is hard to borrow', { borrow_status: 'hard_to_borrow' }, false],
    ['not if it may not be', { borrow_status: 'easy_to_borrow', shortable: false }, false],
    ['not if a new word says how it is lent', { borrow_status: 'lent_on_mondays' }, false],
    ['not if nothing says that it is lent', {}, false],
  ])('%s', (_, facts, expected) => {
    const asset = readAs(assetAnswer, { ...anAsset, borrow_status: undefined, ...facts });
    expect(rulesOf(asset, true).allowsShort).toBe(expected);
  });
});
