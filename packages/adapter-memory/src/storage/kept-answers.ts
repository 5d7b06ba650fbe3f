import type { IdempotencyRecordStore } from '@slipstream/ports';
import type { Tables } from './tables.js';

export const memoryKeptAnswers = ({ keptAnswers }: Tables): IdempotencyRecordStore => ({
  find: async (name) => keptAnswers.get(name),
  expired: async (before, limit) =>
    keptAnswers
      .values()
      .filter(({ createdAt }) => createdAt < before)
      .toSorted((first, second) => first.createdAt - second.createdAt)
      .slice(0, limit)
      .map(({ name }) => name),
  answered: async (userId, limit) =>
    keptAnswers
      .values()
      .filter((answer) => answer.userId === userId && answer.sealedAnswer !== null)
      .toSorted((first, second) => first.createdAt - second.createdAt)
      .slice(0, limit),
  add: async (record, expiredAt) => {
    const before = keptAnswers.get(record.name);
    if (before && before.createdAt > expiredAt) return false;
    keptAnswers.set(record.name, record);
    return true;
  },
  save: async (answer) => keptAnswers.set(answer.name, answer),
  remove: async (names) => names.forEach((name) => keptAnswers.delete(name)),
});
