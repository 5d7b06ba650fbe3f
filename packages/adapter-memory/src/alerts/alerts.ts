import type { AlertRecord } from '@slipstream/domain';
import type { AlertStore } from '@slipstream/ports';
import { byAge, page } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

/** A repeat of it may come at any time. */
const isAnswerForEver = ({ alertId, answer }: AlertRecord): boolean =>
  alertId !== null && answer !== null;

export const memoryAlerts = ({ alerts, strategies, refuse }: Tables): AlertStore => {
  const select = (holds: (alert: AlertRecord) => boolean): AlertRecord[] =>
    alerts.values().filter(holds);
  const answering = (holds: (alert: AlertRecord) => boolean): AlertRecord[] =>
    select((alert) => alert.answer !== null && holds(alert));
  /** The last one of a strategy that watches its alerts. */
  const isWatched = ({ strategyId, createdAt }: AlertRecord): boolean => {
    const strategy = strategyId === null ? undefined : strategies.get(strategyId);
    if (!strategy || strategy.alertWatch === null || strategy.deletedAt !== null) return false;
    return select((one) => one.strategyId === strategyId && one.createdAt > createdAt).length === 0;
  };
  const mayGo = (alert: AlertRecord): boolean => !isAnswerForEver(alert) && !isWatched(alert);

  return {
    find: async (id) => alerts.get(id),
    findFirst: async (strategyId, alertId) =>
      answering((alert) => alert.strategyId === strategyId && alert.alertId === alertId)
        .toSorted(byAge)
        .at(0),
    answeredSince: async (since) => answering((alert) => alert.createdAt >= since),
    findByOrder: async (orderId) => answering((alert) => alert.orderId === orderId).at(0),
    listOfStrategy: async (strategyId, wanted) => {
      const own = select((alert) => alert.strategyId === strategyId);
      return page(own, wanted, (cursor) => own.find((alert) => alert.id === cursor));
    },
    listOfUser: async (userId, wanted) => {
      const own = select((alert) => alert.userId === userId);
      return page(own, wanted, (cursor) => own.find((alert) => alert.id === cursor));
    },
    expired: async (before, limit) =>
      select((alert) => alert.createdAt < before && mayGo(alert))
        .toSorted(byAge)
        .slice(0, limit)
        .map((alert) => alert.id),
    beyond: async (userId, keep, before, limit) => {
      const own = select((alert) => alert.userId === userId && !isAnswerForEver(alert));
      const removable = own.filter(mayGo).toSorted(byAge);
      const refused = removable.filter(({ verdict }) => verdict === 'refused');
      const others = removable.filter((alert) => alert.createdAt < before);
      return (refused.length > 0 ? refused : others)
        .slice(0, Math.min(limit, Math.max(0, own.length - keep)))
        .map(({ id }) => id);
    },
    withBody: async (userId, limit) =>
      select((alert) => alert.userId === userId && alert.body !== null)
        .toSorted(byAge)
        .slice(0, limit),
    add: async (alert) => {
      if (alerts.get(alert.id)) refuse(`alert ${alert.id} is there already`);
      alerts.set(alert.id, alert);
    },
    save: async (alert) => alerts.set(alert.id, alert),
    remove: async (ids) => ids.forEach((id) => alerts.delete(id)),
  };
};
