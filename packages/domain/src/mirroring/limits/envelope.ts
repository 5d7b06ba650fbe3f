import { type Decimal, ZERO, sum } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import { MINUTE, SECOND } from '../../time.js';
import type { BotOrder } from '../bot.js';
import { type BotLimits, NO_LIMITS } from './limits.js';

/** What a bot may still do today: what its plan of increases is bound by, beside cash and margin. */
export interface Envelope {
  readonly limits: Pick<BotLimits, 'maxCapital' | 'maxOrder' | 'maxGross' | 'maxPerStock'>;
  /** Orders that may still be sent today; null without limit. */
  readonly ordersLeft: number | null;
  /** USD that may still be traded today; null without limit. */
  readonly turnoverLeft: Decimal | null;
  /** Stocks whose increases rest for the session, with the broker's reason. */
  readonly resting: ReadonlyMap<StockId, string>;
  /** Stocks whose reductions came to nothing as often: they are tried again, and others do not wait for them. */
  readonly stuck: ReadonlySet<StockId>;
  /** Stocks whose next order is not due yet, as those before came to nothing again and again, with the reason. */
  readonly pausing: {
    readonly reductions: ReadonlyMap<StockId, string>;
    readonly increases: ReadonlyMap<StockId, string>;
  };
}

/** Bounds nothing. */
export const UNBOUND: Envelope = {
  limits: NO_LIMITS,
  ordersLeft: null,
  turnoverLeft: null,
  resting: new Map(),
  stuck: new Set(),
  pausing: { reductions: new Map(), increases: new Map() },
};

/** Rejections for one reason after which a stock's increases rest for the session, and nothing waits for its reductions. */
const REJECTIONS = 3;

/** The reason of an order that was not sent in time, or that its broker does not know. */
export const NEVER_REACHED = 'It never reached the broker.';

/** The reason of an order that was taken back before it was sent, because the strategies went another way. */
export const OVERTAKEN = 'Not sent. A mirrored strategy has traded the other way meanwhile.';

type OrderOfDay = Pick<
  BotOrder,
  | 'stockId'
  | 'status'
  | 'closes'
  | 'amount'
  | 'limitPrice'
  | 'filledAmount'
  | 'filledPrice'
  | 'reason'
  | 'tradeIds'
  | 'updatedAt'
>;

/** Reasons often hold figures that differ from one rejection to the next. */
export const withoutFigures = (reason: string): string => reason.replaceAll(/\d[\d.,]*/g, '#');

type Reason = Pick<OrderOfDay, 'reason'>;

const saidIn = ({ reason }: Reason): string => reason ?? 'no reason given';

/** The same for rejections for one reason. */
const keyOf = (order: Reason): string => withoutFigures(saidIn(order));

/** The stocks in which three of these orders were rejected for one reason, with the last reason. */
function rejectedStocks(orders: readonly OrderOfDay[]): ReadonlyMap<StockId, string> {
  const counts = new Map<string, number>();
  const found = new Map<StockId, string>();
  for (const { stockId, status, reason } of orders) {
    if (status !== 'rejected') continue;
    const key = `${stockId}|${keyOf({ reason })}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count >= REJECTIONS) found.set(stockId, saidIn({ reason }));
  }
  return found;
}

/** The stocks whose increases were rejected three times for one reason by these orders, with the last reason. */
export const restingStocks = (orders: readonly OrderOfDay[]): ReadonlyMap<StockId, string> =>
  rejectedStocks(orders.filter(({ closes }) => !closes));

const isUnfilled = ({ status, filledAmount }: OrderOfDay): boolean =>
  status === 'cancelled' && filledAmount.eq(ZERO);

/** The stocks whose reductions came to nothing as often: rejected for one reason, or cancelled without a fill. */
export const stuckStocks = (orders: readonly OrderOfDay[]): ReadonlySet<StockId> => {
  const reductions = orders.filter(({ closes }) => closes);
  const cancelled = reductions
    .filter(isUnfilled)
    .map((order): OrderOfDay => ({ ...order, status: 'rejected', reason: null }));
  return new Set([reductions, cancelled].flatMap((some) => [...rejectedStocks(some).keys()]));
};

const FIRST_PAUSE = 2 * SECOND;
const LONGEST_PAUSE = 30 * MINUTE;
/** A reduction that its broker takes should not be late once it can be filled. */
const LONGEST_UNFILLED = 4 * MINUTE;

/** The same for tries that came to nothing for one reason. One without a fill is a new one when a strategy traded the stock again. */
const vainKeyOf = (order: OrderOfDay): string =>
  isUnfilled(order) ? `unfilled|${order.tradeIds[0] ?? ''}` : `rejected|${keyOf(order)}`;

/**
 * The stocks of these orders that wait for their next try, with the reason: after three in a row that were rejected for one reason, or
 * cancelled without a fill, each try waits twice as long as the one before, at most half an hour. Each counts as an order, so that tries
 * at a steady pace would leave none for other increases.
 */
export function pausingStocks(
  orders: readonly OrderOfDay[],
  now: Timestamp,
): ReadonlyMap<StockId, string> {
  const inVain = new Map<StockId, OrderOfDay[]>();
  for (const order of orders) {
    if (order.filledAmount.gt(ZERO)) inVain.delete(order.stockId);
    else if (order.status === 'rejected' || (isUnfilled(order) && order.reason !== NEVER_REACHED))
      inVain.set(order.stockId, [...(inVain.get(order.stockId) ?? []), order]);
  }
  const pausing = new Map<StockId, string>();
  for (const [stockId, tries] of inVain) {
    const last = tries.at(-1);
    if (!last) continue;
    const { length } = tries.filter((order) => vainKeyOf(order) === vainKeyOf(last));
    const longest = last.closes && isUnfilled(last) ? LONGEST_UNFILLED : LONGEST_PAUSE;
    const pause = Math.min(longest, FIRST_PAUSE * 2 ** (length - 1));
    const reason = isUnfilled(last)
      ? 'not filled again and again'
      : `rejected again and again: ${saidIn(last)}`;
    if (length >= REJECTIONS && Math.abs(now - last.updatedAt) < pause)
      pausing.set(stockId, reason);
  }
  return pausing;
}

/** Increases that were rejected rest instead. */
const isPausingIncrease = ({ closes, status }: OrderOfDay): boolean =>
  !closes && status !== 'rejected';

/** The USD that an order traded, or may still trade while it is not over. */
function tradedBy({ status, amount, limitPrice, filledAmount, filledPrice }: OrderOfDay): Decimal {
  const filled = filledAmount.times(filledPrice ?? ZERO);
  const isOver = status === 'filled' || status === 'cancelled' || status === 'rejected';
  if (isOver) return filled;
  return filled.plus(amount.minus(filledAmount).times(limitPrice ?? filledPrice ?? ZERO));
}

const isReductionInVain = (order: OrderOfDay): boolean =>
  order.closes && (isUnfilled(order) || order.status === 'rejected');

/**
 * How many of these orders count towards that limit. Reductions that come to nothing are tried all day, however many there are: they take
 * no more than half of it from the increases.
 */
function countedOf(sent: readonly OrderOfDay[], most: number): number {
  const { length: inVain } = sent.filter(isReductionInVain);
  return sent.length - inVain + Math.min(inVain, Math.floor(most / 2));
}

/** What a bot of that equity may still do today, by the orders that it decided to place since the day began, oldest first. */
export function envelopeOf(
  limits: BotLimits,
  equity: Decimal,
  ordersOfDay: readonly OrderOfDay[],
  now: Timestamp,
): Envelope {
  const { maxOrdersPerDay, maxTurnoverPerDay } = limits;
  const { maxCapital, maxOrder, maxGross, maxPerStock } = limits;
  const sent = ordersOfDay.filter(
    ({ status, reason }) => status !== 'planned' && reason !== OVERTAKEN,
  );
  return {
    limits: { maxCapital, maxOrder, maxGross, maxPerStock },
    ordersLeft: maxOrdersPerDay && Math.max(0, maxOrdersPerDay - countedOf(sent, maxOrdersPerDay)),
    turnoverLeft:
      maxTurnoverPerDay && maxTurnoverPerDay.times(equity).minus(sum(sent.map(tradedBy))),
    resting: restingStocks(sent),
    stuck: stuckStocks(sent),
    pausing: {
      reductions: pausingStocks(
        sent.filter(({ closes }) => closes),
        now,
      ),
      increases: pausingStocks(sent.filter(isPausingIncrease), now),
    },
  };
}

/** Why nothing may be increased today, as text for users; null when something may. */
export function stoppedToday({
  ordersLeft,
  turnoverLeft,
}: Pick<Envelope, 'ordersLeft' | 'turnoverLeft'>): string | null {
  const reached = [
    ...(ordersLeft === 0 ? ['max_orders_per_day'] : []),
    ...(turnoverLeft?.lte(ZERO) ? ['max_turnover_per_day'] : []),
  ];
  if (reached.length === 0) return null;
  return `${reached.join(' and ')} is reached: increases wait until the next day.`;
}

/** What is left for increases beside reductions that are sent with them: their number, and their value at the worst price. */
export const besideReductions = (
  envelope: Envelope,
  { count, value }: { readonly count: number; readonly value: Decimal },
): Envelope => ({
  ...envelope,
  ordersLeft: envelope.ordersLeft && Math.max(0, envelope.ordersLeft - count),
  turnoverLeft: envelope.turnoverLeft && envelope.turnoverLeft.minus(value),
});
