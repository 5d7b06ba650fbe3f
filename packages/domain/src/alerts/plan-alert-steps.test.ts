import { describe, expect, it } from '@jest/globals';
import {
  type Prices,
  aBook,
  aCoin,
  aMarket,
  anAlert,
  counting,
  holdings,
} from '../../tests/builders.js';
import { type Book, newBook } from '../trading/book.js';
import { DEFAULT_SLIPPAGE, sizingBuffer } from '../trading/buffer.js';
import { submit } from '../trading/commands.js';
import { type Decimal, decimal, decimalText, divide } from '../numbers/decimal.js';
import { id } from '../ids.js';
import type { Market } from '../market/market.js';
import { type Alert, planAlert } from './plan-alert.js';
import { holding, strategyValue } from '../performance/valuation.js';

const leverage = (text: string) => ({ leverage: decimal(text) });

describe('with pyramiding each alert adds one step of leverage / pyramiding', () => {
  /** The holding in steps, as planned: |amount| x ask / value, against one step with its reserve. */
  const stepsHeld = (book: Book, at: Market, alert: Alert): Decimal => {
    const stock = at.stock(alert.stockId)!;
    const value = strategyValue(book, at)!;
    const { finalBuyingPower, buyingPower } = sizingBuffer(value, stock.fee, alert.slippage);
    const exposure = holding(book, stock.id).abs().times(at.quote(stock.id)!.ask);
    return divide(
      exposure.times(buyingPower).times(decimal(String(alert.pyramiding))),
      value.times(alert.leverage).times(finalBuyingPower),
    );
  };
  const send = (book: Book, alert: Alert, at: Market) => {
    const planned = planAlert(book, alert, {
      type: 'cryptocurrency',
      market: at,
      nextId: counting(`o${book.version}-`),
    });
    return { planned, ...submit(book, planned.requests, at, counting('t'), 'replaced') };
  };
  const coins = (prices: Prices, closed = false) =>
    aMarket({ stocks: [aCoin('AAA')], quotes: { AAA: prices }, opensAt: closed ? null : 0 });
  const rounded = (value: Decimal): number => Number(decimalText(value.round(0, 1)));

  it('leverage 2 in 4 steps targets 0.5, 1, 1.5 and 2', () => {
    const free = aMarket({ quotes: { AAA: '100' } });
    let book = aBook();
    const held = Array.from({ length: 4 }, () => {
      const alert = anAlert({ ...leverage('2'), pyramiding: 4 });
      const { requests } = planAlert(book, alert, {
        type: 'stock',
        market: free,
        nextId: counting(`o${book.version}-`),
      });
      book = submit(book, requests, free, counting('t'), 'replaced').book;
      return holdings(book)['AAA'];
    });
    expect(held).toEqual(['0.005', '0.01', '0.015', '0.02']);
  });

  describe.each([100, 10, 4, 2, 1])('%p steps', (pyramiding) => {
    const spreads: Prices[] = ['100', ['99.9', '100'], ['95', '100']];
    const rows = spreads.flatMap((prices) =>
      (['0', '0.002', '0.05'] as const).flatMap((slippage) =>
        (['buy', 'sell'] as const).flatMap((action) =>
          (['2', '1', '0.5'] as const).map((most) => ({ prices, slippage, action, most })),
        ),
      ),
    );
    it.each(rows)(
      'every alert advances exactly one step: $action to $most at $prices, slippage $slippage',
      ({ prices, slippage, action, most }) => {
        const at = coins(prices);
        const alert = anAlert({
          action,
          pyramiding,
          slippage: decimal(slippage),
          ...leverage(most),
        });
        let book: Book = newBook(id('s1'));
        for (let step = 1; step <= pyramiding; step += 1) {
          const sent = send(book, alert, at);
          expect(sent.changes.at(-1)?.kind).toBe('filled');
          book = sent.book;
          expect([step, rounded(stepsHeld(book, at, alert))]).toEqual([step, step]);
        }
        const again = send(book, alert, at);
        expect(['no_change', 'accepted']).toContain(again.planned.verdict);
        expect(rounded(stepsHeld(again.book, at, alert))).toBe(pyramiding);
      },
    );
  });

  const four = { ...leverage('2'), pyramiding: 4, slippage: DEFAULT_SLIPPAGE };
  const full = (at: Market): Book => {
    let book: Book = newBook(id('s1'));
    for (let step = 0; step < 4; step += 1) book = send(book, anAlert(four), at).book;
    return book;
  };

  it('an opposite alert reverses to the first step of the other side', () => {
    const at = coins('100');
    const { book } = send(full(at), anAlert({ ...four, action: 'sell' }), at);
    expect(holding(book, id('AAA')).lt(decimal('0'))).toBe(true);
    expect(rounded(stepsHeld(book, at, anAlert(four)))).toBe(1);
  });

  it('at full leverage a further alert rebalances toward the full target', () => {
    const book = full(coins('100'));
    // A rise adds more to the value than to the exposure: to hold 2x again the alert buys, and after a fall it sells.
    for (const [price, action] of [
      ['120', 'buy'],
      ['90', 'sell'],
    ] as const) {
      const at = coins(price);
      const sent = send(book, anAlert(four), at);
      expect(sent.planned.requests).toMatchObject([{ action }]);
      expect(rounded(stepsHeld(sent.book, at, anAlert(four)))).toBe(4);
    }
  });

  it('an accepted but unfilled alert does not advance the step', () => {
    const closed = coins('100', true);
    const first = send(newBook(id('s1')), anAlert(four), closed);
    const second = send(first.book, anAlert(four), closed);
    expect(second.planned.requests[0]?.size).toEqual(first.planned.requests[0]?.size);
    expect(second.book.openOrders).toHaveLength(1);
  });

  it('half a step rounds up', () => {
    const free = aMarket({ quotes: { AAA: '100' } });
    const bought = (held: string, cash: string) => {
      const alert = anAlert({ ...leverage('2'), pyramiding: 4 });
      const book = aBook({ cash, positions: { AAA: held } });
      const { size } = planAlert(book, alert, {
        type: 'stock',
        market: free,
        nextId: counting('o'),
      }).requests[0]!;
      return size.by === 'amount' ? decimalText(size.amount) : size.by;
    };
    // A holding of 0.75 is one and a half steps of 0.5, which count as two, so the next is the third. A little less counts
    // as one.
    expect(bought('0.0075', '0.25')).toBe('0.0075');
    expect(bought('0.0074', '0.26')).toBe('0.0026');
  });
});
