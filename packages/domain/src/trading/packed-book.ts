import { type StockId, id } from '../ids.js';
import { ZERO, decimal, round18 } from '../numbers/decimal.js';
import type { Book, Position } from './book.js';

/** Stands between the figures of packed positions: no id and no figure contains it. */
export const PACKED_SEPARATOR = '\u001f';
/** The texts of a position: stock, amount, average price, cost, realized, dividends, created, updated. */
const TEXTS = 8;

/**
 * A book that rests: its positions are one text, which takes a tenth of their memory. In books that were stored before
 * these figures were, cost and dividends are empty: then they are the average price times the amount, and zero.
 */
export interface PackedBook extends Omit<Book, 'positions'> {
  readonly positions: string;
}

/** @throws when the id of a stock contains the separator. */
export const packBook = (book: Book): PackedBook => packBookBy(book, (stockId) => stockId);

/** The same with other texts for its stocks. */
export const packBookBy = (book: Book, nameOf: (stockId: StockId) => string): PackedBook => ({
  ...book,
  positions: [...book.positions.values()]
    .map((position) => textOf(position, nameOf(position.stockId)))
    .join(PACKED_SEPARATOR),
});

/** The book that was packed, to the last digit. */
export const unpackBook = (book: PackedBook): Book => unpackBookBy(book, (name) => id(name));

/** The same where other texts stand for its stocks. */
export function unpackBookBy(book: PackedBook, stockOf: (name: string) => StockId): Book {
  const positions = new Map<StockId, Position>();
  const texts = textsOf(book.positions);
  for (let at = 0; at < texts.length; at += TEXTS) {
    const position = positionOf(texts, at, stockOf(texts[at] as string));
    positions.set(position.stockId, position);
  }
  return { ...book, positions };
}

/** Answers what stands for a stock in a packed book; the amount, a plain text, is that of its position. */
export type Rename = (stockId: StockId, amount: string) => string;

/** The positions of a packed book with other texts for their stocks. */
export function renamed({ positions }: Pick<PackedBook, 'positions'>, rename: Rename): string {
  const texts: string[] = [];
  scan(positions, (from, stockEnd, amountEnd, end) => {
    const name = rename(
      id(positions.slice(from, stockEnd)),
      positions.slice(stockEnd + 1, amountEnd),
    );
    texts.push(name + positions.slice(stockEnd, end));
  });
  return texts.join(PACKED_SEPARATOR);
}

/** Tells the shorts of a packed book: what stands for the stock, and the amount, a plain text. */
export function visitShorts(
  { positions }: Pick<PackedBook, 'positions'>,
  visit: (name: string, amount: string) => void,
): void {
  scan(positions, (from, stockEnd, amountEnd) => {
    if (positions.startsWith('-', stockEnd + 1))
      visit(positions.slice(from, stockEnd), positions.slice(stockEnd + 1, amountEnd));
  });
}

/**
 * Where each packed position begins, and where its stock, its amount and itself end. Not by `split`: millions are scanned at a
 * start and each minute, and only two of the texts are needed.
 */
function scan(
  positions: string,
  each: (from: number, stockEnd: number, amountEnd: number, end: number) => void,
): void {
  const endOf = (from: number): number => {
    const end = positions.indexOf(PACKED_SEPARATOR, from);
    return end < 0 ? positions.length : end;
  };
  for (let from = 0; from < positions.length;) {
    const stockEnd = endOf(from);
    const amountEnd = endOf(stockEnd + 1);
    let end = amountEnd;
    for (let text = 2; text < TEXTS; text += 1) end = endOf(end + 1);
    each(from, stockEnd, amountEnd, end);
    from = end + 1;
  }
}

function textOf(position: Position, name: string): string {
  const { amount, averagePrice, cost, realized, dividends } = position;
  if (name.includes(PACKED_SEPARATOR)) throw new Error(`no stock can have the id ${name}`);
  const figures = [amount, averagePrice, cost, realized, dividends].map((one) => one.toFixed());
  return [name, ...figures, position.createdAt, position.updatedAt].join(PACKED_SEPARATOR);
}

const textsOf = (positions: string): readonly string[] =>
  positions === '' ? [] : positions.split(PACKED_SEPARATOR);

function positionOf(texts: readonly string[], at: number, stockId: StockId): Position {
  const amount = decimal(texts[at + 1] as string);
  const averagePrice = decimal(texts[at + 2] as string);
  const cost = texts[at + 3] as string;
  const dividends = texts[at + 5] as string;
  return {
    stockId,
    amount,
    averagePrice,
    cost: cost === '' ? round18(averagePrice.times(amount)) : decimal(cost),
    realized: decimal(texts[at + 4] as string),
    dividends: dividends === '' ? ZERO : decimal(dividends),
    createdAt: Number(texts[at + 6]),
    updatedAt: Number(texts[at + 7]),
  };
}
