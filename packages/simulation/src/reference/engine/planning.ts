import { grossBeside, held, valueOf } from './book.js';
import {
  type Exact,
  TWO,
  ZERO,
  exact,
  isPositive,
  isZero,
  largest,
  rounded,
  total,
} from './exact.js';
import { LEAST_CHANGE, stockOf } from './execution.js';
import { type ModelBook, type ModelMarket, type ModelStock, Refused } from './model.js';
import { finalBuyingPower } from './sizing.js';

/** A market order of a plan. */
export interface Planned {
  readonly stockId: string;
  readonly action: 'buy' | 'sell';
  readonly amount: Exact;
  readonly isReduce: boolean;
  readonly notional: Exact;
  /** True if it can only reduce. */
  readonly reduceOnly?: boolean;
  readonly isExit?: boolean;
  dependsOn: Planned[];
}

/** The signed quantity of a target: percent x FinalBuyingPower / 2 at ask (contract 3, "Buffer"). */
function targetAmount(
  book: ModelBook,
  stock: ModelStock,
  percent: Exact,
  slippage: Exact,
  market: ModelMarket,
): Exact {
  if (isZero(percent)) return ZERO;
  const value = valueOf(book, market);
  if (!value) throw new Refused('no value');
  if (!isPositive(value)) throw new Refused('a strategy without value can only close');
  if (stock.status === 'delisted') throw new Refused('delisted');
  if (!stock.quote) throw new Refused('no quote');
  const notional = percent.mul(finalBuyingPower(value, stock.fee, slippage)).div(TWO);
  return rounded(notional.div(stock.quote.ask), 'down');
}

/**
 * The order that leads to the target; undefined if the change is too small, unless it opens, closes, crosses zero or is a
 * new step.
 */
function changeTo(
  book: ModelBook,
  stock: ModelStock,
  target: Exact,
  market: ModelMarket,
  isNewStep = false,
): Planned | undefined {
  const before = held(book, stock.id);
  const change = target.sub(before);
  if (isZero(change)) return undefined;
  const notional = stock.quote ? change.abs().mul(stock.quote.ask) : ZERO;
  const opensOrCloses = isZero(before) || isZero(target) || before.s !== target.s;
  if (!isNewStep && !opensOrCloses) {
    const value = valueOf(book, market);
    if (value && notional.lt(value.mul(LEAST_CHANGE))) return undefined;
  }
  return {
    stockId: stock.id,
    action: isPositive(change) ? 'buy' : 'sell',
    amount: change.abs(),
    isReduce: target.abs().lt(before.abs()),
    notional,
    dependsOn: [],
  };
}

/** Reduces first, then by falling notional; every increase waits for every reduce of an active stock. */
function inOrder(planned: readonly Planned[], market: ModelMarket): Planned[] {
  const rank = ({ isReduce }: Planned): number => (isReduce ? 0 : 1);
  const sorted = [...planned].sort(
    (first, second) => rank(first) - rank(second) || second.notional.compare(first.notional),
  );
  const blocking = sorted.filter(
    ({ isReduce, stockId }) => isReduce && stockOf(market, stockId).status === 'active',
  );
  for (const order of sorted) if (!order.isReduce) order.dependsOn = blocking;
  return sorted;
}

export interface Allocation {
  readonly stockId: string;
  readonly percent: Exact;
}

/** The orders of newOrderAllocations (spec 4.4, contract 3). */
export function planAllocations(
  book: ModelBook,
  allocations: readonly Allocation[],
  slippage: Exact,
  market: ModelMarket,
  closesOnly: boolean,
): Planned[] {
  if (closesOnly && allocations.some(({ percent }) => !isZero(percent)))
    throw new Refused('it can only close');
  if (new Set(allocations.map(({ stockId }) => stockId)).size < allocations.length)
    throw new Refused('a stock twice');
  if (allocations.some(({ percent }) => percent.abs().gt(TWO))) throw new Refused('beyond 2');
  if (total(allocations.map(({ percent }) => percent.abs())).gt(TWO)) throw new Refused('beyond 2');
  const changes = allocations.map(({ stockId, percent }) => {
    const stock = stockOf(market, stockId);
    if (stock.security !== book.security) throw new Refused('of another type');
    return changeTo(book, stock, targetAmount(book, stock, percent, slippage, market), market);
  });
  const named = new Set(allocations.map(({ stockId }) => stockId));
  const omitted = [...book.positions.keys()]
    .filter((stockId) => !named.has(stockId))
    .map((stockId) => changeTo(book, stockOf(market, stockId), ZERO, market));
  return inOrder(
    [...changes, ...omitted].filter((change) => change !== undefined),
    market,
  );
}

export interface ModelAlert {
  readonly stockId: string;
  readonly action: 'buy' | 'long' | 'sell' | 'short' | 'close' | 'flat';
  readonly leverage: Exact;
  readonly pyramiding: number | null;
  readonly slippage: Exact;
  readonly marketPosition: 'long' | 'short' | 'flat' | null;
  /** The platform's own position after and before the alert. */
  readonly size: Exact | null;
  readonly previousSize: Exact | null;
}

export interface AlertPlan {
  readonly verdict: 'accepted' | 'no_change';
  readonly cancels: boolean;
  readonly orders: readonly Planned[];
}

const NO_CHANGE: AlertPlan = { verdict: 'no_change', cancels: false, orders: [] };
const HALF = exact('0.5');

/** The side that an alert wants, or that it closes. */
function intentOf(
  alert: ModelAlert,
): 'long' | 'short' | 'close_all' | 'close_one' | 'partial_exit' {
  const { action, leverage, marketPosition } = alert;
  if (action === 'close' || action === 'flat' || isZero(leverage)) return 'close_all';
  const side = action === 'buy' || action === 'long' ? 'long' : 'short';
  if (marketPosition === null) return side;
  if (marketPosition === 'flat') return 'close_one';
  return marketPosition === side ? side : 'partial_exit';
}

/** The present step, from the filled holding at ask (contract 3, "Target"). */
function stepHeld(amount: Exact, ask: Exact, value: Exact, step: Exact, power: Exact): bigint {
  const size = amount.abs().mul(ask).div(value);
  const unit = step.mul(power).div(value.mul(TWO));
  const whole = size.div(unit).add(HALF).floor();
  return whole.n;
}

/**
 * Contract 7b.3: the holding shrinks in the ratio of the platform's position. If this exit cancels an unfilled one, the
 * holding that the earlier one would have left shrinks.
 */
function partialExit(book: ModelBook, alert: ModelAlert, market: ModelMarket): AlertPlan {
  const { stockId, size, previousSize, marketPosition } = alert;
  const stock = stockOf(market, stockId);
  const amount = held(book, stockId);
  const side = isZero(amount) ? 'flat' : isPositive(amount) ? 'long' : 'short';
  if (!size || !previousSize || side !== marketPosition || stock.status === 'delisted')
    return NO_CHANGE;
  if (!size.abs().lt(previousSize.abs())) return NO_CHANGE;
  const leaving = total(
    book.orders
      .filter((order) => order.stockId === stockId && order.isExit)
      .map((order) => order.amount ?? ZERO),
  );
  const stays = largest(ZERO, amount.abs().sub(leaving));
  const target = rounded(stays.mul(size.abs()).div(previousSize.abs()), 'down');
  const sold = amount.abs().sub(target);
  if (isZero(sold)) return NO_CHANGE;
  const action = isPositive(amount) ? 'sell' : 'buy';
  const order = { stockId, action, amount: sold, isReduce: true, notional: ZERO } as const;
  return {
    verdict: 'accepted',
    cancels: true,
    orders: [{ ...order, reduceOnly: true, isExit: true, dependsOn: [] }],
  };
}

/** The orders that close holdings without an open order, except those of delisted stocks. */
export function closings(book: ModelBook, market: ModelMarket): Planned[] {
  const free = [...book.positions.keys()].filter(
    (held) => !book.orders.some(({ stockId }) => stockId === held),
  );
  const changes = free
    .map((stockId) => stockOf(market, stockId))
    .filter(({ status }) => status !== 'delisted')
    .flatMap((stock) => changeTo(book, stock, ZERO, market) ?? []);
  return inOrder(changes, market).map((order) => ({ ...order, reduceOnly: true }));
}

/** The plan of an alert (spec 4.4, contract 3, newOrderWebhook). */
export function planAlert(
  book: ModelBook,
  alert: ModelAlert,
  market: ModelMarket,
  closesOnly: boolean,
): AlertPlan {
  const intent = intentOf(alert);
  const stock = stockOf(market, alert.stockId);
  if (stock.security !== book.security) throw new Refused('of another type');
  if (intent === 'partial_exit') return partialExit(book, alert, market);
  const closing = (stockIds: readonly string[]): AlertPlan => {
    const orders = stockIds.flatMap(
      (stockId) => changeTo(book, stockOf(market, stockId), ZERO, market) ?? [],
    );
    const verdict = orders.length > 0 ? 'accepted' : 'no_change';
    return { verdict, cancels: true, orders: inOrder(orders, market) };
  };
  if (intent === 'close_all') return closing([...book.positions.keys()]);
  if (intent === 'close_one') return closing([alert.stockId]);

  if (closesOnly) throw new Refused('it can only close');
  const { leverage, pyramiding, slippage } = alert;
  const value = valueOf(book, market);
  if (!value) throw new Refused('no value');
  if (!isPositive(value)) throw new Refused('a strategy without value can only close');
  if (!stock.quote) throw new Refused('no quote');
  const before = held(book, stock.id);
  const power = finalBuyingPower(value, stock.fee, slippage);
  const step = pyramiding === null ? leverage : leverage.div(pyramiding);
  const isSameSide = !isZero(before) && isPositive(before) === (intent === 'long');
  const reached =
    pyramiding !== null && isSameSide ? stepHeld(before, stock.quote.ask, value, step, power) : 0n;
  const steps = pyramiding === null ? 1n : reached + 1n;
  const most = BigInt(pyramiding ?? 1);
  const size = step.mul(steps > most ? most : steps);
  const percent = intent === 'long' ? size : size.neg();
  const target = targetAmount(book, stock, percent, slippage, market);
  const isNewStep = !isSameSide || (pyramiding !== null && reached < most);
  const change = changeTo(book, stock, target, market, isNewStep);
  if (!change) return { ...NO_CHANGE, cancels: true };
  const gross = grossBeside(book, market, stock.id).add(target.abs().mul(stock.quote.ask));
  if (!target.abs().lt(before.abs()) && gross.gt(value.mul(TWO))) throw new Refused('does not fit');
  return { verdict: 'accepted', cancels: true, orders: [change] };
}
