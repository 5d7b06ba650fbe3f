import {
  type Session,
  type TradedInstrument,
  HOUR,
  dayStart,
  tradingDay,
} from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';

/** The regular session of a stock's exchange on that date in New York; null while it is closed all day. */
export function sessionOn(
  tradingHours: Pick<TradingHours, 'nextSession'>,
  stock: TradedInstrument,
  date: string,
): Session | null {
  const midnight = tradingDay('stock', dayStart(date) + 12 * HOUR);
  const next = tradingHours.nextSession(stock, midnight - 1);
  return next && next.opensAt < midnight + 23 * HOUR ? next : null;
}
