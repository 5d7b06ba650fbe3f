import type { ValueDayStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryValueDays = ({ valueDays }: Tables): ValueDayStore => ({
  find: async (strategyId) => valueDays.get(strategyId),
  unrecorded: async (before, limit, after) =>
    valueDays
      .keys()
      .flatMap((strategyId) => {
        const day = valueDays.get(strategyId);
        const isNext = after === undefined || strategyId > after;
        return day && isNext && !day.isRecorded && day.lastAt < before ? { strategyId, day } : [];
      })
      .sort((one, other) => (one.strategyId < other.strategyId ? -1 : 1))
      .slice(0, limit),
  save: async (strategyId, day) => valueDays.set(strategyId, day),
});
