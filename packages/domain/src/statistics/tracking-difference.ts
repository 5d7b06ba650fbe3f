import type { Timestamp } from '../ids.js';
import type { BotOrder } from '../mirroring/bot.js';
import { type Decimal, ZERO, decimal, decimalText } from '../numbers/decimal.js';
import { type Figure, type FigureGap, type FigureSpan, figureOf } from './figure.js';

/**
 * The account's return less its target's, by cause: the causes sum to the total, to the last digit. What is not measured apart has
 * no value, and is in `other`.
 */
export interface TrackingFigures {
  readonly total: Figure;
  /** Fills against the quotes with which they were planned; against the strategies' fills where those were not kept. */
  readonly slippage: Figure;
  /** What brokers charged. */
  readonly fees: Figure;
  /** The quotes with which orders were planned against the strategies' fills. */
  readonly delay: Figure;
  /** What the account could not hold or trade of its target. */
  readonly notHeld: Figure;
  /** What caps on leverage and the bot's limits took from its target. */
  readonly leverageAndCaps: Figure;
  readonly other: Figure;
}

/** A reading of the account in doubles. `level` is its value without flows, 1 at the first reading. */
export interface Reading {
  readonly at: Timestamp;
  readonly equity: number;
  readonly level: number;
  /** The last known value of its target; zero without one. */
  readonly target: number;
  /** What was gained since the reading before by not holding what the target does, as parts of that reading's level; null when it is not known. */
  readonly unheld: { readonly notHeld: number; readonly leverageAndCaps: number } | null;
}

/** Where a difference is looked for. */
export interface TrackedSpan {
  /** Those that were filled in it. */
  readonly orders: readonly BotOrder[];
  /** All of the account. */
  readonly readings: readonly Reading[];
  /** Those of the span. */
  readonly counted: readonly Reading[];
  /** The account's level at its start. */
  readonly base: number;
}

/** An order that was filled, with what its fills are measured by. */
type Filled = BotOrder & { readonly filledPrice: Decimal };

const isFilled = (order: BotOrder): order is Filled => order.filledPrice !== null;

const numberOf = (value: Decimal): number => Number(decimalText(value));

/** The gain in USD of trading at the second price instead of the first. */
const better = ({ action, filledAmount }: Filled, first: Decimal, second: Decimal): Decimal => {
  const gain = first.minus(second).times(filledAmount);
  return action === 'buy' ? gain : ZERO.minus(gain);
};

/** What each cause gained with the order, in USD; null where it is not known. */
const CAUSES = {
  slippage: (order) => {
    if (!order.strategyPrice) return null;
    return better(order, order.plannedPrice ?? order.strategyPrice, order.filledPrice);
  },
  fees: ({ fee }) => fee && ZERO.minus(fee),
  delay: (order) =>
    order.strategyPrice &&
    order.plannedPrice &&
    better(order, order.strategyPrice, order.plannedPrice),
} as const satisfies Readonly<Record<string, (order: Filled) => Decimal | null>>;

/**
 * What became of each dollar of a gain by the end of the span: what an account has more or less than its target grows on as that. So the
 * causes sum to the difference of the returns over a span of any length.
 */
function growthSince(reading: Reading | undefined, { counted }: TrackedSpan): number {
  const end = counted.at(-1)?.target ?? 0;
  return reading && reading.target > 0 && end > 0 ? end / reading.target : 1;
}

/** The gain as a part of the account, in parts of its level at the start of the span; none of an account without equity. */
function partOf(gain: Decimal, at: Timestamp, tracked: TrackedSpan): number {
  const { readings, base } = tracked;
  const index = readings.findLastIndex((reading) => reading.at <= at);
  const before = readings[Math.max(0, index)];
  if (!before || before.equity <= 0) return 0;
  const part = (numberOf(gain) / before.equity) * before.level;
  return (part * growthSince(readings[index + 1], tracked)) / base;
}

/** The figure of a cause; not measured where none of the orders tells it. */
function causeOf(
  orders: readonly Filled[],
  tracked: TrackedSpan,
  span: FigureSpan,
  gainOf: (order: Filled) => Decimal | null,
): Figure {
  const known = orders.flatMap((order) => {
    const gain = gainOf(order);
    return gain ? partOf(gain, order.updatedAt, tracked) : [];
  });
  if (known.length === 0 && orders.length > 0) return figureOf(span, 0, 'not_measured');
  return figureOf(
    span,
    known.length,
    known.reduce((sum, one) => sum + one, 0),
  );
}

/** The figure of what was not held for that reason; not measured where no reading tells it. */
function unheldFigure(
  tracked: TrackedSpan,
  span: FigureSpan,
  reason: keyof NonNullable<Reading['unheld']>,
): Figure {
  const { counted, base } = tracked;
  const known = counted.flatMap((reading) => {
    const part = reading.unheld?.[reason];
    return part === undefined ? [] : part * growthSince(reading, tracked);
  });
  if (known.length === 0) return figureOf(span, 0, 'not_measured');
  const total = known.reduce((sum, one) => sum + one, 0);
  return figureOf(span, known.length, total / base);
}

/** The difference by cause. */
export function trackingFigures(total: Figure, tracked: TrackedSpan): TrackingFigures {
  const { orders } = tracked;
  const { value, gap, n, from, to } = total;
  const span = { from, to };
  if (value === null) {
    const none = figureOf(span, 0, gap ?? ('no_days' satisfies FigureGap));
    const causes = { slippage: none, fees: none, delay: none };
    return { total, ...causes, notHeld: none, leverageAndCaps: none, other: none };
  }
  const filled = orders.filter(isFilled);
  const cause = (gainOf: (order: Filled) => Decimal | null): Figure =>
    causeOf(filled, tracked, span, gainOf);
  const measured = {
    slippage: cause(CAUSES.slippage),
    fees: cause(CAUSES.fees),
    delay: cause(CAUSES.delay),
    notHeld: unheldFigure(tracked, span, 'notHeld'),
    leverageAndCaps: unheldFigure(tracked, span, 'leverageAndCaps'),
  };
  const rest = Object.values(measured).reduce(
    (left, figure) => left.minus(decimal(figure.value ?? '0')),
    decimal(value),
  );
  // In all its places: a small cause has digits behind the eighteenth.
  const other = { value: rest.toFixed(), n, ...span, gap: null };
  return { total, ...measured, other };
}
