import {
  type Book,
  type Decimal,
  type Position,
  type Stock,
  type StockId,
  decimal,
  id,
  newBook,
} from '@slipstream/domain';
import { below, seeded } from './seeded.js';

const POSITIONS = 20;
/** The number of strategies that hold each stock. */
export const HOLDERS = 200;

/** Strategies of 20 positions each, over so many stocks that each stock has about 200 holders. */
export interface ManyStrategies {
  readonly stocks: readonly Stock[];
  readonly books: readonly Book[];
}

export const aStock = (index: number): Stock => ({
  id: stockIdOf(index),
  figiComposite: null,
  symbol: `S${index}`,
  stock: `S${index}`,
  name: `Stock ${index}`,
  sector: '',
  security: 'stock',
  exchange: 'NYSE',
  peg: 'USD',
  provider: 'bench',
  slippage: decimal('0'),
  fee: decimal('0'),
  links: {},
  status: 'active',
});

const uuid = (kind: string, index: number): string =>
  `00000000-0000-7000-${kind}-${String(index).padStart(12, '0')}`;

export const stockIdOf = (index: number): StockId => id<'stock'>(uuid('8001', index));
export const strategyIdOf = (index: number) => id<'strategy'>(uuid('8002', index));

/** Amounts with 18 decimal places; one in five is short. */
const amounts = (random: () => number): Decimal[] =>
  Array.from({ length: 997 }, (_, index) => {
    const places = String(1 + below(random, 999_999_999)).padStart(9, '0');
    return decimal(
      `${index % 5 === 0 ? '-' : ''}0.000${places}${String(100_000 + below(random, 899_999))}`,
    );
  });

export function manyStrategies(count: number, seed = 5): ManyStrategies {
  const random = seeded(seed);
  const stockCount = Math.max(POSITIONS, Math.round((count * POSITIONS) / HOLDERS));
  const pool = amounts(random);
  const averagePrice = decimal('100');
  const cash = decimal('0.1234');
  const realized = decimal('0');
  const books = Array.from({ length: count }, (_, index): Book => {
    const positions = new Map<StockId, Position>();
    while (positions.size < POSITIONS) {
      const stockId = stockIdOf(below(random, stockCount));
      const amount = pool[below(random, pool.length)] as Decimal;
      positions.set(stockId, {
        stockId,
        amount,
        averagePrice,
        cost: averagePrice.times(amount),
        realized,
        dividends: realized,
        createdAt: 0,
        updatedAt: 0,
      });
    }
    return { ...newBook(strategyIdOf(index)), cash, positions };
  });
  return { books, stocks: Array.from({ length: stockCount }, (_, index) => aStock(index)) };
}

/** Prices of successive quotes as text: in cents, around 100. */
export const randomPrice = (random: () => number): string =>
  (95 + below(random, 1000) / 100).toFixed(2);
