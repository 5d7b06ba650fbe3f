import type { Book } from './book.js';
import { type Buffer, sizingBuffer } from './buffer.js';
import { type Decimal, ONE, TWO, ZERO, decimal, decimalText, divide, min } from './decimal.js';
import type { OrderId, StockId } from './ids.js';
import type { Market } from './market.js';
import {
  type Plan,
  isWorthTrading,
  marketOrders,
  moveTo,
  sizingQuote,
  sizingValue,
  tradableStock,
} from './plan.js';
import { Refusal } from './refusal.js';
import type { Security, Stock } from './stock.js';
import { grossExposure, holding, strategyValue } from './valuation.js';

export const ALERT_ACTIONS = ['buy', 'long', 'sell', 'short', 'close', 'flat'] as const;
export type AlertAction = (typeof ALERT_ACTIONS)[number];

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
  /** The platform's own position after the alert; when there, it gives the side (contract 3). */
  readonly marketPosition: MarketPosition | null;
}

/** What an alert comes to. `no_change` trades nothing; `replaces` says whether open orders are cancelled. */
export interface AlertPlan extends Plan {
  readonly verdict: 'accepted' | 'no_change';
  readonly replaces: boolean;
}

type Side = 'long' | 'short';
type Intent = Side | 'close_all' | 'close_one' | 'nothing';

const SIDES: Readonly<Record<AlertAction, Side | 'close_all'>> = {
  buy: 'long',
  long: 'long',
  sell: 'short',
  short: 'short',
  close: 'close_all',
  flat: 'close_all',
};

/** Platforms send `sell` for the exit of a long; their market position tells it from a reversal. */
function intentOf({ action, leverage, marketPosition }: Alert): Intent {
  const side = SIDES[action];
  if (side === 'close_all' || leverage.eq(ZERO)) return 'close_all';
  if (marketPosition === null) return side;
  if (marketPosition === 'flat') return 'close_one';
  return marketPosition === side ? side : 'nothing';
}

const HALF = decimal('0.5');
const roundHalfUp = (value: Decimal): Decimal => value.plus(HALF).round(0, 0);

/** The fraction of `leverage` to hold next, as steps of `of`; `isNew` when it is a further step than the one held. */
interface Step {
  readonly next: Decimal;
  readonly of: Decimal;
  readonly isNew: boolean;
}

/**
 * The step held is derived from the filled holding at the ask, with the reserve in the divisor: without it alerts get
 * stuck (contract 3, "Target").
 */
function nextStep(
  alert: Alert,
  side: Side,
  held: Decimal,
  ask: Decimal,
  value: Decimal,
  buffer: Buffer,
): Step {
  const of = decimal(String(alert.pyramiding ?? 1));
  const sameSide = side === 'long' ? held.gt(ZERO) : held.lt(ZERO);
  if (!sameSide) return { next: ONE, of, isNew: true };
  if (alert.pyramiding === null) return { next: ONE, of, isNew: false };
  const stepNotional = value.times(alert.leverage).times(buffer.finalBuyingPower);
  const steps = roundHalfUp(
    divide(held.abs().times(ask).times(of).times(buffer.buyingPower), stepNotional),
  );
  return { next: min(steps.plus(ONE), of), of, isNew: steps.lt(of) };
}

/** Refuses a target that does not fit beside the other holdings, naming the largest leverage that does. */
function requireRoom(notional: Decimal, others: Decimal, buffer: Buffer, step: Step): void {
  if (others.plus(notional).lte(buffer.finalBuyingPower)) return;
  const room = buffer.finalBuyingPower.minus(others);
  const largest = room.lte(ZERO)
    ? ZERO
    : min(
        TWO,
        divide(room.times(TWO).times(step.of), buffer.finalBuyingPower.times(step.next), 'down'),
      );
  throw new Refusal(
    'insufficient_buying_power',
    `the target does not fit beside the other holdings; the largest leverage that fits is ${decimalText(largest.round(2, 0))}`,
  );
}

function closing(
  book: Book,
  stocks: readonly Stock[],
  market: Market,
  nextId: () => OrderId,
): AlertPlan {
  const moves = stocks
    .map((stock) => moveTo(book, market, stock, ZERO))
    .filter((move) => !move.held.eq(ZERO));
  return {
    requests: marketOrders(moves, nextId),
    skipped: [],
    buffers: [],
    strategyValue: strategyValue(book, market) ?? null,
    verdict: moves.length > 0 ? 'accepted' : 'no_change',
    replaces: true,
  };
}

/** The orders that one alert comes to (spec 4.4, newOrderWebhook; contract 3). Other stocks are left alone unless it closes all. */
export function planAlert(
  book: Book,
  type: Security,
  alert: Alert,
  market: Market,
  nextId: () => OrderId,
): AlertPlan {
  const stock = tradableStock(market, alert.stockId, type);
  const intent = intentOf(alert);
  if (intent === 'close_one') return closing(book, [stock], market, nextId);
  if (intent === 'close_all') {
    const stocks = [...book.positions.keys()].map((held) => tradableStock(market, held, type));
    return closing(book, stocks, market, nextId);
  }
  const nothing = {
    requests: [],
    skipped: [],
    buffers: [],
    strategyValue: strategyValue(book, market) ?? null,
  };
  if (intent === 'nothing') return { ...nothing, verdict: 'no_change', replaces: false };

  if (stock.status === 'delisted') {
    throw new Refusal('stock_not_active', `${stock.symbol} is delisted and can only be closed`);
  }
  const value = sizingValue(book, market);
  const { ask } = sizingQuote(market, stock);
  const buffer = sizingBuffer(value, stock.fee, alert.slippage);
  const held = holding(book, stock.id);
  const step = nextStep(alert, intent, held, ask, value, buffer);
  const leverage = divide(alert.leverage.times(step.next), step.of);
  const notional = divide(leverage.times(buffer.finalBuyingPower), TWO);
  const size = divide(notional, ask, 'down');
  const target = intent === 'long' ? size : ZERO.minus(size);
  if (size.gte(held.abs())) {
    requireRoom(notional, grossExposure(book, market, stock.id) ?? ZERO, buffer, step);
  }
  const move = moveTo(book, market, stock, target);
  const buffers = [{ stockId: stock.id, buffer }];
  const trades = !target.eq(held) && (step.isNew || isWorthTrading(move, value));
  return trades
    ? {
        ...nothing,
        requests: marketOrders([move], nextId),
        buffers,
        verdict: 'accepted',
        replaces: true,
      }
    : {
        ...nothing,
        buffers,
        skipped: [{ stockId: stock.id, reason: 'the target is already met' }],
        verdict: 'no_change',
        replaces: true,
      };
}
