import { z } from 'zod';
import { type Timestamp, type Decimal, decimalText } from '@slipstream/domain';

/** An identifier. */
export const idOut = z.string();
/** Plain notation, at most 18 places (contract 1, "Decimals"). */
export const decimalOut = z
  .string()
  .regex(/^-?\d+(\.\d{1,18})?$/)
  .meta({
    id: 'Decimal',
    description: 'A decimal: plain notation, no exponent, no trailing zeros, at most 18 places.',
    examples: ['0.0125'],
  });
/** A statistic (contract 17): computed in doubles, so a small one has as many places as its digits need. */
export const figureOut = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({
    id: 'FigureValue',
    description:
      'A decimal of 12 significant digits: plain notation, no exponent, no trailing zeros, as many places as the digits need.',
    examples: ['0.0125'],
  });
/** ISO 8601, UTC, milliseconds. */
export const timestampOut = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({
    id: 'Timestamp',
    format: 'date-time',
    description: 'ISO 8601 in UTC with milliseconds.',
    examples: ['2026-01-31T09:30:00.000Z'],
  });
/** The answer of an operation without a record. */
export const message = z.string().meta({ description: 'A sentence about the effect, for people.' });

/** ISO 8601 in UTC with milliseconds (contract 1). */
export const timeText = (at: Timestamp): string => new Date(at).toISOString();

/** The last time that a date can be; the first is as far before 1970. */
const LAST_TIME = 8.64e15;
/**
 * The same of a time in a record: one that was changed in the database to what no date can be is shown as the last or the first,
 * so that its reader can see that it is not what was hashed.
 */
export const recordedTimeText = (at: Timestamp): string =>
  timeText(Math.min(Math.max(at, -LAST_TIME), LAST_TIME));

/** The decimal as text; null without one. */
export const orNull = (value: Decimal | null | undefined): string | null =>
  value ? decimalText(value) : null;

/** The time as text; null without one. */
export const timeOrNull = (at: Timestamp | null): string | null =>
  at === null ? null : timeText(at);
