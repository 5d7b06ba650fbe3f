import {
  DAY,
  type Security,
  type Stock,
  type Timestamp,
  Refusal,
  isoDay,
} from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';
import { type BarTime, type SaidTime, type Zone, zoneOf } from './times.js';

export interface Period {
  readonly startsAt: Timestamp;
  readonly endsAt: Timestamp;
}

/** The user's words about the times of the files. */
export interface TimeChoices {
  readonly zone: string | undefined;
  readonly barTime: BarTime | undefined;
}

const NEW_YORK = 'America/New_York';

/** Places bars in time: in the regular sessions of stocks, round the clock for coins and where every hour trades. */
export class Periods {
  private readonly zone: Zone | undefined;
  private readonly newYork = zoneOf(NEW_YORK);
  /** An instrument like all others of the strategy. */
  private readonly stock: Stock;
  /** Whether the instruments have sessions, as stocks have where not every hour trades. */
  readonly hasSessions: boolean;

  constructor(
    private readonly hours: TradingHours,
    type: Security,
    private readonly choices: TimeChoices,
  ) {
    this.stock = { security: type } as Stock;
    this.hasSessions = hours.nextSession(this.stock, 0) !== undefined;
    this.zone = choices.zone === undefined ? undefined : namedZone(choices.zone);
  }

  /** The moment that a row names. @throws Refusal when only the user can say it. */
  momentOf(time: Exclude<SaidTime, { kind: 'day' }>, place: string): Timestamp {
    if (time.kind === 'moment') return time.at;
    if (this.zone) return this.zone.at(time.date, time.time);
    throw new Refusal(
      'invalid_field',
      `${place}: ${time.date} ${time.time} names no time zone; say it with --time-zone (${NEW_YORK}, UTC, …)`,
    );
  }

  /** The regular session of a day, or the whole day where every hour trades. */
  ofDay(date: string): Period | undefined {
    const startsAt = Date.parse(`${date}T00:00:00Z`);
    if (!this.hasSessions) return { startsAt, endsAt: startsAt + DAY };
    return this.openingIn(startsAt, startsAt + DAY);
  }

  /**
   * The session that opens in that time. A day's bar may begin at midnight anywhere, at the opening or at the close of the day before:
   * the date of its beginning is not always its own.
   */
  private openingIn(startsAt: Timestamp, endsAt: Timestamp): Period | undefined {
    const session = this.hours.nextSession(this.stock, startsAt - 1);
    if (!session || session.opensAt >= endsAt) return undefined;
    return { startsAt: session.opensAt, endsAt: session.closesAt };
  }

  /** The next day with a regular session. */
  dayAfter(date: string): string {
    const midnight = Date.parse(`${date}T00:00:00Z`) + DAY;
    const session = this.hasSessions ? this.hours.nextSession(this.stock, midnight - 1) : undefined;
    return isoDay(session?.opensAt ?? midnight);
  }

  /** The moment at which a split or a dividend of that day is booked: 04:00 New York, midnight UTC for coins (contract 11). */
  bookedAt(date: string): Timestamp {
    return this.hasSessions ? this.newYork.at(date, '04:00:00') : Date.parse(`${date}T00:00:00Z`);
  }

  /** The period of a bar; a text if it cannot be traded in. */
  of(
    time: SaidTime,
    given: {
      readonly endsAt?: number | undefined;
      readonly length: number;
      readonly barTime?: BarTime | undefined;
    },
    place: string,
  ): Period | string {
    if (time.kind === 'day')
      return this.ofDay(time.date) ?? 'the exchange has no session on this day';
    const at = this.momentOf(time, place);
    if (Number.isNaN(at)) return 'there is no such time';
    const barTime = given.barTime ?? this.choices.barTime;
    if (barTime === undefined)
      throw new Refusal(
        'invalid_field',
        `${place}: is the time of a bar its start or its end? Say it with --bar-time start or --bar-time end`,
      );
    if (given.length === 0 && given.endsAt === undefined)
      throw new Refusal(
        'invalid_field',
        `${place}: the length of its bars cannot be seen; say it with --interval (1m, 1h, …)`,
      );
    const startsAt = barTime === 'start' ? at : at - given.length;
    const endsAt = given.endsAt ?? startsAt + given.length;
    if (!this.hasSessions) return { startsAt, endsAt };
    if (endsAt - startsAt >= DAY)
      return this.openingIn(startsAt, endsAt) ?? 'the exchange has no session on this day';
    const open = this.hours.sessionAt(this.stock, startsAt);
    const session = open ?? this.hours.nextSession(this.stock, startsAt);
    if (!session || session.opensAt >= endsAt) return 'it is outside the regular session';
    return {
      startsAt: Math.max(startsAt, session.opensAt),
      endsAt: Math.min(endsAt, session.closesAt),
    };
  }
}

function namedZone(name: string): Zone {
  try {
    return zoneOf(name);
  } catch {
    throw new Refusal('invalid_field', `--time-zone: there is no time zone "${name}"`);
  }
}
