import { describe, expect, it } from '@jest/globals';
import {
  aBook,
  aCoin,
  aMarket,
  aStock,
  amount,
  anAlert,
  counting,
  holdings,
} from '../../tests/builders.js';
import { type Book, newBook } from '../trading/book.js';
import { DEFAULT_SLIPPAGE } from '../trading/buffer.js';
import { submit } from '../trading/commands.js';
import { decimal, decimalText } from '../numbers/decimal.js';
import { id } from '../ids.js';
import type { Market } from '../market/market.js';
import { type Alert, type AlertPlan, planAlert } from './plan-alert.js';

const leverage = (text: string) => ({ leverage: decimal(text) });

const stocks = ['AAA', 'BBB'].map((name) => aStock(name));
const market = aMarket({ stocks, quotes: { AAA: '100', BBB: '10' } });
const plan = (book: Book, changes: Partial<Alert>, at: Market = market) =>
  planAlert(book, anAlert(changes), { type: 'stock', market: at, nextId: counting('o') });

const lines = ({ requests }: AlertPlan): string[] =>
  requests.map(({ action, size, stockId }) =>
    [action, size.by === 'amount' ? decimalText(size.amount) : size.by, stockId].join(' '),
  );

const long = aBook({ cash: '0.5', positions: { AAA: '0.005' } });
const short = aBook({ cash: '1.5', positions: { AAA: '-0.005' } });

describe('without pyramiding an alert goes to the full target', () => {
  it.each<[string, Book, Partial<Alert>, string[]]>([
    ['buy', aBook(), { action: 'buy' }, ['buy 0.01 AAA']],
    ['long is buy', aBook(), { action: 'long' }, ['buy 0.01 AAA']],
    ['sell', aBook(), { action: 'sell' }, ['sell 0.01 AAA']],
    ['short is sell', aBook(), { action: 'short' }, ['sell 0.01 AAA']],
    ['leverage 2', aBook(), leverage('2'), ['buy 0.02 AAA']],
    ['leverage 0.01', aBook(), leverage('0.01'), ['buy 0.0001 AAA']],
    ['with the reserve', aBook(), { slippage: decimal('0.05') }, ['buy 0.009 AAA']],
    ['from what is held', long, {}, ['buy 0.005 AAA']],
    ['down to it', long, leverage('0.2'), ['sell 0.003 AAA']],
    ['reversing', long, { action: 'sell' }, ['sell 0.015 AAA']],
    ['reversing a short', short, { action: 'buy' }, ['buy 0.015 AAA']],
  ])('%s', (_, book, changes, expected) => {
    const planned = plan(book, changes);
    expect(lines(planned)).toEqual(expected);
    expect(planned).toMatchObject({ verdict: 'accepted', replaces: true });
  });

  it('leaves other stocks alone', () => {
    const book = aBook({ cash: '0.5', positions: { BBB: '0.05' } });
    expect(lines(plan(book, {}))).toEqual(['buy 0.01 AAA']);
  });
});

describe('a value of more than 18 places', () => {
  const fine = aMarket({ stocks, quotes: { AAA: '0.33', BBB: '10' } });
  const book = aBook({ cash: '0.1', positions: { AAA: '0.000000000000000003' } });
  it('leaves room for the largest target: nothing is rounded up before it is compared', () => {
    expect(lines(plan(book, { slippage: decimal('0'), leverage: decimal('2') }, fine))).toEqual([
      'buy 0.606060606060606063 AAA',
    ]);
  });
});

describe('a target already met trades nothing', () => {
  const at = (text: string) => plan(long, leverage(text));
  it.each([
    ['0.5', []],
    ['0.50009', []],
    ['0.5001', ['buy 0.000001 AAA']],
  ])('leverage %s, held 0.5', (text, expected) => {
    expect(lines(at(text))).toEqual(expected);
    expect(at(text).verdict).toBe(expected.length > 0 ? 'accepted' : 'no_change');
  });
  it('but still replaces the open orders, and says why', () => {
    const reason = 'the target is already met';
    expect(at('0.5')).toMatchObject({ replaces: true, reason, skipped: [{ reason }] });
  });
  it('unless it is a further step, however small', () => {
    const steps = { ...leverage('0.005'), pyramiding: 100 };
    const one = aBook({ cash: '0.99995', positions: { AAA: '0.0000005' } });
    expect(lines(plan(one, steps))).toEqual(['buy 0.0000005 AAA']);
  });
  it('is planned with its buffer and value, as one that trades', () => {
    for (const planned of [at('0.5'), at('1')])
      expect(planned).toMatchObject({
        strategyValue: decimal('1'),
        buffers: [{ buffer: { finalBuyingPower: decimal('2') } }],
      });
  });
});

describe('close, flat and leverage 0 close every position, without value or quote', () => {
  const book = aBook({ cash: '-7', positions: { BBB: '0.05', AAA: '-0.01' } });
  it.each<[string, Partial<Alert>]>([
    ['close', { action: 'close' }],
    ['flat', { action: 'flat' }],
    ['buy with leverage 0', leverage('0')],
    ['close with pyramiding', { action: 'close', pyramiding: 4 }],
    ['close with any market_position', { action: 'close', marketPosition: 'flat' }],
    ['flat with any market_position', { action: 'flat', marketPosition: 'long' }],
  ])('%s', (_, changes) => {
    const planned = plan(book, changes, aMarket({ stocks, opensAt: null }));
    expect(lines(planned)).toEqual(['sell 0.05 BBB', 'buy 0.01 AAA']);
    expect(planned).toMatchObject({ verdict: 'accepted', replaces: true, strategyValue: null });
  });
  it('a single one too, which is worth what the quotes say', () => {
    expect(plan(long, { action: 'close' })).toMatchObject({
      verdict: 'accepted',
      reason: null,
      strategyValue: decimal('1'),
    });
  });
  it('when flat nothing changes', () => {
    expect(plan(aBook(), { action: 'close' })).toMatchObject({
      requests: [],
      verdict: 'no_change',
      replaces: true,
    });
  });
});

describe('market_position gives the side (contract 3)', () => {
  const both = aBook({ cash: '0', positions: { AAA: '0.005', BBB: '0.05' } });
  type Row = [Alert['action'], Alert['marketPosition'], string[]];
  it.each<Row>([
    ['buy', 'long', ['buy 0.005 AAA']],
    ['sell', 'short', ['sell 0.015 AAA']],
    ['sell', 'flat', ['sell 0.005 AAA']],
    ['buy', 'flat', ['sell 0.005 AAA']],
  ])('%s with %s', (action, marketPosition, expected) => {
    expect(lines(plan(both, { action, marketPosition }))).toEqual(expected);
  });

  it.each<Row>([
    ['sell', 'long', []],
    ['short', 'long', []],
    ['buy', 'short', []],
  ])(
    '%s with %s is a partial exit: without sizes it trades and cancels nothing',
    (action, marketPosition) => {
      expect(plan(both, { action, marketPosition })).toMatchObject({
        requests: [],
        verdict: 'no_change',
        reason: expect.stringContaining(`${action} is against market_position ${marketPosition}`),
        replaces: false,
      });
    },
  );

  it('flat without a holding changes nothing', () => {
    expect(plan(aBook(), { action: 'sell', marketPosition: 'flat' }).verdict).toBe('no_change');
  });
});

describe("a partial exit with sizes shrinks the holding as the platform's position did (contract 7b.3)", () => {
  const long = aBook({ cash: '0', positions: { AAA: '0.01' } });
  const short = aBook({ cash: '2', positions: { AAA: '-0.01' } });
  const sizes = (size: string | null, previous: string | null) => ({
    positionSize: size === null ? null : decimal(size),
    previousPositionSize: previous === null ? null : decimal(previous),
  });
  const outOfLong = { action: 'sell', marketPosition: 'long' } as const;
  const outOfShort = { action: 'buy', marketPosition: 'short' } as const;

  it.each<[string, Book, Partial<Alert>, string]>([
    ['half', long, { ...outOfLong, ...sizes('5', '10') }, 'sell 0.005 AAA'],
    ['all but nothing', long, { ...outOfLong, ...sizes('0', '10') }, 'sell 0.01 AAA'],
    [
      'a third, rounded so that no more is kept',
      long,
      { ...outOfLong, ...sizes('2', '3') },
      'sell 0.003333333333333334 AAA',
    ],
    [
      'of a short, whose sizes are negative',
      short,
      { ...outOfShort, ...sizes('-2', '-8') },
      'buy 0.0075 AAA',
    ],
    [
      'of less than 0.0001 of the value',
      long,
      { ...outOfLong, ...sizes('99999', '100000') },
      'sell 0.0000001 AAA',
    ],
    [
      'by short, at any leverage and step',
      long,
      { ...outOfLong, action: 'short', leverage: decimal('2'), pyramiding: 4, ...sizes('1', '2') },
      'sell 0.005 AAA',
    ],
  ])('%s', (_, book, changes, line) => {
    const planned = plan(book, changes, aMarket({ stocks, opensAt: null }));
    expect(lines(planned)).toEqual([line]);
    expect(planned).toMatchObject({ verdict: 'accepted', reason: null, replaces: true });
    expect(planned.requests[0]).toMatchObject({ reduceOnly: true, origin: 'exit' });
  });

  it.each<[string, Book, Partial<Alert>, string]>([
    [
      'one size is missing',
      long,
      { ...outOfLong, ...sizes('5', null) },
      'tell no smaller position',
    ],
    [
      'the other size is missing',
      long,
      { ...outOfLong, ...sizes(null, '5') },
      'tell no smaller position',
    ],
    [
      'the position did not shrink',
      long,
      { ...outOfLong, ...sizes('5', '5') },
      'tell no smaller position',
    ],
    ['it grew', long, { ...outOfLong, ...sizes('6', '-5') }, 'tell no smaller position'],
    ['both are zero', long, { ...outOfLong, ...sizes('0', '0') }, 'tell no smaller position'],
    [
      'the strategy is flat',
      aBook(),
      { ...outOfLong, ...sizes('5', '10') },
      'the strategy is flat in AAA',
    ],
    [
      'the strategy is on the other side',
      short,
      { ...outOfLong, ...sizes('5', '10') },
      'the strategy is short in AAA',
    ],
  ])('nothing, and nothing is cancelled, when %s', (_, book, changes, reason) => {
    expect(plan(book, changes)).toMatchObject({
      requests: [],
      verdict: 'no_change',
      reason: expect.stringContaining(reason),
      replaces: false,
    });
  });

  it.each<[string, Partial<Alert>, string[]]>([
    ['with the side it tells', { action: 'buy', marketPosition: 'long' }, []],
    ['without market_position it is a reversal', { action: 'sell' }, ['sell 0.02 AAA']],
    ['flat closes', { action: 'sell', marketPosition: 'flat' }, ['sell 0.01 AAA']],
    ['leverage 0 closes', { ...outOfLong, leverage: decimal('0') }, ['sell 0.01 AAA']],
  ])('sizes are ignored otherwise: %s', (_, changes, expected) => {
    expect(lines(plan(long, { ...changes, ...sizes('5', '10') }))).toEqual(expected);
  });

  it('nothing of a delisted stock, whose order would wait for ever', () => {
    const gone = aMarket({
      stocks: [aStock('AAA', { status: 'delisted' })],
      quotes: { AAA: '100' },
    });
    expect(plan(long, { ...outOfLong, ...sizes('5', '10') }, gone)).toMatchObject({
      requests: [],
      verdict: 'no_change',
      replaces: false,
      strategyValue: decimal('1'),
    });
  });

  it('an unfilled one of another stock does not', () => {
    const closed = aMarket({ stocks, quotes: { AAA: '100', BBB: '10' }, opensAt: null });
    const both = aBook({ cash: '0', positions: { AAA: '0.005', BBB: '0.05' } });
    const other = plan(both, { ...outOfLong, stockId: id('BBB'), ...sizes('5', '10') }, closed);
    const { book } = submit(both, other.requests, closed, counting('t'));
    expect(book.openOrders).toHaveLength(1);
    expect(lines(plan(book, { ...outOfLong, ...sizes('5', '10') }, closed))).toEqual([
      'sell 0.0025 AAA',
    ]);
  });

  it('an unfilled one multiplies in, each time again', () => {
    const closed = aMarket({ stocks, quotes: { AAA: '100' }, opensAt: null });
    let book = long;
    for (const [size, previous] of [
      ['5', '10'],
      ['4', '5'],
      ['1', '4'],
    ]) {
      const planned = plan(book, { ...outOfLong, ...sizes(size ?? '', previous ?? '') }, closed);
      book = submit(book, planned.requests, closed, counting('t'), 'replaced').book;
    }
    // 0.01 x 5/10 x 4/5 x 1/4 = 0.001 must remain.
    expect(book.openOrders.map(({ size }) => size)).toEqual([amount('0.009')]);
    const stranger = {
      ...long,
      openOrders: book.openOrders.map((order) => ({ ...order, origin: 'plan' as const })),
    };
    expect(lines(plan(stranger, { ...outOfLong, ...sizes('1', '2') }))).toEqual(['sell 0.005 AAA']);
  });

  it('the present step follows from the filled holding', () => {
    const steps = { leverage: decimal('2'), pyramiding: 4 };
    const two = aBook({ cash: '0', positions: { AAA: '0.01' } });
    const market = aMarket({ stocks, quotes: { AAA: '100' } });
    const exit = plan(two, { ...outOfLong, ...steps, ...sizes('1', '2') }, market);
    const { book } = submit(two, exit.requests, market, counting('t'));
    expect(lines(plan(book, { action: 'buy', ...steps }, market))).toEqual(['buy 0.005 AAA']);
  });
});

describe('a target that does not fit beside the other holdings is refused', () => {
  // The value is 1, of which BBB is 1.5.
  const book = aBook({ cash: '-0.5', positions: { BBB: '0.15' } });
  const named = (attempt: () => unknown): string => {
    try {
      attempt();
    } catch (refusal) {
      expect(refusal).toMatchObject({ code: 'insufficient_buying_power' });
      const { message } = refusal as Error;
      return /(?:largest leverage that fits is|leverage fits:) (.+)$/.exec(message)?.[1] ?? '';
    }
    return 'fits';
  };

  it.each<[string, Book, Partial<Alert>, string]>([
    ['exactly what is left fits', book, leverage('0.5'), 'fits'],
    ['a step more does not', book, leverage('0.51'), '0.5'],
    ['nor a short', book, { action: 'sell', ...leverage('2') }, '0.5'],
    ['the first of four steps fits', book, { ...leverage('2'), pyramiding: 4 }, 'fits'],
    ['the first of two does not', book, { ...leverage('2'), pyramiding: 2 }, '1'],
    [
      'with the reserve a little more fits',
      book,
      { ...leverage('2'), slippage: decimal('0.05') },
      '0.55',
    ],
    [
      'nothing fits beside 2',
      aBook({ cash: '-1', positions: { BBB: '0.2' } }),
      leverage('0.01'),
      '0 closes every position',
    ],
    [
      'nor beside more',
      aBook({ cash: '-2', positions: { BBB: '0.3' } }),
      leverage('1'),
      '0 closes every position',
    ],
  ])('%s', (_, held, changes, expected) => {
    expect(named(() => plan(held, changes))).toBe(expected);
  });

  it('the leverage that is named fits, also during steps', () => {
    const stepped = aBook({ cash: '-0.9', positions: { BBB: '0.15', AAA: '0.004' } });
    const changes = { ...leverage('2'), pyramiding: 4 };
    const largest = named(() => plan(stepped, changes));
    expect(Number(largest)).toBeGreaterThan(0);
    expect(plan(stepped, { ...changes, ...leverage(largest) }).verdict).toBe('accepted');
    const next = decimalText(decimal(largest).plus(decimal('0.01')));
    expect(named(() => plan(stepped, { ...changes, ...leverage(next) }))).toBe(largest);
  });

  it('a target already met is no change, whatever the other holdings are worth', () => {
    const over = aBook({ cash: '-1.1', positions: { BBB: '0.16', AAA: '0.005' } });
    expect(plan(over, leverage('0.5')).verdict).toBe('no_change');
  });

  it('a smaller holding always fits', () => {
    const over = aBook({ cash: '-2', positions: { BBB: '0.2', AAA: '0.01' } });
    expect(lines(plan(over, leverage('0.5')))).toEqual(['sell 0.005 AAA']);
    expect(lines(plan(over, { action: 'sell', ...leverage('0.5') }))).toEqual(['sell 0.015 AAA']);
    const under = aBook({ cash: '0', positions: { BBB: '0.2', AAA: '-0.01' } });
    expect(lines(plan(under, { action: 'sell', ...leverage('0.5') }))).toEqual(['buy 0.005 AAA']);
  });

  it('two coins at the default leverage fit beside each other, whatever the first cost', () => {
    const coins = aMarket({
      stocks: [aCoin('AAA'), aCoin('BBB')],
      quotes: { AAA: ['99.9', '100'], BBB: '10' },
    });
    let held: Book = newBook(id('s1'));
    for (const stockId of ['AAA', 'BBB']) {
      const alert = anAlert({ stockId: id(stockId), slippage: DEFAULT_SLIPPAGE });
      const { requests } = planAlert(held, alert, {
        type: 'cryptocurrency',
        market: coins,
        nextId: counting(stockId),
      });
      held = submit(held, requests, coins, counting('t'), 'replaced').book;
    }
    expect(Object.keys(holdings(held))).toEqual(['AAA', 'BBB']);
  });
});

describe('refuses an alert that cannot be sized', () => {
  const delisted = aMarket({
    stocks: [aStock('AAA', { status: 'delisted' })],
    quotes: { AAA: '1' },
  });
  it.each<[string, () => unknown, string]>([
    ['an unknown stock', () => plan(aBook(), { stockId: id('ZZZ') }), 'not_found'],
    [
      'an unknown stock to close',
      () => plan(aBook(), { stockId: id('ZZZ'), action: 'close' }),
      'not_found',
    ],
    [
      'a stock of the other type',
      () =>
        planAlert(aBook(), anAlert(), { type: 'cryptocurrency', market, nextId: counting('o') }),
      'invalid_field',
    ],
    // Below zero it would go the other way.
    ['a leverage below 0', () => plan(aBook(), leverage('-1')), 'invalid_field'],
    ['one above 2', () => plan(aBook(), leverage('2.01')), 'invalid_field'],
    ...[0, -1, 2.5, 101, NaN].map((pyramiding): [string, () => AlertPlan, string] => [
      `${pyramiding} steps`,
      () => plan(aBook(), { pyramiding }),
      'invalid_field',
    ]),
    ['a slippage below 0', () => plan(aBook(), { slippage: decimal('-0.001') }), 'invalid_field'],
    ['one above the most', () => plan(aBook(), { slippage: decimal('0.051') }), 'invalid_field'],
    ['a delisted one', () => plan(aBook(), {}, delisted), 'stock_not_active'],
    ['one without a quote', () => plan(aBook(), {}, aMarket({ stocks })), 'quote_unavailable'],
    [
      'a book without a value',
      () => plan(aBook({ positions: { BBB: '1' } }), {}, aMarket({ stocks, quotes: { AAA: '1' } })),
      'value_unavailable',
    ],
    [
      'a value that is not positive',
      () => plan(aBook({ cash: '-1' }), {}),
      'insufficient_buying_power',
    ],
  ])('%s', (_, attempt, code) => {
    expect(attempt).toThrow(expect.objectContaining({ name: 'Refusal', code }));
  });
});

describe('a holding of a delisted stock', () => {
  it('is skipped by an alert that closes all, with a note', () => {
    const gone = aMarket({
      stocks: [aStock('AAA', { status: 'delisted' }), ...stocks.slice(1)],
      quotes: { AAA: '1', BBB: '1' },
    });
    const book = aBook({ positions: { AAA: '0.001', BBB: '0.001' } });
    const { requests, skipped } = plan(book, { action: 'close' }, gone);
    expect(requests.map(({ stockId }) => stockId)).toEqual(['BBB']);
    expect(skipped.map(({ stockId }) => stockId)).toEqual(['AAA']);
  });
});
