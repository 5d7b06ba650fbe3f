import { type Bot, type Timestamp, advance } from '@slipstream/domain';

/** A running bot checks every minute (contract 4); so does a bot that waits for a market or a value. */
export const CHECK_EVERY = 60_000;

/** How often open broker orders are refreshed. */
export const POLL_EVERY = 5_000;

/** A market order that is open for longer is cancelled and planned again. */
export const OPEN_ORDER_LASTS = 120_000;

/** An intent that never reached the broker may be sent for this long; then it is out of date. */
export const INTENT_LASTS = 60_000;

/** How long an order that may have reached the broker is asked for, although the broker does not show it. */
export const DOUBT_LASTS = 60_000;

const FIRST_RETRY = 2_000;
/** No check is due later than this after the one before, unless a broker asks to slow down for longer. */
export const LONGEST_RETRY = 300_000;
const DOUBLINGS = 10;

/** When a bot that is woken is due: then at the latest, and at another time than before, by which a check that goes on sees that it was woken. */
export const wokenAt = ({ nextRunAt }: Pick<Bot, 'nextRunAt'>, at: Timestamp): Timestamp =>
  nextRunAt === null ? at : Math.min(at, nextRunAt - 1);

/** The bot when it begins to stop: it is due at once, closes its positions if it shall, and then it is off. */
export const stopping = (bot: Bot, now: Timestamp, closesPositions: boolean): Bot => ({
  ...advance(bot, 'stop'),
  statusReason: null,
  nextRunAt: now,
  awaitsTradeSince: null,
  closesPositions,
  attempts: 0,
});

/** When to try again after `attempts` failures in a row, this one included. */
export const retryAt = (now: Timestamp, attempts: number): Timestamp =>
  now + Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** Math.min(attempts - 1, DOUBLINGS));

/** The bot after one more failure, due again later. */
export const afterFailure = (bot: Bot, now: Timestamp, reason: string): Bot => {
  const attempts = bot.attempts + 1;
  return { ...bot, attempts, nextRunAt: retryAt(now, attempts), statusReason: reason };
};
