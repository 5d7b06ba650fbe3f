import { inWords } from '../../service/failures.js';
import type { Notification } from '../../service/folds.js';

/** What a notification says to its reader: a bot without a name has an id there, which nobody knows it by. */
export const noticeText = ({ text, bot_id }: Pick<Notification, 'text' | 'bot_id'>): string =>
  inWords(text.replace(`Bot ${bot_id}: `, 'Your bot: '));

/**
 * Notifications, newest first: those that were read, at most `limit`, and what the channel tells beside them. It begins with more than is
 * read at first; of one that was stored late the time is before that of others.
 */
export function withNotices(
  read: readonly Notification[],
  told: readonly Notification[],
  limit: number,
): readonly Notification[] {
  const known = new Set(read.map(({ notification_id }) => notification_id));
  const oldest = read.length < limit ? '' : (read.at(-1)?.created_at ?? '');
  const beside = told.filter(
    ({ notification_id, created_at }) => !known.has(notification_id) && created_at > oldest,
  );
  return [...beside, ...read].toSorted((one, other) =>
    other.created_at.localeCompare(one.created_at),
  );
}
