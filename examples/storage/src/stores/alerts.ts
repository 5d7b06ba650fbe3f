import type { AlertRecord } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { type Tables, dueBy, oldestFirst, pageOf } from '../table.js';

/** A repeat of it may come whenever, so it stays for ever. */
const staysForEver = ({ alertId, answer }: AlertRecord): boolean =>
  alertId !== null && answer !== null;

/** The last alert of a strategy that watches its alerts. */
const isWatched =
  ({ alerts, strategies }: Pick<Tables, 'alerts' | 'strategies'>) =>
  ({ strategyId, createdAt }: AlertRecord): boolean => {
    const strategy = strategyId === null ? undefined : strategies.get(strategyId);
    if (!strategy || strategy.alertWatch === null || strategy.deletedAt !== null) return false;
    const later = alerts.where((one) => one.strategyId === strategyId && one.createdAt > createdAt);
    return later.length === 0;
  };

export const alertStores = ({
  alerts,
  keptAnswers,
  strategies,
}: Tables): Pick<Stores, 'alerts' | 'keptAnswers'> => ({
  alerts: {
    find: async (alertRecordId) => alerts.get(alertRecordId),
    findFirst: async (strategyId, alertId) =>
      oldestFirst(
        alerts.where(
          (one) => one.strategyId === strategyId && one.alertId === alertId && one.answer !== null,
        ),
      )[0],
    answeredSince: async (since) =>
      alerts.where(({ answer, createdAt }) => answer !== null && createdAt >= since),
    findByOrder: async (orderId) =>
      alerts.where((one) => one.answer !== null && one.orderId === orderId)[0],
    listOfStrategy: async (strategyId, page) =>
      pageOf(
        alerts.where((one) => one.strategyId === strategyId),
        page,
      ),
    listOfUser: async (userId, page) =>
      pageOf(
        alerts.where((one) => one.userId === userId),
        page,
      ),
    expired: async (before, limit) =>
      oldestFirst(alerts.where((one) => one.createdAt < before && !staysForEver(one)))
        .filter((one) => !isWatched({ alerts, strategies })(one))
        .slice(0, limit)
        .map(({ id }) => id),
    beyond: async (userId, keep, before, limit) => {
      const own = alerts.where((one) => one.userId === userId && !staysForEver(one));
      const removable = oldestFirst(own).filter((one) => !isWatched({ alerts, strategies })(one));
      const refused = removable.filter(({ verdict }) => verdict === 'refused');
      const others = removable.filter(({ createdAt }) => createdAt < before);
      const first = refused.length > 0 ? refused : others;
      return first.slice(0, Math.min(limit, Math.max(0, own.length - keep))).map(({ id }) => id);
    },
    withBody: async (userId, limit) =>
      oldestFirst(alerts.where((one) => one.userId === userId && one.body !== null)).slice(
        0,
        limit,
      ),
    add: async (record) => alerts.add(record.id, record),
    save: async (record) => alerts.set(record.id, record),
    remove: async (ids) => ids.forEach((alertRecordId) => alerts.delete(alertRecordId)),
  },
  keptAnswers: {
    find: async (name) => keptAnswers.get(name),
    expired: async (before, limit) => {
      const named = keptAnswers.where(() => true).map((kept) => ({ ...kept, id: kept.name }));
      return dueBy(named, ({ createdAt }) => createdAt, before - 1, limit).map(({ id }) => id);
    },
    answered: async (userId, limit) =>
      keptAnswers
        .where((kept) => kept.userId === userId && kept.sealedAnswer !== null)
        .sort((one, other) => one.createdAt - other.createdAt)
        .slice(0, limit),
    add: async (record, expiredAt) => {
      const before = keptAnswers.get(record.name);
      if (before && before.createdAt > expiredAt) return false;
      keptAnswers.set(record.name, record);
      return true;
    },
    save: async (answer) => keptAnswers.set(answer.name, answer),
    remove: async (names) => names.forEach((name) => keptAnswers.delete(name)),
  },
});
