import type { Book } from './book.js';
import { requireSlippage, sizingBuffer } from './buffer.js';
import { type Decimal, TWO, ZERO, decimal, decimalText, divide, sum } from '../numbers/decimal.js';
import type { StockId } from '../ids.js';
import {
  type TargetChange,
  type Plan,
  type PlanContext,
  isWorthTrading,
  marketOrders,
  changeTo,
  sizingQuote,
  sizingValue,
  tradableStock,
} from './plan.js';
import { Refusal } from '../refusal.js';
import { goneReason } from '../market/stock.js';
import { strategyValue } from '../performance/valuation.js';

/** A target: `percent` is a fraction of strategy_value, negative = short, 0 = close (spec 2.9, contract 3). */
export interface Allocation {
  readonly stockId: StockId;
  readonly percent: Decimal;
}

/** The complete set of targets. */
export interface Targets {
  readonly allocations: readonly Allocation[];
  /** The fraction that each buffer reserves. */
  readonly slippage: Decimal;
}

const MAX_PERCENT = decimal('2');
/** A sum that exceeds the most by at most this counts as the most: programs compute with binary floats (contract 7b.5). */
const SUM_TOLERANCE = decimal('0.000000000001');

function requireValid(allocations: readonly Allocation[]): void {
  const seen = new Set<StockId>();
  for (const { stockId, percent } of allocations) {
    if (seen.has(stockId))
      throw new Refusal('invalid_field', `stock ${stockId} is allocated twice`);
    if (percent.abs().gt(MAX_PERCENT)) {
      throw new Refusal('invalid_field', `percent ${decimalText(percent)} is not between -2 and 2`);
    }
    seen.add(stockId);
  }
  const gross = sum(allocations.map(({ percent }) => percent.abs()));
  if (gross.gt(MAX_PERCENT.plus(SUM_TOLERANCE))) {
    throw new Refusal(
      'insufficient_buying_power',
      `the sizes of all percent sum to ${decimalText(gross)}, at most 2 fit`,
    );
  }
}

/**
 * The orders that bring the book to the complete set of targets; positions left out are closed (spec 4.4,
 * newOrderAllocations). The notional of a target is `percent x FinalBuyingPower / 2`, its quantity notional / ask.
 * @throws {Refusal} `invalid_field` for a percent or slippage out of range or a stock named twice, `insufficient_buying_power` for more than 2 in
 * all, `not_found` or `stock_not_active` for a stock, `quote_unavailable` or `value_unavailable` while a quote is missing, `closing_only`.
 * @example
 * // `market`: ACME at 100, free of fee and slippage; `nextId` counts
 * const half = [{ stockId: id('acme'), percent: decimal('0.5') }];
 * const plan = planAllocations(
 *   newBook(id('mine')), { allocations: half, slippage: decimal('0.002') }, { type: 'stock', market, nextId },
 * );
 * plan.requests.map(({ action, size }) => [action, decimalText(size.amount)]) // => [['buy', '0.00498']]
 */
export function planAllocations(
  book: Book,
  { allocations, slippage }: Targets,
  { type, market, nextId, closesOnly = false }: PlanContext,
): Plan {
  requireValid(allocations);
  requireSlippage(slippage);
  const opens = allocations.some(({ percent }) => !percent.eq(ZERO));
  const known = strategyValue(book, market);
  const value = opens ? sizingValue(known, closesOnly) : known;
  const buffers: Plan['buffers'][number][] = [];

  const targetOf = ({ stockId, percent }: Allocation): TargetChange => {
    const stock = tradableStock(market, stockId, type);
    if (percent.eq(ZERO) || !value) return changeTo(book, market, stock, ZERO);
    if (stock.status === 'delisted') throw new Refusal('stock_not_active', goneReason(stock));
    const buffer = sizingBuffer(value, stock.fee, slippage);
    buffers.push({ stockId, buffer });
    const { ask } = sizingQuote(market, stock);
    const amount = divide(percent.times(buffer.finalBuyingPower), TWO.times(ask), 'down');
    return changeTo(book, market, stock, amount);
  };

  const named = new Set(allocations.map(({ stockId }) => stockId));
  const omitted = [...book.positions.keys()].filter((stockId) => !named.has(stockId));
  const moves = [
    ...allocations.map(targetOf),
    ...omitted.map((stockId) => changeTo(book, market, tradableStock(market, stockId, type), ZERO)),
  ];
  const worth = moves.filter(
    (move) => move.stock.status !== 'delisted' && isWorthTrading(move, value),
  );
  const whyNot = ({ stock, held, target }: TargetChange): string => {
    if (target.eq(held)) return 'already there';
    if (stock.status === 'delisted') return goneReason(stock);
    return 'the change is under 0.0001 of strategy_value';
  };
  return {
    requests: marketOrders(worth, nextId),
    skipped: moves
      .filter((move) => !worth.includes(move))
      .map((move) => ({ stockId: move.stock.id, reason: whyNot(move) })),
    buffers,
    strategyValue: value ?? null,
  };
}
