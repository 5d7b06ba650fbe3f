import type { Buffer } from './buffer.js';
import type { Book } from './book.js';
import { type Decimal, ZERO, decimal } from '../numbers/decimal.js';
import type { NextId, OrderId, StockId } from '../ids.js';
import type { Market } from '../market/market.js';
import type { IdentifiedRequest } from './order.js';
import { Refusal } from '../refusal.js';
import type { Security, TradedInstrument } from '../market/stock.js';
import { holding } from '../performance/valuation.js';

/** A change under this fraction of strategy_value is not traded unless it opens or closes a position (contract 3). */
export const NEGLIGIBLE = decimal('0.0001');

/** The target of a holding: `amount` is signed and normalized; `notional` is of the change at the ask, null without a quote. */
export interface TargetChange {
  readonly stock: TradedInstrument;
  readonly held: Decimal;
  readonly target: Decimal;
  readonly notional: Decimal | null;
}

/** The circumstances in which a strategy's orders are sized. */
export interface SizingContext {
  /** The security that the strategy trades. */
  readonly type: Security;
  readonly market: Market;
  /** Whether it may only close; false when absent. */
  readonly closesOnly?: boolean;
}

/** The circumstances in which a plan is made; `nextId` gives the ids of its orders. */
export interface PlanContext extends SizingContext {
  readonly nextId: NextId;
}

/** The plan of a request before anything is done. */
export interface Plan {
  readonly requests: readonly IdentifiedRequest[];
  readonly skipped: readonly { readonly stockId: StockId; readonly reason: string }[];
  /** The buffer that sized each target; closing needs none. */
  readonly buffers: readonly { readonly stockId: StockId; readonly buffer: Buffer }[];
  readonly strategyValue: Decimal | null;
}

/**
 * The stock, if a strategy of that type can trade it; otherwise a refusal that says why.
 * @throws {Refusal} `not_found`, or `invalid_field` for a stock of the other type.
 */
export function tradableStock(market: Market, stockId: StockId, type: Security): TradedInstrument {
  const stock = market.stock(stockId);
  if (!stock) throw new Refusal('not_found', `stock ${stockId} does not exist`);
  if (stock.security !== type) {
    throw new Refusal(
      'invalid_field',
      `${stock.symbol} is a ${stock.security}, the strategy is of type ${type}`,
    );
  }
  return stock;
}

/** Contract 7b.9: the value was at or below zero for a minute. */
export const closingOnly = (): Refusal =>
  new Refusal(
    'closing_only',
    'strategy_value has been at or below zero for a minute: positions can only be reduced and closed',
  );

/**
 * The strategy_value for sizing: it must be known and positive (contract 3: otherwise a strategy can only close).
 * @throws {Refusal} `closing_only`, `value_unavailable` or `insufficient_buying_power`.
 */
export function sizingValue(value: Decimal | undefined, closesOnly: boolean): Decimal {
  if (closesOnly) throw closingOnly();
  if (!value) {
    throw new Refusal(
      'value_unavailable',
      'strategy_value is unavailable: a holding has no quote yet',
    );
  }
  if (value.lte(ZERO)) {
    throw new Refusal(
      'insufficient_buying_power',
      'strategy_value is not positive: positions can only be closed',
    );
  }
  return value;
}

/**
 * The ask sizes targets, long or short.
 * @throws {Refusal} `quote_unavailable`.
 */
export function sizingQuote(market: Market, stock: TradedInstrument) {
  const quote = market.quote(stock.id);
  if (!quote) throw new Refusal('quote_unavailable', `${stock.symbol} has no quote yet`);
  return quote;
}

/** The change of the holding to `target` (signed, normalized); its notional is null without a quote. */
export function changeTo(
  book: Book,
  market: Market,
  stock: TradedInstrument,
  target: Decimal,
): TargetChange {
  const held = holding(book, stock.id);
  const ask = market.quote(stock.id)?.ask;
  return { stock, held, target, notional: ask ? target.minus(held).abs().times(ask) : null };
}

/** Whether the move opens or closes a position (both when it crosses zero), or is worth at least 0.0001 of strategy_value. */
export function isWorthTrading(move: TargetChange, value: Decimal | undefined): boolean {
  if (move.target.eq(move.held)) return false;
  if (move.held.times(move.target).lte(ZERO)) return true;
  return !value || !move.notional || move.notional.gte(value.times(NEGLIGIBLE));
}

/** Whether |amount| is smaller after the order, also across zero (contract 3). */
const isReduce = (move: TargetChange): boolean => move.target.abs().lt(move.held.abs());

const byFallingNotional = (first: TargetChange, second: TargetChange): number =>
  (second.notional ?? ZERO).cmp(first.notional ?? ZERO);

/**
 * Market orders toward the targets: reduces first, then by falling notional; every increase waits for every reduce of an
 * active stock, because a halted one must not block the rest.
 */
export function marketOrders(moves: readonly TargetChange[], nextId: NextId): IdentifiedRequest[] {
  const reduces = moves.filter(isReduce).sort(byFallingNotional);
  const increases = moves.filter((move) => !isReduce(move)).sort(byFallingNotional);
  const request = (
    { stock, held, target }: TargetChange,
    dependsOn: readonly OrderId[],
  ): IdentifiedRequest => ({
    id: nextId(),
    stockId: stock.id,
    action: target.gt(held) ? 'buy' : 'sell',
    pricing: { type: 'market' },
    size: { by: 'amount', amount: target.minus(held).abs() },
    dependsOn,
    reduceOnly: false,
    origin: 'plan',
  });
  const first = reduces.map((move) => request(move, []));
  const prerequisites = first
    .filter((_, index) => reduces[index]?.stock.status === 'active')
    .map((order) => order.id);
  return [...first, ...increases.map((move) => request(move, prerequisites))];
}
