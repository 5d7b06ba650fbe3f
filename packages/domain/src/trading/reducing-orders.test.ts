import { describe, expect, it } from '@jest/globals';
import {
  aBook,
  aCoin,
  aMarket,
  aRequest,
  aStock,
  amount,
  anOpenOrder,
  counting,
  ids,
  limit,
  oco,
  stopMarket,
  total,
} from '../../tests/builders.js';
import type { Book } from './book.js';
import { DEFAULT_SLIPPAGE } from './buffer.js';
import { submit } from './commands.js';
import type { IdentifiedRequest, Pricing } from './order.js';
import { decimal, sign } from '../numbers/decimal.js';
import { id } from '../ids.js';
import type { Market } from '../market/market.js';
import {
  type Placement,
  asIfFilled,
  maxOrderSize,
  onlyReducesAfter,
  placeable,
} from './max-order-size.js';

const stocks = [aStock('AAA'), aStock('BBB'), aStock('CCC')];
const market = aMarket({ stocks, quotes: { AAA: ['99', '100'], BBB: '10', CCC: '1' } });
const atMarket: Pricing = { type: 'market' };

describe('reduce_only of a dependent order', () => {
  const entry = anOpenOrder({ id: id('e'), stockId: id('BBB'), size: amount('0.1') });
  const book = { ...aBook(), openOrders: [entry] };
  const exit = {
    ...aRequest({ stockId: id('BBB'), action: 'sell', size: amount('0.1') }),
    dependsOn: ids('e'),
    reduceOnly: 'if_it_reduces' as const,
  };
  const reduceOnly = (changes: Partial<Placement>, of: Book = book, at = market) =>
    placeable(of, { ...exit, ...changes }, { type: 'stock', market: at }).reduceOnly;

  it.each<[string, Partial<Placement>, boolean]>([
    ['the exit of an entry', {}, true],
    ['part of it', { size: amount('0.05') }, true],
    ['by total at its limit', { size: total('1.5'), pricing: limit('15') }, true],
    ['by total at its stop', { size: total('0.5'), pricing: stopMarket('5') }, true],
    ['by total at the quote', { size: total('1') }, true],
    ['beyond the entry', { size: amount('0.100000000000000001') }, false],
    ['beyond the entry by total', { size: total('1.6'), pricing: limit('15') }, false],
    ['an OCO beyond it at the lower price', { size: total('1'), pricing: oco('9', '15') }, false],
    ['adding', { action: 'buy', size: amount('0.01') }, false],
    ['told that it may go short', { reduceOnly: false }, false],
    ['told that it may not', { reduceOnly: true, size: amount('5') }, true],
  ])('%s', (_, changes, expected) => {
    expect(reduceOnly(changes)).toBe(expected);
  });

  it('a short is bought back at the ask', () => {
    const short = aBook({ cash: '2', positions: { AAA: '-0.01' } });
    const cover = { stockId: id<'stock'>('AAA'), action: 'buy', dependsOn: [] } as const;
    expect(reduceOnly({ ...cover, size: total('1') }, short)).toBe(true);
    expect(reduceOnly({ ...cover, size: total('1.01') }, short)).toBe(false);
  });

  it('one whose price nobody knows yet is as if it was not there', () => {
    const blind = aMarket({ stocks, opensAt: null });
    expect(asIfFilled(book, ids('e'), blind).positions.size).toBe(0);
  });

  it.each<[string, Partial<Placement>, boolean]>([
    ['the exit of an entry', {}, true],
    ['beyond it', { size: amount('0.2') }, false],
    ['beyond it, told that it may not', { size: amount('0.2'), reduceOnly: true }, true],
    ['of a stock that is not there', { stockId: id('ZZZ') }, false],
  ])('is known before it is placed: %s', (_, changes, expected) => {
    expect(onlyReducesAfter(book, { ...exit, ...changes }, market)).toBe(expected);
  });

  it('an entry that has filled leaves a holding to be reduced as well', () => {
    const filled = aBook({ cash: '0', positions: { BBB: '0.1' } });
    expect(reduceOnly({ dependsOn: [] }, filled)).toBe(true);
  });

  it('a total at its own price needs no quote', () => {
    const blind = aMarket({ stocks, opensAt: null });
    const held = aBook({ positions: { BBB: '0.1', AAA: '1' } });
    const limited = { dependsOn: [], size: total('1.5'), pricing: limit('15') };
    expect(reduceOnly(limited, held, blind)).toBe(true);
    expect(() => reduceOnly({ ...limited, pricing: atMarket }, held, blind)).toThrow(
      expect.objectContaining({ code: 'value_unavailable' }),
    );
  });
});

describe('without value a strategy can only close', () => {
  const coin = aCoin('AAA');
  const at = aMarket({ stocks: [coin], quotes: { AAA: ['99', '100'] } });

  it.each([
    ['long', 'sell', limit('99'), '-2', '0.01'],
    ['short', 'buy', limit('100'), '0.5', '-0.01'],
    ['long, at market', 'sell', atMarket, '-2', '0.01'],
    ['worthless', 'sell', limit('99'), '-0.99', '0.01'],
  ] as const)(
    'the largest total of a %s one is accepted and opens nothing on the other side',
    (_, action, pricing, cash, held) => {
      const book = aBook({ cash, positions: { AAA: held } });
      for (const closesOnly of [false, true]) {
        const slippage = DEFAULT_SLIPPAGE;
        const largest = maxOrderSize(
          book,
          { stock: coin, action, pricing, slippage },
          at,
          closesOnly,
        );
        const size = { by: 'total', total: largest.total } as const;
        const asked = { ...aRequest({ action, pricing, size }), reduceOnly: false };
        const request = placeable(book, asked, { type: coin.security, market: at, closesOnly });
        const after = submit(book, [request], at, counting('t')).book;
        const left = after.positions.get(coin.id)?.amount;
        expect([0, sign(decimal(held))]).toContain(left ? sign(left) : 0);
      }
    },
  );
});

describe('while only closing is allowed', () => {
  const long = aBook({ cash: '0.01', positions: { AAA: '0.01' } });
  const short = aBook({ cash: '2', positions: { AAA: '-0.01' } });
  const blind = aMarket({ stocks, opensAt: null });

  it.each<[string, Book, Partial<IdentifiedRequest>, string, Market]>([
    ['a part of a long', long, { action: 'sell', size: amount('0.005') }, 'reduce-only', market],
    ['all of a short', short, { action: 'buy', size: amount('0.01') }, 'reduce-only', market],
    ['more than a long', long, { action: 'sell', size: amount('0.015') }, 'closing_only', market],
    ['more than a short', short, { action: 'buy', size: amount('0.015') }, 'closing_only', market],
    ['more of a long', long, { action: 'buy', size: amount('0.001') }, 'closing_only', market],
    ['more of a short', short, { action: 'sell', size: amount('0.001') }, 'closing_only', market],
    ['an entry', aBook(), { action: 'buy', size: amount('0.001') }, 'closing_only', market],
    ['an entry without quotes', aBook(), { action: 'buy' }, 'closing_only', blind],
    // At its lower price the total is more than is held; it trades no more than that.
    [
      'a total of a long by two prices',
      long,
      { action: 'sell', size: total('1'), pricing: oco('80', '125') },
      'reduce-only',
      market,
    ],
    [
      'a total of a short by two prices',
      short,
      { action: 'buy', size: total('1'), pricing: oco('125', '80') },
      'reduce-only',
      market,
    ],
  ])('%s', (_, book, request, outcome, at) => {
    const place = (): string => {
      try {
        const context = { type: 'stock', market: at, closesOnly: true } as const;
        return placeable(book, aRequest(request), context).reduceOnly ? 'reduce-only' : 'free';
      } catch (refusal) {
        return (refusal as { code: string }).code;
      }
    };
    expect(place()).toBe(outcome);
  });
});
