import {
  type Session,
  type Timestamp,
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

/** When the exchange of the instrument has been open for `length` milliseconds since `from`. */
export function afterOpenTime(
  hours: TradingHours,
  stock: TradedInstrument,
  from: Timestamp,
  length: number,
): Timestamp {
  let at = from;
  let left = length;
  for (;;) {
    const session = hours.sessionAt(stock, at) ?? hours.nextSession(stock, at);
    // An exchange that never closes.
    if (!session) return at + left;
    at = Math.max(at, session.opensAt);
    if (session.closesAt - at >= left) return at + left;
    left -= session.closesAt - at;
    at = session.closesAt;
  }
}
