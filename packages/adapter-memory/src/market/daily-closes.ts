import type { DailyCloseStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryDailyCloses = ({ dailyCloses }: Tables): DailyCloseStore => ({
  listAfter: async (stockId, day, limit) =>
    (dailyCloses.get(stockId) ?? []).filter((close) => close.day > day).slice(0, limit),
  save: async (closes) => {
    for (const close of closes) {
      const others = (dailyCloses.get(close.stockId) ?? []).filter(({ day }) => day !== close.day);
      dailyCloses.set(
        close.stockId,
        [...others, close].sort((one, other) => one.day - other.day),
      );
    }
  },
});
