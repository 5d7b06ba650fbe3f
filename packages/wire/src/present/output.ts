import { type Decimal, type Timestamp, decimalText } from '@slipstream/domain';

/** ISO 8601 in UTC with milliseconds (contract 1). */
export const timeText = (at: Timestamp): string => new Date(at).toISOString();

/** The decimal as text; null when there is none. */
export const orNull = (value: Decimal | null | undefined): string | null =>
  value ? decimalText(value) : null;

/** The time as text; null when there is none. */
export const timeOrNull = (at: Timestamp | null): string | null =>
  at === null ? null : timeText(at);
