import { type Decimal, ZERO, decimal } from '../../numbers/decimal.js';
import { Refusal } from '../../refusal.js';

/** What a bot does once it lost more than it may: only reduces, sends nothing, or closes its positions and is off. */
export const ON_BREACH = ['reduce_only', 'hold', 'close'] as const;
export type OnBreach = (typeof ON_BREACH)[number];

/** The limits that a follower sets on a bot (contract 10); null is none. No limit ever blocks a reduction. */
export interface BotLimits {
  /** The USD that the bot may use. */
  readonly maxCapital: Decimal | null;
  /** The value of one order in USD. */
  readonly maxOrder: Decimal | null;
  /** Gross exposure as a multiple of equity. */
  readonly maxGross: Decimal | null;
  /** The value of one holding as a fraction of equity. */
  readonly maxPerStock: Decimal | null;
  readonly maxOrdersPerDay: number | null;
  /** The value traded in a day as a multiple of equity. */
  readonly maxTurnoverPerDay: Decimal | null;
  /** The loss since the day's start, as a fraction of the equity then. */
  readonly maxDailyLoss: Decimal | null;
  /** The loss since the peak, as a fraction of the equity then. */
  readonly maxDrawdown: Decimal | null;
}

/** The limits of a bot whose owner sets none. */
export const NO_LIMITS: BotLimits = {
  maxCapital: null,
  maxOrder: null,
  maxGross: null,
  maxPerStock: null,
  maxOrdersPerDay: null,
  maxTurnoverPerDay: null,
  maxDailyLoss: null,
  maxDrawdown: null,
};

/** The limits of a bot of real money whose owner says nothing else. */
export const LIVE_LIMITS: BotLimits = {
  ...NO_LIMITS,
  maxDailyLoss: decimal('0.1'),
  maxOrdersPerDay: 200,
  maxTurnoverPerDay: decimal('4'),
};

/** Changes of limits; a field that is absent stays as it is. */
export type GivenLimits = { readonly [Name in keyof BotLimits]?: BotLimits[Name] | undefined };

/** The limits after a change: null turns one off, an absent one stays. */
export const changedLimits = (before: BotLimits, given: GivenLimits = {}): BotLimits => ({
  ...before,
  ...Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined)),
});

const LEAST_LOSS = decimal('0.01');
const MOST_LOSS = decimal('0.95');
const MOST_ORDERS = 100_000;

const invalid = (message: string): Refusal => new Refusal('invalid_field', message);

/**
 * Refuses limits that are no limits: sizes above 0, 1 to 100,000 orders, losses of 0.01 to 0.95.
 * @throws {Refusal} `invalid_field`.
 */
export function requireLimits(limits: BotLimits): void {
  const { maxOrdersPerDay, maxDailyLoss, maxDrawdown } = limits;
  const sizes = {
    max_capital: limits.maxCapital,
    max_order: limits.maxOrder,
    max_gross: limits.maxGross,
    max_per_stock: limits.maxPerStock,
    max_turnover_per_day: limits.maxTurnoverPerDay,
  };
  for (const [name, size] of Object.entries(sizes))
    if (size?.lte(ZERO)) throw invalid(`limits.${name} must be above 0`);
  for (const [name, loss] of Object.entries({
    max_daily_loss: maxDailyLoss,
    max_drawdown: maxDrawdown,
  }))
    if (loss && (loss.lt(LEAST_LOSS) || loss.gt(MOST_LOSS)))
      throw invalid(`limits.${name} must be 0.01 to 0.95`);
  const isCount = Number.isInteger(maxOrdersPerDay ?? 1);
  if (!isCount || (maxOrdersPerDay ?? 1) < 1 || (maxOrdersPerDay ?? 1) > MOST_ORDERS)
    throw invalid('limits.max_orders_per_day must be a whole number from 1 to 100000');
}
