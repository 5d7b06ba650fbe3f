import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  START,
  ULP,
  aBook,
  aMarket,
  aQuote,
  aStock,
  amount,
  anOpenOrder,
  holdings,
  total,
} from '../../tests/builders.js';
import { ONE, ZERO, decimal, decimalText } from '../numbers/decimal.js';
import { bookFill, fillAt } from './fill.js';
import { id } from '../ids.js';
import type { Action, OpenOrder, Size } from './order.js';

const withFee = (fee: string) => aStock('AAA', { fee: decimal(fee) });

/** [amount, gross, fee, rounding] of a fill. */
function filled(
  changes: Partial<OpenOrder>,
  { price, fee = '0', held = '0' }: { price: string; fee?: string; held?: string },
): string[] {
  const fill = fillAt(anOpenOrder(changes), decimal(price), withFee(fee), decimal(held));
  return [fill.amount, fill.gross, fill.fee, fill.rounding].map(decimalText);
}

describe('an amount order fixes the quantity; the fee comes on top (buy) or off (sell)', () => {
  it.each<[Action, string, string, string[]]>([
    ['buy', '100', '0', ['0.5', '50', '0', '0']],
    ['buy', '100', '0.0025', ['0.5', '50', '0.125', '0']],
    ['sell', '100', '0.0025', ['0.5', '50', '0.125', '0']],
  ])('%s 0.5 at %s, fee %s', (action, price, fee, expected) => {
    expect(filled({ action, size: amount('0.5') }, { price, fee })).toEqual(expected);
  });

  it('rounds gross and fee once, half-even at 18 places, the fee from the exact gross', () => {
    expect(filled({ size: amount('0.000000000000000001') }, { price: '1.5', fee: '0.1' })).toEqual([
      '0.000000000000000001',
      '0.000000000000000002',
      '0',
      '0',
    ]);
    expect(filled({ size: amount('0.000000000000000005') }, { price: '0.5', fee: '0.1' })).toEqual([
      '0.000000000000000005',
      '0.000000000000000002',
      '0',
      '0',
    ]);
  });
});

describe('a total order fixes the cash; bought is rounded down, sold up', () => {
  it.each<[Action, string, string, string, string[]]>([
    [
      'buy',
      '1',
      '3',
      '0',
      ['0.333333333333333333', '0.999999999999999999', '0', '0.000000000000000001'],
    ],
    [
      'sell',
      '1',
      '3',
      '0',
      ['0.333333333333333334', '1.000000000000000002', '0', '0.000000000000000002'],
    ],
    ['buy', '1', '1', '0.25', ['0.8', '0.8', '0.2', '0']],
    ['sell', '0.75', '1', '0.25', ['1', '1', '0.25', '0']],
  ])('%s for %s at %s, fee %s', (action, cash, price, fee, expected) => {
    expect(filled({ action, size: total(cash) }, { price, fee })).toEqual(expected);
  });

  it.each<[Action, string, string, string[]]>([
    ['buy', '39', '0.04', ['75', '38', '1', '0']],
    ['sell', '61', '0.024', ['125', '62', '1', '0']],
  ])(
    'the fee gives way by one last place where gross and fee would both round past the total: %s',
    (action, cash, fee, expected) => {
      const places = (units: string) => decimalText(decimal(units).times(ULP));
      const fill = filled({ action, size: total(places(cash)) }, { price: '0.5', fee });
      expect(fill).toEqual(expected.map(places));
    },
  );

  it('trades nothing when the cash does not buy one unit of the last place', () => {
    expect(filled({ size: total('0.000000000000000001') }, { price: '2' })[0]).toBe('0');
  });

  it('moves exactly that cash, and what rounding leaves is tiny and never negative', () => {
    const aPart = fc.bigInt({ min: 1n, max: 10n ** 20n });
    const text = (digits: bigint) => {
      const padded = String(digits).padStart(19, '0');
      return `${padded.slice(0, -18)}.${padded.slice(-18)}`;
    };
    fc.assert(
      fc.property(
        fc.constantFrom<Action>('buy', 'sell'),
        aPart.map(text),
        aPart.map(text),
        fc
          .integer({ min: 0, max: 100 })
          .map((thousandths) => `0.${String(thousandths).padStart(3, '0')}`),
        (action, cash, price, fee) => {
          const order = anOpenOrder({ action, size: total(cash) });
          const fill = fillAt(order, decimal(price), withFee(fee), ZERO);
          if (fill.amount.eq(ZERO)) return;
          const moved =
            action === 'buy'
              ? fill.gross.plus(fill.fee).plus(fill.rounding)
              : fill.gross.minus(fill.fee).minus(fill.rounding);
          expect(decimalText(moved)).toBe(decimalText(decimal(cash)));
          const before = aBook({});
          const stocks = [withFee(fee)];
          const market = aMarket({ stocks });
          const { book } = bookFill(before, order, { ...fill, quote: null }, market, id('t1'));
          expect(decimalText(book.cash.minus(before.cash).abs())).toBe(decimalText(moved));
          expect(fill.rounding.gte(ZERO)).toBe(true);
          expect(fill.fee.gte(ZERO)).toBe(true);
          const bound = decimal(price)
            .times(ULP)
            .times(ONE.plus(decimal(fee)))
            .plus(ULP);
          expect(fill.rounding.lte(bound)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a total order whose quantity is beyond the holding by less than 1e-17 closes the holding', () => {
  it.each<[string, Action, string, string, string]>([
    ['beyond by 1e-18', 'sell', '1.000000000000000001', '1', '1'],
    ['beyond by 9e-18', 'sell', '1.000000000000000009', '1', '1'],
    ['beyond by 1e-17', 'sell', '1.00000000000000001', '1', '1.00000000000000001'],
    ['short of it by 1e-18', 'sell', '0.999999999999999999', '1', '0.999999999999999999'],
    ['a short, beyond by 1e-18', 'buy', '1.000000000000000001', '-1', '1'],
    ['a holding on the other side', 'buy', '1.000000000000000001', '1', '1.000000000000000001'],
    ['no holding at all', 'sell', '0.000000000000000001', '0', '0.000000000000000001'],
  ])('%s', (_, action, cash, held, expected) => {
    expect(filled({ action, size: total(cash) }, { price: '1', held })[0]).toBe(expected);
  });

  it('sells a holding out for its whole worth, though the division rounds up', () => {
    const [sold] = filled(
      { action: 'sell', size: total('0.999999999999999999') },
      { price: '3', held: '0.333333333333333333' },
    );
    expect(sold).toBe('0.333333333333333333');
  });
});

describe('reduce_only is cut to the holding', () => {
  it.each<[string, Action, Size, string, string]>([
    ['a smaller order is left as it is', 'sell', amount('0.4'), '1', '0.4'],
    ['a larger one is cut', 'sell', amount('2'), '1', '1'],
    ['a larger buy is cut to the short', 'buy', amount('2'), '-1', '1'],
    ['a total is cut', 'sell', total('2'), '1', '1'],
    ['a total within the holding is left', 'sell', total('0.4'), '1', '0.4'],
    ['nothing is left to sell when flat', 'sell', amount('2'), '0', '0'],
    ['nothing is left to sell when short', 'sell', amount('2'), '-1', '0'],
    ['nothing is left to buy when long', 'buy', total('2'), '1', '0'],
  ])('%s', (_, action, size, held, expected) => {
    expect(filled({ action, size, reduceOnly: true }, { price: '1', held })[0]).toBe(expected);
  });
});

describe('a booked fill', () => {
  const market = aMarket({ quotes: { AAA: ['99', '101'] }, now: START + 5 });
  const booked = (cash: string, held: string, action: Action, quantity: string) => {
    const book = aBook({ cash, positions: held === '0' ? {} : { AAA: held } });
    const order = anOpenOrder({ action, size: amount(quantity) });
    const fill = fillAt(order, decimal('10'), withFee('0.01'), decimal(held));
    return bookFill(book, order, { ...fill, quote: null }, market, id('t1'));
  };

  it.each<[string, string, Action, string, string, Record<string, string>, string, string]>([
    // entered at 1, filled at 10 with fee 1 %: cash, holding, average price, realized by the position
    ['opens a long', '0', 'buy', '2', '-19.2', { AAA: '2' }, '10', '-0.2'],
    ['opens a short', '0', 'sell', '2', '20.8', { AAA: '-2' }, '10', '-0.2'],
    ['adds to a long', '1', 'buy', '2', '-19.2', { AAA: '3' }, '7', '-0.2'],
    ['adds to a short', '-1', 'sell', '2', '20.8', { AAA: '-3' }, '7', '-0.2'],
    ['takes profit of a long', '3', 'sell', '1', '10.9', { AAA: '2' }, '1', '8.9'],
    ['takes loss of a short', '-3', 'buy', '1', '-9.1', { AAA: '-2' }, '1', '-9.1'],
    ['reverses a long', '1', 'sell', '3', '30.7', { AAA: '-2' }, '10', '8.7'],
    ['reverses a short', '-1', 'buy', '3', '-29.3', { AAA: '2' }, '10', '-9.3'],
  ])('%s', (_, held, action, quantity, cash, after, averagePrice, realized) => {
    const { book } = booked('1', held, action, quantity);
    const position = book.positions.get(id('AAA'));
    expect(decimalText(book.cash)).toBe(cash);
    expect(holdings(book)).toEqual(after);
    expect(decimalText(position?.averagePrice ?? ZERO)).toBe(averagePrice);
    expect(decimalText(position?.realized ?? ZERO)).toBe(realized);
  });

  it.each<[string, string, Action, string, string | null]>([
    ['nothing when it opens', '0', 'buy', '2', null],
    ['nothing when it adds', '-1', 'sell', '2', null],
    ['the gain of the part that it closes, less the fee', '3', 'sell', '1', '8.9'],
    ['the loss of the part that it closes, less the fee', '-3', 'buy', '1', '-9.1'],
    ['the gain of a whole holding', '2', 'sell', '2', '17.8'],
    ['the gain of what it reverses, less the whole fee', '1', 'sell', '3', '8.7'],
  ])('realizes %s', (_, held, action, quantity, realized) => {
    const { trade } = booked('1', held, action, quantity);
    expect(trade.realized && decimalText(trade.realized)).toBe(realized);
  });

  it('is not earlier than its quote, which may come while the decision waits for the database', () => {
    const order = anOpenOrder({ action: 'buy', size: amount('0.05') });
    const fill = fillAt(order, decimal('10'), withFee('0'), ZERO);
    const quote = aQuote('AAA', ['9', '10'], START + 7);
    const {
      trade,
      filled: closed,
      position,
    } = bookFill(...([aBook({}), order, { ...fill, quote }, market, id<'trade'>('t1')] as const));
    const times = [trade.createdAt, closed.closedAt, position.updatedAt];
    expect([trade.quoteAt, ...times]).toEqual(times.map(() => START + 7).concat(START + 7));
  });

  it('is of its decision, not of a quote from before it', () => {
    const order = anOpenOrder({ action: 'buy', size: amount('0.05') });
    const fill = fillAt(order, decimal('10'), withFee('0'), ZERO);
    const quote = aQuote('AAA', ['9', '10'], START + 3);
    const { trade, filled: closed } = bookFill(
      aBook({}),
      order,
      { ...fill, quote },
      market,
      id('t1'),
    );
    expect([trade.quoteAt, trade.createdAt, closed.closedAt]).toEqual([
      START + 3,
      START + 5,
      START + 5,
    ]);
  });

  it('keeps what was paid, fill after fill: cash is what it was, less the cost, plus what is realized', () => {
    const steps: [Action, string, string, string, string | null][] = [
      // the fill; the average price after it and what its trade realizes
      ['buy', '2', '10', '10', null],
      ['buy', '1', '4', '8', null],
      ['sell', '1.5', '10', '8', '2.85'],
      ['sell', '0.5', '6', '8', '-1.03'],
      ['sell', '2', '5', '5', '-3.1'],
    ];
    let book = aBook({ cash: '100' });
    for (const [action, quantity, price, average, realized] of steps) {
      const order = anOpenOrder({ action, size: amount(quantity) });
      const held = book.positions.get(id('AAA'))?.amount ?? ZERO;
      const fill = fillAt(order, decimal(price), withFee('0.01'), held);
      const next = bookFill(book, order, { ...fill, quote: null }, market, id('t1'));
      book = next.book;
      const { position, trade } = next;
      expect(decimalText(position.averagePrice)).toBe(average);
      expect(trade.realized && decimalText(trade.realized)).toBe(realized);
      expect(decimalText(book.cash.plus(position.cost).minus(position.realized))).toBe('100');
    }
  });

  it('leaves no position of zero', () => {
    expect(booked('1', '2', 'sell', '2').book.positions.size).toBe(0);
  });

  it('has the value right after it: cash and the long at bid', () => {
    const { trade, filled: order } = booked('1', '0', 'buy', '0.05');
    expect(decimalText(trade.strategyValue ?? ZERO)).toBe('5.445');
    expect(trade).toMatchObject({ id: 't1', orderId: 'o1', action: 'buy', createdAt: START + 5 });
    expect(order).toMatchObject({ status: 'filled', closedAt: START + 5 });
    expect(order).not.toHaveProperty('restingSince');
  });
});
