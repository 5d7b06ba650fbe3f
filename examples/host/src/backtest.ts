import {
  type Allocation,
  type Book,
  type Decimal,
  type Market,
  type NextId,
  type TradedInstrument,
  decimal,
  id,
  newBook,
  planAllocations,
  strategyValue,
  submit,
} from '@slipstream/domain';

/** The closing prices of a day, by symbol. */
export interface Day {
  readonly date: string;
  readonly closes: Readonly<Record<string, string>>;
}

/** What a strategy was worth at the end of a day; 1 at its beginning. */
export interface DayOfStrategy {
  readonly date: string;
  readonly value: Decimal;
  readonly trades: number;
}

/** Part of the buying power that a plan leaves for costs. */
const BUFFER = decimal('0.002');
const HALF_SPREAD = decimal('0.0001');
const DAY = 24 * 60 * 60 * 1000;

const instrument = (symbol: string): TradedInstrument => ({
  id: id(symbol),
  symbol,
  security: 'stock',
  exchange: 'NYSE',
  status: 'active',
  fee: decimal('0'),
  slippage: decimal('0.0005'),
});

/** The market at a day's close, as the rules see it: they know no clock, no feed and no calendar of their own. */
function marketAt({ date, closes }: Day): Market {
  const now = Date.parse(date);
  const quotes = new Map(
    Object.entries(closes).map(([symbol, close]) => {
      const last = decimal(close);
      const spread = last.times(HALF_SPREAD);
      return [symbol, { bid: last.minus(spread), ask: last.plus(spread), last }] as const;
    }),
  );
  const quote: Market['quote'] = (stockId) => {
    const found = quotes.get(stockId);
    return found && { ...found, stockId, at: now };
  };
  return {
    now,
    stock: (stockId) => (quotes.has(stockId) ? instrument(stockId) : undefined),
    quote,
    freshQuote: quote,
    session: () => ({ opensAt: now, closesAt: now + DAY }),
  };
}

/** Holds these parts of its value in each symbol, and comes back to them every so many days. */
export function backtest(
  days: readonly Day[],
  parts: Readonly<Record<string, string>>,
  rebalanceEvery: number,
): DayOfStrategy[] {
  const allocations: Allocation[] = Object.entries(parts).map(([symbol, part]) => ({
    stockId: id<'stock'>(symbol),
    percent: decimal(part),
  }));
  let made = 0;
  const nextId: NextId = () => id(`id-${(made += 1)}`);
  let book: Book = newBook(id('mine'));
  return days.map((day, index) => {
    const market = marketAt(day);
    let trades = 0;
    if (index % rebalanceEvery === 0) {
      const plan = planAllocations(
        book,
        { allocations, slippage: BUFFER },
        { type: 'stock', market, nextId },
      );
      // Orders that can execute do so at once; the others wait in the book for the next `matchOrders`.
      const outcome = submit(book, plan.requests, market, nextId, 'replaced');
      book = outcome.book;
      trades = outcome.changes.filter(({ kind }) => kind === 'filled').length;
    }
    const value = strategyValue(book, market);
    if (!value) throw new Error(`${day.date} lacks the price of something that is held`);
    return { date: day.date, value, trades };
  });
}
