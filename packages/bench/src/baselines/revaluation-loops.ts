import { type Book, type StockId, decimal } from '@slipstream/domain';

/** The holders of each stock with their amounts; both loops iterate over them. */
type Holders<Amount> = Map<StockId, { readonly slots: Int32Array; readonly amounts: Amount }>;

function holdersOf<Amount>(
  books: readonly Book[],
  amounts: (texts: readonly string[]) => Amount,
): Holders<Amount> {
  const found = new Map<StockId, { slots: number[]; texts: string[] }>();
  books.forEach((book, slot) => {
    for (const { stockId, amount } of book.positions.values()) {
      const of = found.get(stockId) ?? { slots: [], texts: [] };
      of.slots.push(slot);
      of.texts.push(amount.toFixed());
      found.set(stockId, of);
    }
  });
  return new Map(
    [...found].map(([stockId, { slots, texts }]) => [
      stockId,
      { slots: Int32Array.from(slots), amounts: amounts(texts) },
    ]),
  );
}

/** Binary floats in typed arrays: as fast as possible, and not exact. One price for both sides. */
export function floatLoop(books: readonly Book[]) {
  const holders = holdersOf(books, (texts) => Float64Array.from(texts, Number));
  const values = new Float64Array(books.length);
  const prices = new Map<StockId, number>();
  return {
    values,
    tick(stockId: StockId, price: string): void {
      const next = Number(price);
      const rise = next - (prices.get(stockId) ?? 0);
      prices.set(stockId, next);
      const { slots, amounts } = holders.get(stockId) ?? { slots: [], amounts: [] };
      for (let at = 0; at < slots.length; at += 1) {
        const slot = slots[at] as number;
        values[slot] = (values[slot] as number) + (amounts[at] as number) * rise;
      }
    },
  };
}

/** The domain's decimals, changed by amount times price change: exact, in the most obvious way. */
export function decimalLoop(books: readonly Book[]) {
  const holders = holdersOf(books, (texts) => texts.map(decimal));
  const values = books.map(() => decimal('0'));
  const prices = new Map<StockId, ReturnType<typeof decimal>>();
  return {
    values,
    tick(stockId: StockId, price: string): void {
      const next = decimal(price);
      const rise = next.minus(prices.get(stockId) ?? decimal('0'));
      prices.set(stockId, next);
      const found = holders.get(stockId);
      found?.amounts.forEach((amount, at) => {
        const slot = found.slots[at] as number;
        values[slot] = (values[slot] as ReturnType<typeof decimal>).plus(amount.times(rise));
      });
    },
  };
}

const UNITS = 10n ** 18n;
const units = (text: string): bigint => {
  const [whole = '', places = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole) * UNITS + BigInt(places.padEnd(18, '0'));
  return text.startsWith('-') ? -size : size;
};

/** The value of a book in units of 1e-36: integers, with all positions summed again. */
export function summedValue(book: Book, price: (stockId: StockId) => string): bigint {
  let value = units(book.cash.toFixed()) * UNITS;
  for (const { stockId, amount } of book.positions.values())
    value += units(amount.toFixed()) * units(price(stockId));
  return value;
}

/** A decimal in units of 1e-36. */
export const inSums = (text: string): bigint => {
  const [whole = '', places = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole) * UNITS * UNITS + BigInt(places.padEnd(36, '0'));
  return text.startsWith('-') ? -size : size;
};
