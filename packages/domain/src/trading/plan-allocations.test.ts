import { describe, expect, it } from '@jest/globals';
import {
  type Prices,
  START,
  aBook,
  aCoin,
  aMarket,
  aStock,
  anOpenOrder,
  counting,
  holdings,
  summarize,
} from '../../tests/builders.js';
import type { Book } from './book.js';
import { DEFAULT_SLIPPAGE } from './buffer.js';
import { submit } from './commands.js';
import { decimal, decimalText } from '../numbers/decimal.js';
import { id } from '../ids.js';
import type { Market } from '../market/market.js';
import { planAllocations } from './plan-allocations.js';
import type { Plan } from './plan.js';

const stocks = ['AAA', 'BBB', 'CCC', 'DDD'].map((name) => aStock(name));
const quotes: Record<string, Prices> = { AAA: '100', BBB: '10', CCC: '1', DDD: '50' };
const market = aMarket({ stocks, quotes });

const plan = (book: Book, targets: Record<string, string>, at: Market = market, slippage = '0') =>
  planAllocations(
    book,
    {
      allocations: Object.entries(targets).map(([stock, percent]) => ({
        stockId: id(stock),
        percent: decimal(percent),
      })),
      slippage: decimal(slippage),
    },
    { type: 'stock', market: at, nextId: counting('o') },
  );

/** `o1 buy 0.5 AAA after o2,o3`, one line per order. */
const lines = ({ requests }: Plan): string[] =>
  requests.map(({ id: name, action, size, stockId, dependsOn }) => {
    const quantity = size.by === 'amount' ? decimalText(size.amount) : size.by;
    const after = dependsOn.length > 0 ? ` after ${dependsOn.join()}` : '';
    return `${name} ${action} ${quantity} ${stockId}${after}`;
  });

describe('the target of a stock is percent x FinalBuyingPower / 2, its quantity that / ask', () => {
  it('divided once: a notional of more than 18 places is not rounded before', () => {
    const cheap = aMarket({ stocks, quotes: { AAA: '0.33', BBB: '0.0001' } });
    const book = aBook({ cash: '0.1', positions: { AAA: '0.000000000000000003' } });
    expect(lines(plan(book, { AAA: '0', BBB: '0.5' }, cheap))).toEqual([
      'o1 sell 0.000000000000000003 AAA',
      'o2 buy 500.00000000000000495 BBB after o1',
    ]);
  });
  it('as in the example: value 1, fee 0.0025, slippage 0.002, target 0.5 is 0.493', () => {
    const coins = aMarket({ stocks: [aCoin('BTC')], quotes: { BTC: '1' } });
    const { requests, buffers, strategyValue } = planAllocations(
      aBook(),
      {
        allocations: [{ stockId: id('BTC'), percent: decimal('0.5') }],
        slippage: DEFAULT_SLIPPAGE,
      },
      { type: 'cryptocurrency', market: coins, nextId: counting('o') },
    );
    expect(requests).toMatchObject([
      {
        pricing: { type: 'market' },
        size: { by: 'amount', amount: decimal('0.493') },
        origin: 'plan',
        reduceOnly: false,
      },
    ]);
    expect(decimalText(buffers[0]!.buffer.finalBuyingPower)).toBe('1.972');
    expect(decimalText(strategyValue!)).toBe('1');
  });

  it.each<[string, Prices, string[]]>([
    ['a long is sized at ask', ['90', '100'], ['o1 buy 0.005 AAA']],
    ['rounded down', '3', ['o1 buy 0.166666666666666666 AAA']],
  ])('%s', (_, prices, expected) => {
    const at = aMarket({ stocks, quotes: { AAA: prices } });
    expect(lines(plan(aBook(), { AAA: '0.5' }, at))).toEqual(expected);
  });

  it('a short is sized at ask too, rounded toward zero', () => {
    const at = aMarket({ stocks, quotes: { AAA: ['2', '3'] } });
    expect(lines(plan(aBook(), { AAA: '-0.5' }, at))).toEqual(['o1 sell 0.166666666666666666 AAA']);
  });

  it('a stale quote and a closed market still size', () => {
    const at = aMarket({ stocks, quotes, stale: ['AAA'], opensAt: null });
    expect(lines(plan(aBook(), { AAA: '0.5' }, at))).toEqual(['o1 buy 0.005 AAA']);
  });
});

describe('allocations are the complete set: reduces first, then by falling notional', () => {
  // Value 1: cash 0.2, AAA 0.5, BBB 0.3.
  const book = aBook({ cash: '0.2', positions: { AAA: '0.005', BBB: '0.03' } });
  it.each<[string, Record<string, string>, string[]]>([
    ['an omitted position is closed', { AAA: '0.5' }, ['o1 sell 0.03 BBB']],
    ['a 0 closes too', { AAA: '0.5', BBB: '0' }, ['o1 sell 0.03 BBB']],
    ['a 0 without a position does nothing', { AAA: '0.5', BBB: '0.3', CCC: '0' }, []],
    ['nothing is to do', { AAA: '0.5', BBB: '0.3' }, []],
    [
      'increases wait for every reduce',
      { AAA: '0.1', CCC: '0.3', DDD: '0.4' },
      [
        'o1 sell 0.004 AAA',
        'o2 sell 0.03 BBB',
        'o3 buy 0.008 DDD after o1,o2',
        'o4 buy 0.3 CCC after o1,o2',
      ],
    ],
    [
      'without a reduce nothing waits',
      { AAA: '0.6', BBB: '0.4', CCC: '0.2' },
      ['o1 buy 0.2 CCC', 'o2 buy 0.001 AAA', 'o3 buy 0.01 BBB'],
    ],
    [
      'across zero to a smaller size is a reduce',
      { AAA: '-0.4', BBB: '0.5' },
      ['o1 sell 0.009 AAA', 'o2 buy 0.02 BBB after o1'],
    ],
    [
      'across zero to a larger size is an increase',
      { AAA: '-0.6', BBB: '0.2' },
      ['o1 sell 0.01 BBB', 'o2 sell 0.011 AAA after o1'],
    ],
    [
      'across zero to the same size is an increase',
      { AAA: '-0.5', BBB: '0.2' },
      ['o1 sell 0.01 BBB', 'o2 sell 0.01 AAA after o1'],
    ],
  ])('%s', (_, targets, expected) => {
    expect(lines(plan(book, targets))).toEqual(expected);
  });

  it('buying a short back is a reduce', () => {
    const short = aBook({ cash: '1.5', positions: { AAA: '-0.005' } });
    expect(lines(plan(short, { AAA: '-0.2', CCC: '1' }))).toEqual([
      'o1 buy 0.003 AAA',
      'o2 buy 1 CCC after o1',
    ]);
  });

  it('a halted reduce does not block the rest', () => {
    const halted = [aStock('AAA', { status: 'halted' }), ...stocks.slice(1)];
    const at = aMarket({ stocks: halted, quotes });
    expect(lines(plan(book, { CCC: '0.5' }, at))).toEqual([
      'o1 sell 0.005 AAA',
      'o2 sell 0.03 BBB',
      'o3 buy 0.5 CCC after o2',
    ]);
  });
});

describe('closing needs no value and no quote', () => {
  const book = aBook({ cash: '-9', positions: { AAA: '0.005', BBB: '-0.03' } });
  it.each<[string, Record<string, string>]>([
    ['[]', {}],
    ['zeros alone', { AAA: '0' }],
  ])('%s closes all', (_, targets) => {
    const closing = plan(book, targets, aMarket({ stocks, opensAt: null }));
    expect(lines(closing)).toEqual(['o1 sell 0.005 AAA', 'o2 buy 0.03 BBB']);
    expect(closing.strategyValue).toBeNull();
  });
  it('[] is nothing to do when flat', () => {
    expect(lines(plan(aBook(), {}))).toEqual([]);
  });
});

describe('a change under 0.0001 of strategy_value is not traded unless it opens or closes', () => {
  const held = (amountHeld: string) => aBook({ cash: '0.5', positions: { AAA: amountHeld } });
  it.each<[string, Book, Record<string, string>, string[]]>([
    ['exactly 0.0001 is traded', held('0.005'), { AAA: '0.5001' }, ['o1 buy 0.000001 AAA']],
    ['less is not', held('0.005'), { AAA: '0.50009999' }, []],
    ['nor downwards', held('0.005'), { AAA: '0.49990001' }, []],
    ['it opens', aBook(), { AAA: '0.00001' }, ['o1 buy 0.0000001 AAA']],
    [
      'it closes',
      aBook({ cash: '0.99999', positions: { AAA: '0.0000001' } }),
      {},
      ['o1 sell 0.0000001 AAA'],
    ],
    [
      'it does both',
      aBook({ cash: '0.99999', positions: { AAA: '0.0000001' } }),
      { AAA: '-0.00001' },
      ['o1 sell 0.0000002 AAA'],
    ],
  ])('%s', (_, book, targets, expected) => {
    expect(lines(plan(book, targets))).toEqual(expected);
  });

  it('and the note names the skipped stock and the reason', () => {
    const book = aBook({ cash: '0.5', positions: { AAA: '0.0025', BBB: '0.025' } });
    expect(plan(book, { AAA: '0.25', BBB: '0.25001' }).skipped).toEqual([
      { stockId: 'AAA', reason: 'already there' },
      { stockId: 'BBB', reason: 'the change is under 0.0001 of strategy_value' },
    ]);
  });
});

describe('refuses what is invalid', () => {
  const ruined = aBook({ cash: '-1', positions: { AAA: '0.01' } });
  const twice = () =>
    planAllocations(
      aBook(),
      {
        allocations: ['0.1', '0.2'].map((percent) => ({
          stockId: id('AAA'),
          percent: decimal(percent),
        })),
        slippage: DEFAULT_SLIPPAGE,
      },
      { type: 'stock', market, nextId: counting('o') },
    );
  const reserving = (slippage: string) => () =>
    planAllocations(
      aBook(),
      { allocations: [], slippage: decimal(slippage) },
      { type: 'stock', market, nextId: counting('o') },
    );
  it.each<[string, () => Plan, string]>([
    ['a slippage below 0', reserving('-0.001'), 'invalid_field'],
    ['one above the most', reserving('0.051'), 'invalid_field'],
    ['more than 2', () => plan(aBook(), { AAA: '2.01' }), 'invalid_field'],
    ['less than -2', () => plan(aBook(), { AAA: '-2.01' }), 'invalid_field'],
    [
      'sizes over 2',
      () => plan(aBook(), { AAA: '1', BBB: '-1.000000000001001' }),
      'insufficient_buying_power',
    ],
    ['a stock twice', twice, 'invalid_field'],
    ['an unknown stock', () => plan(aBook(), { ZZZ: '1' }), 'not_found'],
    ['an unknown stock to close', () => plan(aBook(), { ZZZ: '0' }), 'not_found'],
    [
      'a stock of the other type',
      () => plan(aBook(), { BTC: '1' }, aMarket({ stocks: [aCoin('BTC')], quotes: { BTC: '1' } })),
      'invalid_field',
    ],
    [
      'a delisted stock',
      () =>
        plan(
          aBook(),
          { AAA: '1' },
          aMarket({ stocks: [aStock('AAA', { status: 'delisted' })], quotes }),
        ),
      'stock_not_active',
    ],
    [
      'a stock without a quote',
      () => plan(aBook(), { AAA: '1' }, aMarket({ stocks })),
      'quote_unavailable',
    ],
    [
      'opening without a value',
      () =>
        plan(
          aBook({ positions: { BBB: '1' } }),
          { AAA: '1' },
          aMarket({ stocks, quotes: { AAA: '1' } }),
        ),
      'value_unavailable',
    ],
    ['opening at a value of zero', () => plan(ruined, { BBB: '1' }), 'insufficient_buying_power'],
  ])('%s', (_, attempt, code) => {
    expect(attempt).toThrow(expect.objectContaining({ name: 'Refusal', code }));
  });

  it('accepts exactly 2, both sides together', () => {
    expect(lines(plan(aBook(), { AAA: '1', BBB: '-1' }))).toEqual([
      'o1 buy 0.01 AAA',
      'o2 sell 0.1 BBB',
    ]);
  });

  it('accepts a sum that binary floats put up to 1e-12 above 2', () => {
    expect(plan(aBook(), { AAA: '1', BBB: '-1.000000000001' }).requests).toHaveLength(2);
  });
});

describe('planned and submitted: all open orders are replaced, then the new ones execute', () => {
  it('reduces, releases, increases', () => {
    const waiting = anOpenOrder({ id: id('old') });
    const book = aBook({ cash: '0.5', positions: { AAA: '0.005' }, openOrders: [waiting] });
    const { requests } = plan(book, { CCC: '0.4', BBB: '0.5' });
    const { book: after, changes } = submit(book, requests, market, counting('t'), 'replaced');
    expect(summarize(changes)).toEqual([
      'cancelled old',
      'opened o1',
      'opened o2',
      'opened o3',
      'filled o1',
      'released o2',
      'released o3',
      'filled o2',
      'filled o3',
    ]);
    expect(holdings(after)).toEqual({ BBB: '0.05', CCC: '0.4' });
    expect(after.version).toBe(1);
  });

  it('full leverage on coins at a spread of 1 % fills within the limit of planned orders', () => {
    const coins = aMarket({ stocks: [aCoin('BTC')], quotes: { BTC: ['99', '100'] }, now: START });
    const target = [{ stockId: id<'stock'>('BTC'), percent: decimal('-2') }];
    const { requests } = planAllocations(
      aBook(),
      { allocations: target, slippage: decimal('0') },
      { type: 'cryptocurrency', market: coins, nextId: counting('o') },
    );
    const { changes } = submit(aBook(), requests, coins, counting('t'), 'replaced');
    expect(summarize(changes)).toEqual(['opened o1', 'filled o1']);
  });
});

describe('a holding of a delisted stock', () => {
  const gone = aMarket({
    stocks: [aStock('AAA', { status: 'delisted' }), ...stocks.slice(1)],
    quotes,
  });

  it('is skipped when everything is closed, with a note', () => {
    const book = aBook({ positions: { AAA: '0.001', BBB: '0.001' } });
    const { requests, skipped } = plan(book, {}, gone);
    expect(requests.map(({ stockId }) => stockId)).toEqual(['BBB']);
    expect(skipped.map(({ stockId, reason }) => [stockId, reason])).toEqual([
      ['AAA', 'AAA was delisted; a holding of it waits for the settle_price'],
    ]);
  });
});
