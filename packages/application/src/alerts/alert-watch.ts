import {
  ALERT_WATCH_NOTIFICATION,
  HOUR,
  type Strategy,
  type StrategyId,
  type Timestamp,
  isoMinute,
} from '@slipstream/domain';
import { type Stores, isSure } from '@slipstream/ports';
import type { Core } from '../core.js';
import { afterOpenTime } from '../market/session-on.js';
import { alertWatchMail } from '../messages/mail-texts.js';
import { keepNotification } from '../messages/notify.js';
import { postMail } from '../messages/outgoing-mail.js';
import { subjectPage } from '../messages/pages.js';
import { Throttle } from '../housekeeping/throttle.js';

type Hours = Pick<Core, 'live' | 'tradingHours'>;
type Watched = Pick<Strategy, 'type' | 'alertWatch' | 'alertDueAt'>;

/** When that many trading hours have passed since `from`: of the exchanges for stocks, of all hours for coins. */
function dueAfter(
  { live, tradingHours }: Hours,
  type: Strategy['type'],
  hours: number,
  from: Timestamp,
): Timestamp {
  const stock = live.stocks.all().find(({ security }) => security === type);
  const length = hours * HOUR;
  return stock ? afterOpenTime(tradingHours, stock, from, length) : from + length;
}

/** The watch after a request: another number of hours begins anew, the same one goes on. */
export function alertWatchOf(
  core: Hours & Pick<Core, 'clock'>,
  { alertWatch: asked }: { readonly alertWatch?: number | null | undefined },
  { type, alertWatch, alertDueAt }: Watched,
): Pick<Strategy, 'alertWatch' | 'alertDueAt'> {
  if (asked === undefined || asked === alertWatch) return { alertWatch, alertDueAt };
  const dueAt = asked === null ? null : dueAfter(core, type, asked, core.clock.now());
  return { alertWatch: asked, alertDueAt: dueAt };
}

/** An alert reached the strategy: after a notice its owner is notified again when the next ones do not come. */
export async function alertCame(
  core: Hours,
  { strategies }: Pick<Stores, 'strategies'>,
  strategyId: StrategyId,
  at: Timestamp,
): Promise<void> {
  const strategy = await strategies.find(strategyId);
  if (!strategy || strategy.alertWatch === null || strategy.alertDueAt !== null) return;
  const alertDueAt = dueAfter(core, strategy.type, strategy.alertWatch, at);
  await strategies.save({ ...strategy, alertDueAt });
}

/** The most strategies in one transaction. */
const AT_ONCE = 20;
const SEARCH_EVERY = 5_000;

const silenceText = (name: string, hours: number, last: Timestamp | undefined): string =>
  `No alert has reached your strategy “${name}” for ${hours} ${hours === 1 ? 'trading hour' : 'trading hours'}. ${
    last === undefined ? 'None has come yet.' : `The last one came on ${isoMinute(last)}.`
  } See whether your charting platform still sends them.`;

/**
 * Notifies owners once when their strategies have had no alert for their `alertWatch` (contract 13): a lost alert is otherwise
 * silent. A refused alert came too.
 */
export function watchAlerts(core: Core): () => Promise<void> {
  const { unitOfWork, clock } = core;
  const throttle = new Throttle();

  /** Notifies the owner if no alert came in time, and sets when the next check is due. */
  const checkOne = async (stores: Stores, strategy: Strategy): Promise<void> => {
    const { id: strategyId, name, type, alertWatch: hours, userId } = strategy;
    const [last] = await stores.alerts.listOfStrategy(strategyId, { limit: 1 });
    const alertDueAt =
      hours !== null && last ? dueAfter(core, type, hours, last.createdAt) : -Infinity;
    if (alertDueAt > clock.now()) return stores.strategies.save({ ...strategy, alertDueAt });
    await stores.strategies.save({ ...strategy, alertDueAt: null });
    // One that is over takes no alerts.
    if (hours === null || strategy.deletedAt !== null || strategy.endedAt !== null) return;
    const notice = { userId, strategyId, text: silenceText(name, hours, last?.createdAt) };
    await keepNotification(core, stores, ALERT_WATCH_NOTIFICATION, notice);
    const owner = await stores.users.find(userId);
    if (!owner?.verified) return;
    await postMail(core, stores, owner, alertWatchMail(notice.text, subjectPage(core, notice)));
  };

  /** Returns whether these were the last ones. */
  const checkSome = (): Promise<boolean> =>
    unitOfWork.run(async (stores) => {
      const due = await stores.strategies.alertsDue(clock.now(), AT_ONCE);
      for (const strategy of due) await checkOne(stores, strategy);
      return due.length < AT_ONCE;
    });

  return async () => {
    const now = clock.now();
    if (!throttle.isDue(now) || !isSure(clock)) return;
    throttle.done(now, SEARCH_EVERY);
    while (!(await checkSome()));
  };
}
