import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Book,
  PACKED_SEPARATOR,
  type Position,
  type StockId,
  ZERO,
  decimal,
  id,
  newBook,
  packBook,
  packBookBy,
  unpackBook,
  unpackBookBy,
  renamed,
  visitShorts,
} from '../index.js';

const aFigure = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    fc.bigInt({ min: 0n, max: 10n ** 18n }),
  )
  .map(([whole, fraction]) => decimal(`${whole}.${String(fraction).padStart(18, '0')}`));
const aPosition = fc.record<Position>({
  stockId: fc.constantFrom('aapl.nasdaq', 'btc,usd', '1', '').map((text) => id<'stock'>(text)),
  ...{ amount: aFigure, averagePrice: aFigure, cost: aFigure, realized: aFigure },
  ...{ dividends: aFigure, createdAt: fc.nat(2 ** 42), updatedAt: fc.nat(2 ** 42) },
});
const aBook = fc.array(aPosition, { maxLength: 4 }).map((positions): Book => ({
  ...newBook(id('mine')),
  positions: new Map(positions.map((position) => [position.stockId, position])),
}));

describe('a packed book', () => {
  it('is unpacked to the last digit, its positions in their order', () => {
    fc.assert(
      fc.property(aBook, (book) => {
        const again = unpackBook(packBook(book));
        expect(again).toEqual(book);
        expect([...again.positions.keys()]).toEqual([...book.positions.keys()]);
      }),
    );
  });

  it('gets other texts for its stocks without being unpacked, and tells its amounts', () => {
    fc.assert(
      fc.property(aBook, (book) => {
        const stocks: StockId[] = [];
        const amounts: string[] = [];
        const nameOf = (stockId: StockId): string => String(stocks.indexOf(stockId));
        const positions = renamed(packBook(book), (stockId, amount) => {
          stocks.push(stockId);
          amounts.push(amount);
          return nameOf(stockId);
        });
        expect(stocks).toEqual([...book.positions.keys()]);
        expect(amounts).toEqual([...book.positions.values()].map((one) => one.amount.toFixed()));
        const packed = { ...book, positions };
        expect(packed).toEqual(packBookBy(book, nameOf));
        expect(unpackBookBy(packed, (name) => stocks[Number(name)] as StockId)).toEqual(book);
      }),
    );
  });

  it('tells its shorts without being unpacked', () => {
    fc.assert(
      fc.property(aBook, (book) => {
        const told: string[][] = [];
        visitShorts(packBook(book), (name, amount) => told.push([name, amount]));
        const shorts = [...book.positions.values()].filter(({ amount }) => amount.lt(ZERO));
        expect(told).toEqual(shorts.map(({ stockId, amount }) => [stockId, amount.toFixed()]));
      }),
    );
  });

  it('has the average price times the amount as the cost that it lacks, and no dividends', () => {
    const positions = ['aapl', '-0.3', '1.111111111111111111', '', '0', '', '7', '8'];
    const { positions: found } = unpackBook({
      ...newBook(id('mine')),
      positions: positions.join(PACKED_SEPARATOR),
    });
    expect(found.get(id('aapl'))).toMatchObject({
      cost: decimal('-0.333333333333333333'),
      dividends: decimal('0'),
    });
  });

  it('refuses a stock whose id has the separator', () => {
    const [position] = fc.sample(aPosition, 1) as [Position];
    const stockId = id<'stock'>(`a${PACKED_SEPARATOR}b`);
    const positions = new Map([[stockId, { ...position, stockId }]]);
    expect(() => packBook({ ...newBook(id('mine')), positions })).toThrow('no stock can have');
  });
});
