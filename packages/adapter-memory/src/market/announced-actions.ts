import type { AnnouncedAction } from '@slipstream/domain';
import type { AnnouncedActionStore, MarketDayStore, QuoteFeedStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

const byDue = (one: AnnouncedAction, other: AnnouncedAction): number =>
  one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1);

export const memoryAnnouncedActions = ({ announcedActions }: Tables): AnnouncedActionStore => ({
  find: async (actionId) => announcedActions.get(actionId),
  open: async () =>
    announcedActions
      .values()
      .filter(({ status }) => status === 'pending' || status === 'held')
      .toSorted(byDue),
  dueSince: async (from) =>
    announcedActions
      .values()
      .filter(({ dueAt }) => dueAt >= from)
      .toSorted(byDue),
  save: async (action) => announcedActions.set(action.id, action),
});

export const memoryQuoteFeed = ({ quoteFeed }: Tables): QuoteFeedStore => ({
  find: async () => quoteFeed.get('present'),
  save: async (feed) => quoteFeed.set('present', feed),
});

export const memoryMarketDays = ({ marketDays }: Tables): MarketDayStore => ({
  since: async (date) =>
    marketDays
      .values()
      .filter((day) => day.date >= date)
      .toSorted((one, other) => (one.date < other.date ? -1 : 1)),
  save: async (day) => marketDays.set(day.date, day),
});
