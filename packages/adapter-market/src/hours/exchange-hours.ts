import {
  type Session,
  type TradedInstrument,
  type Timestamp,
  MINUTE,
  HOUR,
  DAY,
} from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';
import { dayOf, usMarketHours } from './us-market-days.js';

const KEPT_DAYS = 1_000;
/** In days, longer than any closure in the rules or the one-off table. */
const LONGEST_CLOSURE = 14;

const ENDLESS: Session = {
  opensAt: Number.MIN_SAFE_INTEGER,
  closesAt: Number.MAX_SAFE_INTEGER,
};

const newYorkHour = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  hourCycle: 'h23',
});

/**
 * How many milliseconds New York is behind UTC in the daytime of `day` (days since 1970-01-01). Clocks change at night, so
 * the offset at noon UTC holds for every session of the day.
 */
export const newYorkOffset = (day: number): number =>
  (12 - Number(newYorkHour.format(day * DAY + 12 * HOUR))) * HOUR;

function usSession(day: number): Session | undefined {
  const hours = usMarketHours(day);
  if (!hours) return undefined;
  const midnight = day * DAY + newYorkOffset(day);
  return { opensAt: midnight + hours.opens * MINUTE, closesAt: midnight + hours.closes * MINUTE };
}

/**
 * `TRADING_HOURS=exchange` (contract 7): every stock has the regular sessions of the US exchanges (09:30 to 16:00 New York,
 * holidays and early closes by rule), cryptocurrencies never close.
 */
export function exchangeHours(): TradingHours {
  const sessions = new Map<number, Session | undefined>();
  const overrides = new Map<number, Session | undefined>();

  // A US session lies within one UTC day, so the UTC day is its New York date.
  const sessionOf = (day: number): Session | undefined => {
    if (overrides.has(day)) return overrides.get(day);
    if (sessions.has(day)) return sessions.get(day);
    if (sessions.size >= KEPT_DAYS) sessions.clear();
    const session = usSession(day);
    sessions.set(day, session);
    return session;
  };

  return {
    sessionAt: (stock: TradedInstrument, at: Timestamp) => {
      if (stock.security === 'cryptocurrency') return ENDLESS;
      const session = sessionOf(Math.floor(at / DAY));
      return session && session.opensAt <= at && at < session.closesAt ? session : undefined;
    },
    nextSession: (stock: TradedInstrument, at: Timestamp) => {
      if (stock.security === 'cryptocurrency') return undefined;
      const today = Math.floor(at / DAY);
      for (let day = today; day <= today + LONGEST_CLOSURE; day += 1) {
        const session = sessionOf(day);
        if (session && session.opensAt > at) return session;
      }
      return undefined;
    },
    override: (days) => {
      for (const { date, session } of days) overrides.set(dayOf(date), session ?? undefined);
    },
  };
}

/** `TRADING_HOURS=always` (contract 7): every stock has one endless session. */
export const alwaysOpen = (): TradingHours => ({
  sessionAt: () => ENDLESS,
  nextSession: () => undefined,
});
