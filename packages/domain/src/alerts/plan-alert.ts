import type { Book } from '../trading/book.js';
import { type Buffer, requireSlippage, sizingBuffer } from '../trading/buffer.js';
import {
  type Decimal,
  ONE,
  TWO,
  ZERO,
  decimal,
  decimalText,
  divide,
  max,
  min,
  sign,
  sum,
} from '../numbers/decimal.js';
import { requireWhole, requireWithin } from '../numbers/figures.js';
import type { StockId } from '../ids.js';
import type { Action } from '../trading/order.js';
import {
  type Plan,
  type PlanContext,
  isWorthTrading,
  marketOrders,
  changeTo,
  sizingQuote,
  sizingValue,
  tradableStock,
} from '../trading/plan.js';
import { Refusal } from '../refusal.js';
import { type TradedInstrument, goneReason } from '../market/stock.js';
import { grossExposure, holding, strategyValue } from '../performance/valuation.js';

/** The action words of an alert (spec 4.4). `buy` means `long`, `sell` means `short`, `close` means `flat`. */
export const ALERT_ACTIONS = ['buy', 'long', 'sell', 'short', 'close', 'flat'] as const;
export type AlertAction = (typeof ALERT_ACTIONS)[number];

/** The platform's own position after an alert. */
export const MARKET_POSITIONS = ['long', 'short', 'flat'] as const;
export type MarketPosition = (typeof MARKET_POSITIONS)[number];

/** A charting platform's alert (spec 4.4, newOrderWebhook). */
export interface Alert {
  readonly stockId: StockId;
  readonly action: AlertAction;
  /** 0 to 2; a multiple of portfolio value. */
  readonly leverage: Decimal;
  /** Number of entry steps, 1 to 100; null goes to the full target at once. */
  readonly pyramiding: number | null;
  /** Fraction reserved when sizing. */
  readonly slippage: Decimal;
  /** The platform's own position after the alert; if given, it determines the side (contract 3). */
  readonly marketPosition: MarketPosition | null;
  /** The platform's position after the alert and before it, of either sign; null when the alert does not contain it. */
  readonly positionSize: Decimal | null;
  readonly previousPositionSize: Decimal | null;
}

/** The orders of an alert. `no_change` trades nothing; `replaces` is whether open orders are cancelled. */
export interface AlertPlan extends Plan {
  readonly verdict: 'accepted' | 'no_change';
  /** Why nothing is traded. */
  readonly reason: string | null;
  readonly replaces: boolean;
}

type Side = 'long' | 'short';
/** What an alert wants: a side, or to leave one. */
export type Intent = Side | 'close_all' | 'close_one' | 'partial_exit';

const SIDES: Readonly<Record<AlertAction, Side | 'close_all'>> = {
  buy: 'long',
  long: 'long',
  sell: 'short',
  short: 'short',
  close: 'close_all',
  flat: 'close_all',
};

/** The action of the order that answers an alert without a trade: that of its action word; closing is a sale. */
export const actionOf = (alert: Pick<Alert, 'action'>): Action =>
  SIDES[alert.action] === 'long' ? 'buy' : 'sell';

/** Platforms send `sell` for the exit of a long; their market position distinguishes it from a reversal. */
export function intentOf({ action, leverage, marketPosition }: Alert): Intent {
  const side = SIDES[action];
  if (side === 'close_all' || sign(leverage) === 0) return 'close_all';
  if (marketPosition === null) return side;
  if (marketPosition === 'flat') return 'close_one';
  return marketPosition === side ? side : 'partial_exit';
}

const HALF = decimal('0.5');
/** Leverage comes in multiples of this (spec 8). */
const LEVERAGE_STEP = decimal('0.01');
const roundHalfUp = (value: Decimal): Decimal => value.plus(HALF).round(0, 0);

/** The most steps of an alert (spec 4.4). */
const MAX_STEPS = 100;

/** Refuses figures that no alert may have: one below zero would go the other way. */
function requireFigures({ leverage, pyramiding, slippage }: Alert): void {
  requireWithin('leverage', leverage, ZERO, TWO);
  if (pyramiding !== null) requireWhole('pyramiding', pyramiding, 1, MAX_STEPS);
  requireSlippage(slippage);
}

/** The figures that size an alert. */
interface Sizing {
  readonly alert: Alert;
  readonly side: Side;
  readonly held: Decimal;
  readonly ask: Decimal;
  readonly value: Decimal;
  readonly buffer: Buffer;
  /** Gross exposure in other stocks. */
  readonly others: Decimal;
}

/** The next size to hold, unsigned; `isNew` if it is a further step than the present one. */
interface Target {
  readonly amount: Decimal;
  readonly isNew: boolean;
}

/**
 * The present step is derived from the filled holding at the ask, with the reserve in the divisor: without it alerts get
 * stuck (contract 3, "Target").
 */
function nextTarget({ alert, side, held, ask, value, buffer }: Sizing, leverage: Decimal): Target {
  const steps = decimal(String(alert.pyramiding ?? 1));
  const stepHeld = (): Decimal => {
    const exposure = held.abs().times(ask).times(steps).times(buffer.buyingPower);
    return roundHalfUp(divide(exposure, value.times(leverage).times(buffer.finalBuyingPower)));
  };
  const isSameSide = side === 'long' ? sign(held) > 0 : sign(held) < 0;
  const step = !isSameSide ? ZERO : alert.pyramiding === null ? steps : stepHeld();
  const next = min(step.plus(ONE), steps);
  const whole = leverage.times(next).times(buffer.finalBuyingPower);
  return { amount: divide(whole, steps.times(TWO).times(ask), 'down'), isNew: step.lt(steps) };
}

/** A smaller holding always fits; a larger one must fit into the BuyingPower that the other holdings leave. */
const fits = ({ held, ask, buffer, others }: Sizing, { amount }: Target): boolean =>
  amount.lt(held.abs()) || others.plus(amount.times(ask)).lte(buffer.buyingPower);

/** Refuses a target that does not fit beside the other holdings, naming the largest leverage that does; 0 is none, because it closes all. */
function requireRoom(sizing: Sizing, target: Target): void {
  if (fits(sizing, target)) return;
  let largest = sizing.alert.leverage;
  // Steps shrink with the leverage while the present step grows, so there is no formula: each leverage is tried.
  do largest = max(ZERO, largest.minus(LEVERAGE_STEP));
  while (sign(largest) > 0 && !fits(sizing, nextTarget(sizing, largest)));
  const named =
    sign(largest) > 0
      ? `the largest leverage that fits is ${decimalText(largest)}`
      : 'no leverage fits: 0 closes every position';
  throw new Refusal(
    'insufficient_buying_power',
    `leverage ${decimalText(sizing.alert.leverage)} asks for ${decimalText(target.amount.times(sizing.ask))} beside ${decimalText(sizing.others)} in other stocks, and BuyingPower is ${decimalText(sizing.buffer.buyingPower)}: the target does not fit beside the other holdings; ${named}`,
  );
}

function closing(
  book: Book,
  stocks: readonly TradedInstrument[],
  { market, nextId }: PlanContext,
): AlertPlan {
  const held = stocks
    .map((stock) => changeTo(book, market, stock, ZERO))
    .filter((move) => sign(move.held) !== 0);
  const moves = held.filter(({ stock }) => stock.status !== 'delisted');
  return {
    requests: marketOrders(moves, nextId),
    skipped: held
      .filter((move) => !moves.includes(move))
      .map(({ stock }) => ({ stockId: stock.id, reason: goneReason(stock) })),
    buffers: [],
    strategyValue: strategyValue(book, market) ?? null,
    verdict: moves.length > 0 ? 'accepted' : 'no_change',
    reason: moves.length > 0 ? null : 'there is nothing to close',
    replaces: true,
  };
}

/** The part of its position that the platform keeps, size / previous; undefined when the alert lacks one of them. */
function keptPart({ positionSize, previousPositionSize }: Alert) {
  if (!positionSize || !previousPositionSize) return undefined;
  const [size, previous] = [positionSize.abs(), previousPositionSize.abs()];
  return size.lt(previous) ? { size, previous } : undefined;
}

/** The side of a signed holding. */
export const sideOf = (held: Decimal): MarketPosition =>
  sign(held) === 0 ? 'flat' : sign(held) > 0 ? 'long' : 'short';

/**
 * An alert against the platform's own side: the holding shrinks in the same proportion as the platform's position, starting
 * from the holding that a still open exit would have left (contract 7b.3). It needs no price and may be of any size: the
 * next exit starts from its result.
 */
function partialExit(
  book: Book,
  stock: TradedInstrument,
  alert: Alert,
  { market, nextId }: PlanContext,
): AlertPlan {
  const plan = { skipped: [], buffers: [], strategyValue: strategyValue(book, market) ?? null };
  const nothing = (reason: string): AlertPlan => ({
    ...plan,
    requests: [],
    verdict: 'no_change',
    reason,
    replaces: false,
  });
  // An order of a delisted stock would wait forever.
  if (stock.status === 'delisted') return nothing(goneReason(stock));
  const held = holding(book, stock.id);
  const kept = keptPart(alert);
  if (!kept) {
    return nothing(
      `${alert.action} is against market_position ${alert.marketPosition}, and market_position_size and prev_market_position_size tell no smaller position`,
    );
  }
  if (sideOf(held) !== alert.marketPosition) {
    return nothing(
      `market_position is ${alert.marketPosition}, and the strategy is ${sideOf(held)} in ${stock.symbol}`,
    );
  }
  const leaving = sum(
    book.openOrders.flatMap(({ origin, stockId, size }) =>
      origin === 'exit' && stockId === stock.id && size.by === 'amount' ? size.amount : [],
    ),
  );
  const left = max(ZERO, held.abs().minus(leaving));
  const target = divide(left.times(kept.size), kept.previous, 'down');
  const signed = sign(held) > 0 ? target : ZERO.minus(target);
  const requests = marketOrders([changeTo(book, market, stock, signed)], nextId).map((order) => ({
    ...order,
    reduceOnly: true,
    origin: 'exit' as const,
  }));
  return { requests, verdict: 'accepted', reason: null, replaces: true, ...plan };
}

/**
 * The orders of one alert (spec 4.4, newOrderWebhook; contract 3). Other stocks are left alone unless it closes all.
 * @throws {Refusal} as `planAllocations`; `invalid_field` also for a leverage or pyramiding out of range.
 * @example
 * // `market`: ACME at 100, free of fee and slippage; `nextId` counts
 * const alert = {
 *   stockId: id('acme'), action: 'long', leverage: decimal('1'), pyramiding: null, slippage: decimal('0'),
 *   marketPosition: null, positionSize: null, previousPositionSize: null,
 * };
 * const plan = planAlert(newBook(id('mine')), alert, { type: 'stock', market, nextId });
 * [plan.verdict, decimalText(plan.requests[0].size.amount)] // => ['accepted', '0.01']
 */
export function planAlert(book: Book, alert: Alert, context: PlanContext): AlertPlan {
  const { type, market, closesOnly = false } = context;
  requireFigures(alert);
  const stock = tradableStock(market, alert.stockId, type);
  const intent = intentOf(alert);
  if (intent === 'close_one') return closing(book, [stock], context);
  if (intent === 'partial_exit') return partialExit(book, stock, alert, context);
  if (intent === 'close_all') {
    const stocks = [...book.positions.keys()].map((held) => tradableStock(market, held, type));
    return closing(book, stocks, context);
  }
  const known = strategyValue(book, market);
  const nothing = { requests: [], skipped: [], buffers: [], strategyValue: known ?? null };
  if (stock.status === 'delisted') throw new Refusal('stock_not_active', goneReason(stock));
  const value = sizingValue(known, closesOnly);
  const { ask } = sizingQuote(market, stock);
  const buffer = sizingBuffer(value, stock.fee, alert.slippage);
  const held = holding(book, stock.id);
  const others = grossExposure(book, market, stock.id) ?? ZERO;
  const sizing = { alert, side: intent, held, ask, value, buffer, others };
  const next = nextTarget(sizing, alert.leverage);
  const target = intent === 'long' ? next.amount : ZERO.minus(next.amount);
  const move = changeTo(book, market, stock, target);
  const buffers = [{ stockId: stock.id, buffer }];
  const trades = !target.eq(held) && (next.isNew || isWorthTrading(move, value));
  if (!trades) {
    const reason = 'the target is already met';
    const skipped = [{ stockId: stock.id, reason }];
    return { verdict: 'no_change', reason, replaces: true, ...nothing, buffers, skipped };
  }
  requireRoom(sizing, next);
  const requests = marketOrders([move], context.nextId);
  return { verdict: 'accepted', reason: null, replaces: true, ...nothing, requests, buffers };
}
