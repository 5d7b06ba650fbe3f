import { RESEND_WINDOW, type UserId } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { storageOf } from '../caps.js';
import type { Core } from '../core.js';
import { Throttle } from './throttle.js';

/** The number of rows removed in one transaction: few, so that commands run in between. */
const CHUNK = 500;
/** The same for rows that may be large. */
const SMALL_CHUNK = 5;

/** The most stored notifications of a user; the oldest are removed. */
const NOTIFICATIONS_KEPT = 1_000;

const EVERY = 10_000;
/** After every time. */
const EVER = Number.MAX_SAFE_INTEGER;

/** Removes alerts, answers and notifications beyond a user's caps, soon after they are stored. */
export function purgeExcess({
  unitOfWork,
  clock,
  senders,
  notified,
  settings: { caps },
}: Core): () => Promise<void> {
  const throttle = new Throttle();

  /** Only alerts from before this time are removed: a newer one may be resent and must be recognized. */
  const settledBefore = (): number => clock.now() - 2 * RESEND_WINDOW;

  const trimAlerts = (userId: UserId): Promise<number> =>
    unitOfWork.run(async ({ alerts }) => {
      const tooMany = await alerts.beyond(userId, caps.alerts, settledBefore(), CHUNK);
      if (tooMany.length > 0) await alerts.remove(tooMany);
      return tooMany.length;
    });

  /** Whether the user has alerts beyond the cap that may be resent yet: they go later. */
  const isInExcess = (userId: UserId): Promise<boolean> =>
    unitOfWork.read(
      async ({ alerts }) => (await alerts.beyond(userId, caps.alerts, EVER, 1)).length > 0,
    );

  const trimNotifications = (userId: UserId): Promise<number> =>
    unitOfWork.run(async ({ notifications }) => {
      const tooMany = await notifications.beyond(userId, NOTIFICATIONS_KEPT, CHUNK);
      if (tooMany.length > 0) await notifications.remove(userId, tooMany);
      return tooMany.length;
    });

  /** Removes some of the least important rows. Returns how many there were. */
  const forgetSome = async ({ alerts, keptAnswers }: Stores, userId: UserId): Promise<number> => {
    const alertIds = await alerts.beyond(userId, 0, settledBefore(), SMALL_CHUNK);
    if (alertIds.length > 0) {
      await alerts.remove(alertIds);
      return alertIds.length;
    }
    const answers = await keptAnswers.answered(userId, SMALL_CHUNK);
    if (answers.length > 0) {
      // The key stays known, so a repeat is refused and does not run again.
      for (const answer of answers) await keptAnswers.save({ ...answer, sealedAnswer: null });
      return answers.length;
    }
    const bodies = await alerts.withBody(userId, SMALL_CHUNK);
    for (const alert of bodies) await alerts.save({ ...alert, body: null });
    return bodies.length;
  };

  const trimStorage = (userId: UserId): Promise<number> =>
    unitOfWork.run(async (stores) => {
      const isFull = (await stores.users.stored(userId)) >= storageOf(caps);
      return isFull ? forgetSome(stores, userId) : 0;
    });

  return async () => {
    const now = clock.now();
    if (!throttle.isDue(now)) return;
    throttle.done(now, EVERY);
    const [sent, recipients] = [[...senders], [...notified]];
    senders.clear();
    notified.clear();
    for (const userId of sent) {
      while ((await trimAlerts(userId)) > 0);
      while ((await trimStorage(userId)) > 0);
      if (await isInExcess(userId)) senders.add(userId);
    }
    for (const userId of recipients) while ((await trimNotifications(userId)) === CHUNK);
  };
}
