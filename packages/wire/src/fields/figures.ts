import {
  CLOCK_TIME,
  MAX_ALERT_WATCH,
  MAX_BAND,
  MAX_COOLDOWN_HOURS,
  TWO,
  ZERO,
  decimal,
} from '@slipstream/domain';
import { z } from 'zod';
import { stepped, decimalThat, toLimits } from './decimals.js';

/** Fraction reserved when sizing (spec 8). */
export const slippage = stepped('0', '0.05', '0.001', { examples: ['0.002'] });
/** Leverage of an alert; 0 closes (spec 4.4). */
export const leverage = stepped('0', '2', '0.01', { examples: ['1'] });
/** Leverage of a bot (contract 2). */
export const botLeverage = stepped('0.01', '2', '0.01', { examples: ['1'] });
/** Target of an allocation; negative is short, 0 closes (contract 3). */
export const percent = decimalThat(
  'must be between -2 and 2',
  (value) => value.abs().lte(TWO),
  { examples: ['0.25'] },
  { read: toLimits(TWO, ZERO.minus(TWO)) },
);
/** Share of a bot's account (contract 4). */
export const botPercent = decimalThat(
  'must be between 0 and 2',
  (value) => value.gte(ZERO) && value.lte(TWO),
  {},
  { read: toLimits(ZERO, TWO) },
);
const HALF = decimal('0.5');
/** Distance of a bot's limit prices from the quote (contract 10). */
export const priceCollar = decimalThat(
  'must be between 0 and 0.5',
  (value) => value.gte(ZERO) && value.lte(HALF),
  { examples: ['0.01'] },
  { read: toLimits(ZERO, HALF) },
);
/** Widest spread at which a bot trades (contract 10). */
export const maxSpread = decimalThat(
  'must be above 0 and at most 0.5',
  (value) => value.gt(ZERO) && value.lte(HALF),
  { examples: ['0.02'] },
  { read: toLimits(ZERO, HALF) },
);
/** How far a holding may be from its target (contract 10). */
export const band = decimalThat(
  'must be above 0 and at most 0.5',
  (value) => value.gt(ZERO) && value.lte(MAX_BAND),
  { examples: ['0.02'] },
  { read: toLimits(MAX_BAND) },
);
/** The time between rebalances (contract 10). */
export const cooldownHours = z
  .int({ error: 'must be a whole number' })
  .min(1, { error: 'must be at least 1' })
  .max(MAX_COOLDOWN_HOURS, { error: `must be at most ${MAX_COOLDOWN_HOURS}` });
/** Trading hours without an alert (contract 13). */
export const alertWatch = z
  .int({ error: 'must be a whole number' })
  .min(1, { error: 'must be at least 1' })
  .max(MAX_ALERT_WATCH, { error: `must be at most ${MAX_ALERT_WATCH}` });
/** A time of the day. */
export const clockTime = z
  .string({ error: 'must be text' })
  .regex(CLOCK_TIME, { error: 'must be a time of the day, HH:MM' });
/** A size that a bot's limit sets: USD, or a multiple of equity (contract 10). */
export const sizeLimit = decimalThat('must be above 0', (value) => value.gt(ZERO));
const [LEAST_LOSS, MOST_LOSS] = [decimal('0.01'), decimal('0.95')];
/** A loss that breaches a bot's limit (contract 10). */
export const lossLimit = decimalThat(
  'must be between 0.01 and 0.95',
  (value) => value.gte(LEAST_LOSS) && value.lte(MOST_LOSS),
  { examples: ['0.1'] },
  { read: toLimits(LEAST_LOSS, MOST_LOSS) },
);
/** Orders of a bot in a day (contract 10). */
export const orderLimit = z
  .int({ error: 'must be a whole number' })
  .min(1, { error: 'must be at least 1' })
  .max(100_000, { error: 'must be at most 100000' });
const THOUSAND = decimal('1000');
/** What a token may open and add in a day, as a multiple of strategy_value (contract 13). */
export const notionalLimit = decimalThat(
  'must be between 0 and 1000',
  (value) => value.gte(ZERO) && value.lte(THOUSAND),
  { examples: ['0.5'] },
  { read: toLimits(ZERO, THOUSAND) },
);
/** Orders that a token may place in a day (contract 13). */
export const placedLimit = z
  .int({ error: 'must be a whole number' })
  .min(0, { error: 'must be at least 0' })
  .max(100_000, { error: 'must be at most 100000' });
const TENTH = decimal('0.1');
/** A stock's fee or slippage (contract 2). */
export const stockFraction = decimalThat(
  'must be between 0 and 0.1',
  (value) => value.gte(ZERO) && value.lte(TENTH),
  {},
  { read: toLimits(ZERO, TENTH) },
);
/** Entry steps of an alert (spec 4.4); alert templates may send text. */
export const pyramiding = z
  .union([z.string(), z.number()], { error: 'must be an integer from 1 to 100' })
  .transform((value, context): number => {
    const steps = /^\d{1,3}(\.0{1,18})?$/.test(String(value)) ? Number(value) : 0;
    if (steps >= 1 && steps <= 100) return steps;
    context.addIssue({ code: 'custom', message: 'must be an integer from 1 to 100' });
    return z.NEVER;
  })
  .meta({ description: 'An integer from 1 to 100.' });

/** Whole USD a month (contract 2). */
export const monthlyPrice = z
  .int({ error: 'must be a whole number of USD' })
  .min(0, { error: 'must not be negative' })
  .max(1_000_000, { error: 'must be at most 1000000' });
