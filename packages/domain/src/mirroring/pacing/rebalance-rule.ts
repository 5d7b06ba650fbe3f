import { type Decimal, ZERO, decimal } from '../../numbers/decimal.js';
import { Refusal } from '../../refusal.js';

/** When a bot may increase and correct drift; null where a part is not set. Reductions of its strategies are not held back. */
export interface PacedRebalance {
  /** The fraction of equity by which a holding may differ from its target. */
  readonly band: Decimal | null;
  /** Since the last order that was not a reduction of a strategy. */
  readonly cooldownHours: number | null;
  /** `HH:MM` of each day: New York's for stocks, UTC for coins. */
  readonly at: string | null;
}

/** How often a bot brings its account in line: at every trade, or paced (contract 10). */
export type RebalanceRule = 'every_trade' | PacedRebalance;

/** A rule as it is given: parts that are absent are not set. */
export type GivenRebalance =
  | 'every_trade'
  | { readonly [Name in keyof PacedRebalance]?: PacedRebalance[Name] | undefined };

/** The rule with all its parts. */
export const rebalanceRule = (given: GivenRebalance): RebalanceRule =>
  given === 'every_trade'
    ? given
    : {
        band: given.band ?? null,
        cooldownHours: given.cooldownHours ?? null,
        at: given.at ?? null,
      };

/** Whether two rules have the same parts. */
export function isSameRule(one: RebalanceRule, other: RebalanceRule): boolean {
  if (one === 'every_trade' || other === 'every_trade') return one === other;
  const isSameBand = one.band && other.band ? one.band.eq(other.band) : one.band === other.band;
  return isSameBand && one.cooldownHours === other.cooldownHours && one.at === other.at;
}

/** The widest band. */
export const MAX_BAND = decimal('0.5');
/** The longest cooldown, 30 days. */
export const MAX_COOLDOWN_HOURS = 720;
/** A time of the day. */
export const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const invalid = (message: string): Refusal => new Refusal('invalid_field', message);

/**
 * Refuses a rule without any part, and parts out of their ranges.
 * @throws {Refusal} `invalid_field`.
 */
export function requireRebalance(rule: RebalanceRule): void {
  if (rule === 'every_trade') return;
  const { band, cooldownHours, at } = rule;
  if (band === null && cooldownHours === null && at === null)
    throw invalid('rebalance must have a band, cooldown_hours or at');
  if (band && (band.lte(ZERO) || band.gt(MAX_BAND)))
    throw invalid('rebalance.band must be above 0 and at most 0.5');
  const hours = cooldownHours ?? 1;
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_COOLDOWN_HOURS)
    throw invalid('rebalance.cooldown_hours must be a whole number from 1 to 720');
  if (at !== null && !CLOCK_TIME.test(at))
    throw invalid('rebalance.at must be a time of the day, HH:MM');
}
