import {
  DAY,
  HOUR,
  type MarketDay,
  MINUTE,
  type Session,
  type Stock,
  isoDay,
} from '@slipstream/domain';
import type { Core } from '../core.js';
import { sessionOn } from './session-on.js';
import { Throttle } from '../housekeeping/throttle.js';

const ASKED = 6 * HOUR;
const ASKED_SOON = 10 * MINUTE;
const AHEAD = 14 * DAY;
/** A watch of alerts counts up to 720 trading hours back. */
const BACK = 200 * DAY;
/** More differences than that in two weeks are a fault of the source. */
const MOST = 5;

/** The sessions of the exchanges, compared with a calendar every day (contract 11). */
export interface CalendarFollower {
  /** Takes over the stored days. Called before the market starts. */
  start(): Promise<void>;
  /** Asks the calendar, if it is time to; it may take long. */
  follow(): Promise<void>;
}

const isSame = (one: Session | null, other: Session | null): boolean =>
  one?.opensAt === other?.opensAt && one?.closesAt === other?.closesAt;

export function marketCalendar(core: Core): CalendarFollower {
  const { unitOfWork, clock, live, log, tradingHours, marketCalendar: calendar } = core;
  const throttle = new Throttle();

  const take = async (days: readonly MarketDay[], stock: Stock): Promise<void> => {
    const different = days.flatMap((day) => {
      const before = sessionOn(tradingHours, stock, day.date);
      return isSame(before, day.session) ? [] : [{ ...day, before }];
    });
    if (different.length === 0) return;
    const shown = different.map(({ date, session, before }) => ({
      date,
      was: before,
      is: session,
    }));
    if (different.length > MOST)
      return log.error(
        { days: shown },
        'the calendar differs on too many days; none is taken over',
      );
    await unitOfWork.run(async (stores) => {
      for (const { date, session } of different) await stores.marketDays.save({ date, session });
    });
    tradingHours.override?.(different);
    log.error(
      { days: shown },
      'sessions of the exchanges differ from their rules; they are followed',
    );
  };

  return {
    async start() {
      const first = isoDay(clock.now() - BACK);
      const days = await unitOfWork.read((stores) => stores.marketDays.since(first));
      tradingHours.override?.(days);
    },
    async follow() {
      const now = clock.now();
      const stock = live.stocks.all().find(({ security }) => security === 'stock');
      if (!calendar || !tradingHours.override || !stock || !throttle.isDue(now)) return;
      throttle.done(now, ASKED_SOON);
      await take(await calendar.between(isoDay(now), isoDay(now + AHEAD)), stock);
      throttle.done(now, ASKED);
    },
  };
}
