import type { Book, Position } from '../trading/book.js';
import {
  type Decimal,
  PLACES,
  VALUE_PLACES,
  ZERO,
  fromUnits,
  inUnits,
  textInUnits,
} from '../numbers/decimal.js';
import type { StockId, StrategyId } from '../ids.js';
import { LimbFactors, LimbSums, multiplierOf } from '../numbers/limb-sums.js';
import type { Quote } from '../market/stock.js';

/** Most price moves are whole units of this place. */
const MOVE_PLACES = 8;
const MOVE = 10n ** BigInt(PLACES - MOVE_PLACES);

/** The strategies that are long in a stock, or those that are short in it, with their amounts, in ascending order of their slots. */
class Holders {
  readonly factors = new LimbFactors();
  /** By slot, amounts that are too large for a factor, which is zero then. */
  readonly large = new Map<number, bigint>();
  /** The price that values the holding; undefined without a price that fits. */
  price: bigint | undefined;

  insert(place: number, slot: number, amount: bigint): void {
    const isLarge = !LimbFactors.fits(amount);
    this.factors.insert(place, slot, isLarge ? 0n : amount);
    if (isLarge) this.large.set(slot, amount);
  }

  /** Returns the removed amount. */
  remove(place: number): bigint {
    const amount = this.amount(place);
    this.large.delete(this.factors.slot(place));
    this.factors.remove(place);
    return amount;
  }

  amount(place: number): bigint {
    return this.large.get(this.factors.slot(place)) ?? this.factors.get(place);
  }

  /** The slots, in order. */
  *slots(): Iterable<number> {
    for (let place = 0; place < this.factors.length; place += 1) yield this.factors.slot(place);
  }

  /** The index of the slot, or the one where it would be inserted. */
  place(slot: number): number {
    let low = 0;
    let high = this.factors.length;
    // A new strategy has the highest slot.
    if (high > 0 && this.factors.slot(high - 1) < slot) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.factors.slot(middle) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Holding {
  readonly long: Holders;
  readonly short: Holders;
}

type Amount = Pick<Position, 'stockId' | 'amount'>;

/** Another price or cost with the same amount changes no value. */
const isSame = (one: Position | undefined, other: Position): boolean =>
  one === other || one?.amount.eq(other.amount) === true;

/**
 * The values of all strategies, kept up to date with every quote in exact integers: a quote costs one multiplication per
 * holder. Always the answer of `strategyValue`, or nothing if a quote is missing or a figure has too many places.
 */
export class Revaluation {
  private readonly slots = new Map<StrategyId, number>();
  private readonly strategies: StrategyId[] = [];
  private readonly values: bigint[] = [];
  /** By slot, the effect of price moves that is not in the value yet, in amounts times moves. */
  private readonly moves = new LimbSums();
  /** By slot, the number of figures that are not in the value. */
  private readonly lacking: number[] = [];
  private readonly stocks = new Map<StockId, Holding>();
  /** By slot, the value as a decimal, if it was asked for since it changed. */
  private readonly decimals: (Decimal | undefined)[] = [];

  /** The value as `strategyValue` would answer it; undefined if only `strategyValue` can compute it. */
  valueOf(strategyId: StrategyId): Decimal | undefined {
    const slot = this.slots.get(strategyId);
    if (slot === undefined || this.lacking[slot] !== 0) return undefined;
    this.fold(slot);
    return (this.decimals[slot] ??= fromUnits(this.values[slot] as bigint, VALUE_PLACES));
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
    const cash = inUnits(book.cash, VALUE_PLACES);
    if (slot === undefined || cash === undefined || this.lacking[slot] !== 0) return undefined;
    this.fold(slot);
    let gross = (this.values[slot] as bigint) - cash;
    visitShorts((stockId, amount) => {
      const price = this.stocks.get(stockId)?.short.price as bigint;
      gross -= 2n * (textInUnits(amount, PLACES) as bigint) * price;
    });
    return fromUnits(gross, VALUE_PLACES);
  }

  /** Strategies whose value is known and at or below zero. */
  *atOrBelowZero(): Iterable<StrategyId> {
    for (const [slot, strategyId] of this.strategies.entries()) {
      if (this.lacking[slot] !== 0) continue;
      this.fold(slot);
      if ((this.values[slot] as bigint) <= 0n) yield strategyId;
    }
  }

  /** The strategies that hold the stock. */
  *holders(stockId: StockId): Iterable<StrategyId> {
    const holding = this.stocks.get(stockId);
    for (const holders of holding ? [holding.long, holding.short] : []) {
      for (const slot of holders.slots()) yield this.strategies[slot] as StrategyId;
    }
  }

  /** Sets the quote that values the stock; undefined removes it. */
  quote(stockId: StockId, quote: Pick<Quote, 'bid' | 'ask'> | undefined): void {
    const { long, short } = this.holding(stockId);
    this.reprice(long, quote && inUnits(quote.bid, PLACES));
    this.reprice(short, quote && inUnits(quote.ask, PLACES));
  }

  /** Takes the first book of a strategy. Its holdings, as plain texts, go to what this answers. */
  enter({
    strategyId,
    cash,
  }: Pick<Book, 'strategyId' | 'cash'>): (stockId: StockId, amount: string) => void {
    const slot = this.slotOf(strategyId);
    this.addCash(slot, cash, 1);
    return (stockId, amount) => {
      const { long, short } = this.holding(stockId);
      this.hold(slot, amount.startsWith('-') ? short : long, textInUnits(amount, PLACES));
    };
  }

  /** Replaces `before`, the last given book of the strategy (undefined at first), by `after`. */
  change(before: Book | undefined, after: Book): void {
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
    const slot = this.values.push(0n) - 1;
    this.moves.push();
    this.strategies.push(strategyId);
    this.lacking.push(0);
    this.decimals.push(undefined);
    this.slots.set(strategyId, slot);
    return slot;
  }

  private holding(stockId: StockId): Holding {
    const known = this.stocks.get(stockId);
    if (known) return known;
    const made = { long: new Holders(), short: new Holders() };
    this.stocks.set(stockId, made);
    return made;
  }

  private holdersOf({ stockId, amount }: Amount): Holders {
    const { long, short } = this.holding(stockId);
    return amount.gte(ZERO) ? long : short;
  }

  private addCash(slot: number, cash: Decimal, sign: 1 | -1): void {
    const units = inUnits(cash, VALUE_PLACES);
    if (units === undefined) this.lack(slot, sign);
    else this.raise(slot, sign === 1 ? units : -units);
  }

  /** Adds the pending moves to the value. */
  private readonly fold = (slot: number): void => {
    const moved = this.moves.take(slot);
    if (moved !== 0n) this.raise(slot, moved * MOVE);
  };

  private raise(slot: number, units: bigint): void {
    this.values[slot] = (this.values[slot] as bigint) + units;
    this.decimals[slot] = undefined;
  }

  private lack(slot: number, count: number): void {
    this.lacking[slot] = (this.lacking[slot] as number) + count;
  }

  private add(slot: number, position: Amount): void {
    this.hold(slot, this.holdersOf(position), inUnits(position.amount, PLACES));
  }

  /** `units`: undefined if the amount has too many places. */
  private hold(slot: number, holders: Holders, units: bigint | undefined): void {
    const amount = units ?? 0n;
    const place = holders.place(slot);
    holders.insert(place, slot, amount);
    if (units === undefined) this.lack(slot, 1);
    if (holders.price === undefined) this.lack(slot, 1);
    else this.raise(slot, amount * holders.price);
  }

  private drop(slot: number, position: Amount): void {
    const holders = this.holdersOf(position);
    const place = holders.place(slot);
    const amount = holders.remove(place);
    if (inUnits(position.amount, PLACES) === undefined) this.lack(slot, -1);
    if (holders.price === undefined) this.lack(slot, -1);
    else this.raise(slot, -amount * holders.price);
  }

  private reprice(holders: Holders, price: bigint | undefined): void {
    const before = holders.price;
    if (price === before) return;
    holders.price = price;
    this.move(holders, (price ?? 0n) - (before ?? 0n));
    if (price !== undefined && before !== undefined) return;
    for (const slot of holders.slots()) this.lack(slot, price === undefined ? 1 : -1);
  }

  /** Adds the effect of a price rise to all values. */
  private move(holders: Holders, rise: bigint): void {
    const { factors, large } = holders;
    const moves = rise % MOVE === 0n ? multiplierOf(rise / MOVE) : undefined;
    if (moves === undefined) {
      for (let place = 0; place < factors.length; place += 1)
        this.raise(factors.slot(place), holders.amount(place) * rise);
      return;
    }
    this.moves.add(factors, moves, this.fold);
    for (const [slot, amount] of large) this.raise(slot, amount * rise);
  }
}
