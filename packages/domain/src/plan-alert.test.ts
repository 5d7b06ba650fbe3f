import { describe, expect, it } from '@jest/globals';
import { aBook, aCoin, aMarket, aStock, anAlert, counting, holdings } from '../tests/builders.js';
import { type Book, newBook } from './book.js';
import { DEFAULT_SLIPPAGE } from './buffer.js';
import { submit } from './commands.js';
import { decimal, decimalText } from './decimal.js';
import { id } from './ids.js';
import type { Market } from './market.js';
import { type Alert, type AlertPlan, planAlert } from './plan-alert.js';

const leverage = (text: string) => ({ leverage: decimal(text) });

const stocks = ['AAA', 'BBB'].map((name) => aStock(name));
const market = aMarket({ stocks, quotes: { AAA: '100', BBB: '10' } });
const plan = (book: Book, changes: Partial<Alert>, at: Market = market) =>
  planAlert(book, 'stock', anAlert(changes), at, counting('o'));

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
  it('but still replaces the open orders', () => {
    expect(at('0.5').replaces).toBe(true);
  });
});

describe('close, flat and leverage 0 close every position, without value or quote', () => {
  const book = aBook({ cash: '-7', positions: { BBB: '0.05', AAA: '-0.01' } });
  it.each<[string, Partial<Alert>]>([
    ['close', { action: 'close' }],
    ['flat', { action: 'flat' }],
    ['buy with leverage 0', leverage('0')],
    ['close with pyramiding', { action: 'close', pyramiding: 4 }],
  ])('%s', (_, changes) => {
    const planned = plan(book, changes, aMarket({ stocks, opensAt: null }));
    expect(lines(planned)).toEqual(['sell 0.05 BBB', 'buy 0.01 AAA']);
    expect(planned).toMatchObject({ verdict: 'accepted', replaces: true, strategyValue: null });
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
  ])('%s with %s is a partial exit: it trades and cancels nothing', (action, marketPosition) => {
    expect(plan(both, { action, marketPosition })).toMatchObject({
      requests: [],
      verdict: 'no_change',
      replaces: false,
    });
  });

  it('flat without a holding changes nothing', () => {
    expect(plan(aBook(), { action: 'sell', marketPosition: 'flat' }).verdict).toBe('no_change');
  });
});

describe('a target that does not fit beside the other holdings is refused', () => {
  // Value 1, of it BBB 1.5.
  const book = aBook({ cash: '-0.5', positions: { BBB: '0.15' } });
  const named = (attempt: () => unknown): string => {
    try {
      attempt();
    } catch (refusal) {
      expect(refusal).toMatchObject({ code: 'insufficient_buying_power' });
      return /largest leverage that fits is (\S+)$/.exec((refusal as Error).message)?.[1] ?? '';
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
      '0',
    ],
    ['nor beside more', aBook({ cash: '-2', positions: { BBB: '0.3' } }), leverage('1'), '0'],
  ])('%s', (_, held, changes, expected) => {
    expect(named(() => plan(held, changes))).toBe(expected);
  });

  it('the leverage that is named fits, also with steps held', () => {
    const stepped = aBook({ cash: '-0.9', positions: { BBB: '0.15', AAA: '0.004' } });
    const changes = { ...leverage('2'), pyramiding: 4 };
    const largest = named(() => plan(stepped, changes));
    expect(Number(largest)).toBeGreaterThan(0);
    expect(plan(stepped, { ...changes, ...leverage(largest) }).verdict).toBe('accepted');
    const next = decimalText(decimal(largest).plus(decimal('0.01')));
    expect(named(() => plan(stepped, { ...changes, ...leverage(next) }))).toBe(largest);
  });

  it('a target already met is no change, whatever the other holdings came to', () => {
    const over = aBook({ cash: '-1.1', positions: { BBB: '0.16', AAA: '0.005' } });
    expect(plan(over, leverage('0.5')).verdict).toBe('no_change');
  });

  it('a smaller holding always fits', () => {
    const over = aBook({ cash: '-2', positions: { BBB: '0.2', AAA: '0.01' } });
    expect(lines(plan(over, leverage('0.5')))).toEqual(['sell 0.005 AAA']);
    expect(lines(plan(over, { action: 'sell', ...leverage('0.5') }))).toEqual(['sell 0.015 AAA']);
  });

  it('two coins at the default leverage fit beside each other, whatever the first cost', () => {
    const coins = aMarket({
      stocks: [aCoin('AAA'), aCoin('BBB')],
      quotes: { AAA: ['99.9', '100'], BBB: '10' },
    });
    let held: Book = newBook(id('s1'));
    for (const stockId of ['AAA', 'BBB']) {
      const alert = anAlert({ stockId: id(stockId), slippage: DEFAULT_SLIPPAGE });
      const { requests } = planAlert(held, 'cryptocurrency', alert, coins, counting(stockId));
      held = submit(held, requests, coins, counting('t'), 'replaced').book;
    }
    expect(Object.keys(holdings(held))).toEqual(['AAA', 'BBB']);
  });
});

describe('refuses what cannot be sized', () => {
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
      () => planAlert(aBook(), 'cryptocurrency', anAlert(), market, counting('o')),
      'invalid_field',
    ],
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
  it('is skipped by what closes all, and told', () => {
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
