import type { UserId } from '@slipstream/domain';
import { ANSWER_KEPT_FOR } from './idempotency.js';
import type { Core } from './core.js';

const HOUR = 60 * 60 * 1000;

/** How long an alert is kept; one with an `alert_id` that was carried out stays, because its repeat may come whenever. */
const ALERT_KEPT_FOR = 90 * 24 * HOUR;

/** Rows removed in one transaction: few, so that commands get their turn in between. */
const CHUNK = 500;

/** What a user was told is kept up to so many; the oldest go. */
const NOTIFICATIONS_KEPT = 1_000;

/** How often it is looked whether somebody has too many alerts or notifications. */
const SENDERS_EVERY = 10_000;

/** Once an hour removes alerts, answers, tokens and tallies that are too old, and soon after they came those that are too many. */
export function forgetExpired({
  unitOfWork,
  clock,
  alertSenders,
  notified,
  settings: { caps },
}: Core): () => Promise<void> {
  let doneAt = 0;
  let lookedAt = 0;

  const chunk = (): Promise<number> =>
    unitOfWork.run(async ({ alerts, keptAnswers, tokens, tallies }) => {
      const now = clock.now();
      const old = await alerts.expired(now - ALERT_KEPT_FOR, CHUNK);
      const names = await keptAnswers.expired(now - ANSWER_KEPT_FOR, CHUNK);
      if (old.length > 0) await alerts.remove(old);
      if (names.length > 0) await keptAnswers.remove(names);
      const ended = await tokens.expired(now, CHUNK);
      for (const tokenId of ended) await tokens.remove(tokenId);
      const over = await tallies.expired(now, CHUNK);
      if (over.length > 0) await tallies.remove(over);
      return Math.max(old.length, names.length, ended.length, over.length);
    });

  /** Removes some of what a user has too many of; answers how many. */
  const trim = (userId: UserId): Promise<number> =>
    unitOfWork.run(async ({ alerts }) => {
      const tooMany = await alerts.beyond(userId, caps.alerts, CHUNK);
      if (tooMany.length > 0) await alerts.remove(tooMany);
      return tooMany.length;
    });

  const trimNotifications = (userId: UserId): Promise<number> =>
    unitOfWork.run(async ({ notifications }) => {
      const tooMany = await notifications.beyond(userId, NOTIFICATIONS_KEPT, CHUNK);
      if (tooMany.length > 0) await notifications.remove(userId, tooMany);
      return tooMany.length;
    });

  const trimUsers = async (): Promise<void> => {
    if (clock.now() - lookedAt < SENDERS_EVERY) return;
    lookedAt = clock.now();
    const senders = [...alertSenders];
    alertSenders.clear();
    for (const userId of senders) while ((await trim(userId)) > 0);
    const told = [...notified];
    notified.clear();
    for (const userId of told) while ((await trimNotifications(userId)) === CHUNK);
  };

  return async () => {
    await trimUsers();
    if (clock.now() - doneAt < HOUR) return;
    doneAt = clock.now();
    while ((await chunk()) === CHUNK);
  };
}
