import type { Book, Position } from '../../trading/book.js';
import {
  type Decimal,
  PLACES,
  TWO,
  VALUE_PLACES,
  ZERO,
  decimal,
  fromUnits,
  inUnits,
} from '../../numbers/decimal.js';
import type { StockId, StrategyId } from '../../ids.js';
import { type LimbFactors, LimbSums, multiplierOf } from '../../numbers/limb-sums.js';
import { isFactor } from '../../numbers/limbs.js';
import type { Quote } from '../../market/stock.js';
import { StockNumbers } from '../../market/stock-numbers.js';
import { type Steps, finish } from '../../steps.js';
import { Entering } from './entering.js';
import { Holders } from './holders.js';

/** Most price moves are whole units of this place. */
const MOVE_PLACES = 8;
const MOVE = 10n ** BigInt(PLACES - MOVE_PLACES);

type Amount = Pick<Position, 'stockId' | 'amount'>;

/** The amount in units; undefined if it has too many places, or is too large for a factor. */
function amountOf({ amount }: Amount): bigint | undefined {
  const units = inUnits(amount, PLACES);
  return units !== undefined && isFactor(units) ? units : undefined;
}

/** A stock has two lists of holders, by its number. */
const LISTS = 2;
const [LONG, SHORT] = [0, 1];

/** Holdings that enter in one step. */
const A_STEP = 2_000;

/** Another price or cost with the same amount changes no value. */
const isSame = (one: Position | undefined, other: Position): boolean =>
  one === other || one?.amount.eq(other.amount) === true;

/**
 * The values of all strategies, kept up to date with every quote in exact integers: a quote costs one multiplication per
 * holder. Always the answer of `strategyValue`, or nothing: if a quote is missing, a figure has too many places, a holding
 * is 10^10 or more, or what is held was ever worth more than 10^17.
 */
export class Revaluation {
  /** The numbers of the stocks that it has met. */
  readonly stocks = new StockNumbers();
  private readonly slots = new Map<StrategyId, number>();
  private readonly strategies: StrategyId[] = [];
  /** By slot. Amounts times moves are added to them. */
  private readonly values = new LimbSums(PLACES + MOVE_PLACES);
  /** By slot, the number of figures that are not in the value. */
  private readonly lacking: number[] = [];
  /** Of each stock those that are long in it, then those that are short. */
  private readonly lists: Holders[] = [];
  /** Of first books; until they have entered, their values are lacking. */
  private readonly entering = new Entering();

  /** The value as `strategyValue` would answer it; undefined if only `strategyValue` can compute it. */
  valueOf(strategyId: StrategyId): Decimal | undefined {
    const slot = this.slots.get(strategyId);
    if (slot === undefined || this.lacking[slot] !== 0) return undefined;
    return this.values.of(slot);
  }

  /**
   * The sum of |value| over the holdings, as `grossExposure` would answer it; undefined if only `grossExposure` can compute
   * it. `book`: the last given one, whose shorts `visitShorts` tells as plain texts. Its longs need no look: together they
   * are worth the value without cash and shorts.
   */
  grossOf(
    book: Pick<Book, 'strategyId' | 'cash'>,
    visitShorts: (visit: (stockId: StockId, amount: string) => void) => void,
  ): Decimal | undefined {
    const slot = this.slots.get(book.strategyId);
    if (slot === undefined || this.lacking[slot] !== 0) return undefined;
    let gross = this.values.of(slot)?.minus(book.cash);
    visitShorts((stockId, amount) => {
      const price = fromUnits(this.listOf(stockId, SHORT).price as bigint, PLACES);
      gross = gross?.minus(TWO.times(decimal(amount)).times(price));
    });
    return gross;
  }

  /** Strategies whose value is known and at or below zero. */
  *atOrBelowZero(): Iterable<StrategyId> {
    for (const [slot, strategyId] of this.strategies.entries()) {
      if (this.lacking[slot] === 0 && this.values.isAtOrBelowZero(slot)) yield strategyId;
    }
  }

  /** The strategies that hold the stock. */
  *holders(stockId: StockId): Iterable<StrategyId> {
    if (this.stocks.find(stockId) === undefined) return;
    for (const side of [LONG, SHORT]) {
      for (const slot of this.listOf(stockId, side).slots())
        yield this.strategies[slot] as StrategyId;
    }
  }

  /** Sets the quote that values the stock; undefined removes it. */
  quote(stockId: StockId, quote: Pick<Quote, 'bid' | 'ask'> | undefined): void {
    this.reprice(this.listOf(stockId, LONG), quote && inUnits(quote.bid, PLACES));
    this.reprice(this.listOf(stockId, SHORT), quote && inUnits(quote.ask, PLACES));
  }

  /**
   * Takes the first book of a strategy. Its holdings, by the numbers of their stocks and with their amounts as plain texts, go to
   * what this answers. They count after `countEntered`.
   */
  enter({
    strategyId,
    cash,
  }: Pick<Book, 'strategyId' | 'cash'>): (stock: number, amount: string) => void {
    const slot = this.slotOf(strategyId);
    this.addCash(slot, cash, 1);
    return (stock, amount) => {
      const list = stock * LISTS + (amount.startsWith('-') ? SHORT : LONG);
      const fits = this.entering.add(list, slot, amount);
      this.lack(slot, fits ? 1 : 2);
    };
  }

  /** Counts the holdings of all books that were entered, in steps. */
  *countEntered(): Steps<void> {
    let entered = 0;
    for (let list = 0; list < this.stocks.size * LISTS && !this.entering.isEmpty; list += 1) {
      const { price, factors } = this.listAt(list);
      const from = factors.length;
      entered += this.entering.enter(list, factors);
      // Without a price they still lack one.
      if (price !== undefined) {
        this.move(factors, price, from);
        this.lackAll(factors, -1, from);
      }
      if (entered < A_STEP) continue;
      yield;
      entered = 0;
    }
  }

  /** Replaces `before`, the last given book of the strategy (undefined at first), by `after`. */
  change(before: Book | undefined, after: Book): void {
    // The lists are in the order of slots, and a new one is the highest.
    if (!this.entering.isEmpty) finish(this.countEntered());
    const slot = this.slotOf(after.strategyId);
    this.addCash(slot, before?.cash ?? ZERO, -1);
    this.addCash(slot, after.cash, 1);
    if (before?.positions === after.positions) return;
    for (const position of before?.positions.values() ?? []) {
      if (!isSame(after.positions.get(position.stockId), position)) this.drop(slot, position);
    }
    for (const position of after.positions.values()) {
      if (!isSame(before?.positions.get(position.stockId), position)) this.add(slot, position);
    }
  }

  private slotOf(strategyId: StrategyId): number {
    const known = this.slots.get(strategyId);
    if (known !== undefined) return known;
    const slot = this.strategies.push(strategyId) - 1;
    this.values.push();
    this.lacking.push(0);
    this.slots.set(strategyId, slot);
    return slot;
  }

  private listAt(list: number): Holders {
    while (this.lists.length <= list) this.lists.push(new Holders());
    return this.lists[list] as Holders;
  }

  private listOf(stockId: StockId, side: number): Holders {
    return this.listAt(this.stocks.of(stockId) * LISTS + side);
  }

  private holdersOf({ stockId, amount }: Amount): Holders {
    return this.listOf(stockId, amount.gte(ZERO) ? LONG : SHORT);
  }

  private addCash(slot: number, cash: Decimal, sign: 1 | -1): void {
    const units = inUnits(cash, VALUE_PLACES);
    if (units === undefined) this.lack(slot, sign);
    else this.values.addUnits(slot, sign === 1 ? units : -units, VALUE_PLACES);
  }

  private lack(slot: number, count: number): void {
    this.lacking[slot] = (this.lacking[slot] as number) + count;
  }

  private lackAll(factors: LimbFactors, count: number, from = 0): void {
    for (let place = from; place < factors.length; place += 1)
      this.lack(factors.slot(place), count);
  }

  private add(slot: number, position: Amount): void {
    const holders = this.holdersOf(position);
    const { price, factors } = holders;
    const place = holders.place(slot);
    const amount = amountOf(position);
    factors.insert(place, slot, amount ?? 0n);
    if (amount === undefined) this.lack(slot, 1);
    if (price === undefined) this.lack(slot, 1);
    else this.move(factors, price, place, place + 1);
  }

  private drop(slot: number, position: Amount): void {
    const holders = this.holdersOf(position);
    const { price, factors } = holders;
    const place = holders.place(slot);
    if (amountOf(position) === undefined) this.lack(slot, -1);
    if (price === undefined) this.lack(slot, -1);
    else this.move(factors, -price, place, place + 1);
    factors.remove(place);
  }

  private reprice(holders: Holders, price: bigint | undefined): void {
    const { factors, price: before } = holders;
    if (price === before) return;
    holders.price = price;
    this.move(factors, (price ?? 0n) - (before ?? 0n));
    if (price === undefined || before === undefined)
      this.lackAll(factors, price === undefined ? 1 : -1);
  }

  /** Adds the effect of a price rise to the values of those holders. */
  private move(factors: LimbFactors, rise: bigint, from = 0, to = factors.length): void {
    const moves = rise % MOVE === 0n ? multiplierOf(rise / MOVE) : undefined;
    if (moves !== undefined) this.values.addProducts(factors, moves, from, to);
    else
      for (let place = from; place < to; place += 1)
        this.values.addUnits(factors.slot(place), factors.get(place) * rise, VALUE_PLACES);
  }
}
