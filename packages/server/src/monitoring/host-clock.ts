import { uptime } from 'node:os';
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '@slipstream/domain';
import type { Clock, Log } from '@slipstream/ports';

/** Less than this is how a time server corrects a clock in passing. */
const STEP = SECOND;
/** What a correction may set ahead at once and still be believed. */
const BELIEVED = MINUTE;
/** The longest that a jump ahead is in doubt. */
const LONGEST_DOUBT = DAY;
/** After a pause of this long the clock of a machine that starts is in doubt, and for how long. */
const [LONG_PAUSE, DOUBT_AT_START] = [DAY, 2 * MINUTE];

/** The clock of the machine, which is compared with how much time goes by. */
export interface HostClock extends Clock {
  isSure(): boolean;
  /** The last moment that the database knows of, told at the start. */
  knewOf(last: Timestamp): void;
  /** Why the clock is in doubt, in a sentence; null when it is not. */
  doubt(): string | null;
}

export interface HostClockParts {
  readonly log: Log;
  /** The time of day in milliseconds. */
  readonly now?: () => Timestamp;
  /** Milliseconds that have gone by, also while the machine slept. Nothing sets them. Reads a file. */
  readonly elapsed?: () => number;
  /** Milliseconds that have gone by while the machine was awake. */
  readonly awake?: () => number;
}

const UNITS = [
  [DAY, 'days'],
  [HOUR, 'hours'],
  [MINUTE, 'minutes'],
  [SECOND, 'seconds'],
] as const;

/** A length of time in one unit, as a person would say it. */
function inWords(milliseconds: number): string {
  const [length, name] = UNITS.find(([unit]) => milliseconds >= 2 * unit) ?? [SECOND, 'seconds'];
  return `${Math.round((milliseconds / length) * 10) / 10} ${name}`;
}

/**
 * Follows the clock of the machine at once, and tells when it was set. A jump ahead is in doubt for as long as it was, at most a
 * day: a wrong clock would make due what cannot be undone, and is set right by then.
 */
export function hostClock({
  log,
  now = () => Date.now(),
  elapsed = () => uptime() * SECOND,
  awake = () => performance.now(),
}: HostClockParts): HostClock {
  /** By how much the time of day was more than what went by: when it was looked at last, and when it was last believed. */
  let [seen, believed] = [now() - elapsed(), now() - elapsed()];
  /** The time of day less that awake, at the last look, and when that was. */
  let [offset, lookedAt] = [now() - awake(), awake()];
  /** When a clock that was set back counts as right: until then it may come back to where it was. */
  let settlesAt = -Infinity;
  let doubted: { readonly since: Timestamp; readonly until: number; readonly why: string } | null =
    null;

  const begin = (lasts: number, why: string): void => {
    doubted = { since: now(), until: elapsed() + lasts, why };
    log.error(
      { minutes: Math.round(lasts / MINUTE) },
      `${why}: until it is known to be right, nothing that time alone makes due is charged, paid out or removed`,
    );
  };

  const end = (why: string): void => {
    doubted = null;
    log.warn({}, `${why}: what is due is done again`);
  };

  /** Whether it went on like the time awake since a look a moment ago: so it need not be looked at again. */
  const hasGoneOn = (): boolean => {
    const wakes = awake();
    return wakes - lookedAt < STEP && Math.abs(now() - wakes - offset) < STEP;
  };

  const look = (): void => {
    if (!doubted && hasGoneOn()) return;
    [offset, lookedAt] = [now() - awake(), awake()];
    const present = now() - elapsed();
    const by = present - seen;
    seen = present;
    if (Math.abs(by) >= STEP) {
      const size = inWords(Math.abs(by));
      if (by < 0) {
        settlesAt = elapsed() + Math.min(-by, LONGEST_DOUBT);
        log.warn({ by }, `the clock was set back by ${size}`);
      } else if (present - believed <= BELIEVED)
        log.warn({ by }, `the clock was set ahead by ${size}`);
      else begin(Math.min(present - believed, LONGEST_DOUBT), `the clock jumped ahead by ${size}`);
    }
    if (doubted && by <= -STEP && present - believed <= BELIEVED) end('the clock is back');
    else if (doubted && elapsed() >= doubted.until) end('the clock has gone on from there');
    if (!doubted && (present > believed || elapsed() >= settlesAt)) believed = present;
  };

  return {
    now,
    isSure() {
      look();
      return doubted === null;
    },
    knewOf(last) {
      const ahead = now() - last;
      if (ahead < -BELIEVED)
        log.error(
          { last: new Date(last).toISOString() },
          `the clock is ${inWords(-ahead)} behind the last moment in the database: it is wrong, or was`,
        );
      if (ahead > LONG_PAUSE)
        begin(
          DOUBT_AT_START,
          `the clock is ${inWords(ahead)} ahead of the last moment in the database`,
        );
    },
    doubt() {
      look();
      return doubted && `since ${new Date(doubted.since).toISOString()} ${doubted.why}`;
    },
  };
}
