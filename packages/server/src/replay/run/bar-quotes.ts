import { type Decimal, type StockId, decimal, divide } from '@slipstream/domain';
import type { Bar, Prices } from '../data/bar.js';
import type { Phase } from './moments.js';

/** The prices of a quote, as newQuotes takes it. */
export interface BarQuote {
  readonly stock: StockId;
  readonly bid: Decimal;
  readonly ask: Decimal;
  readonly last: Decimal;
}

const ONE = decimal('1');
const TWO = decimal('2');

/** The factors of a stated spread around a price; undefined for none. */
export interface Sides {
  readonly bid: Decimal;
  readonly ask: Decimal;
}

/** Half of the spread on either side. */
export function sidesOf(spread: Decimal): Sides | undefined {
  const half = divide(spread, TWO);
  return half.eq(decimal('0')) ? undefined : { bid: ONE.minus(half), ask: ONE.plus(half) };
}

const priceOf = (price: number): Decimal => decimal(String(price));

/** The quotes that are kept by their price: a stock's prices come again and again. */
const KEPT = 2_000;

/** The quotes of one stock: bid and ask where the file has them, else the spread around the price. */
export class StockQuotes {
  private readonly known = new Map<number, BarQuote>();

  constructor(
    private readonly stock: StockId,
    private readonly sides: Sides | undefined,
  ) {}

  of({ prices, asks }: Bar, name: keyof Prices): BarQuote {
    const price = prices[name];
    if (asks) {
      const bid = priceOf(price);
      return { stock: this.stock, bid, ask: priceOf(asks[name]), last: bid };
    }
    const known = this.known.get(price);
    if (known) return known;
    if (this.known.size >= KEPT) this.known.clear();
    const made = this.around(priceOf(price));
    this.known.set(price, made);
    return made;
  }

  private around(last: Decimal): BarQuote {
    const { stock, sides } = this;
    if (!sides) return { stock, bid: last, ask: last, last };
    return { stock, bid: last.times(sides.bid), ask: last.times(sides.ask), last };
  }
}

/** The price of a bar in a phase, given the extreme that comes first. */
export function priceIn(phase: Exclude<Phase, 'closed'>, first: 'low' | 'high'): keyof Prices {
  if (phase === 'open' || phase === 'close') return phase;
  return (phase === 'first') === (first === 'low') ? 'low' : 'high';
}
