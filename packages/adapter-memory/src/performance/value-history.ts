import type { ValueHistoryStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryValueHistory = ({ valueHistory }: Tables): ValueHistoryStore => ({
  list: async (strategyId, from, before = Infinity) => {
    const all = valueHistory.get(strategyId) ?? [];
    const buckets = all.filter(({ start }) => start < before);
    const lastEnded = buckets.findLastIndex(({ start, length }) => start + length <= from);
    return buckets.slice(Math.max(lastEnded, 0));
  },
  shorterBefore: async (strategyId, before, length) => {
    const earlier = (valueHistory.get(strategyId) ?? []).filter(({ start }) => start < before);
    return earlier.slice(earlier.findLastIndex((bucket) => bucket.length >= length) + 1);
  },
  last: async (strategyId) => valueHistory.get(strategyId)?.at(-1),
  lastOfEach: async (strategyIds) =>
    strategyIds.map((strategyId) => valueHistory.get(strategyId)?.at(-1)),
  save: async (strategyId, bucket) => {
    const others = (valueHistory.get(strategyId) ?? []).filter(
      ({ start }) => start !== bucket.start,
    );
    const place = others.findLastIndex(({ start }) => start < bucket.start) + 1;
    valueHistory.set(strategyId, others.toSpliced(place, 0, bucket));
  },
  remove: async (strategyId, starts) => {
    const gone = new Set(starts);
    const kept = (valueHistory.get(strategyId) ?? []).filter(({ start }) => !gone.has(start));
    valueHistory.set(strategyId, kept);
  },
});
