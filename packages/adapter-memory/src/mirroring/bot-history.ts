import type { BotHistoryStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryBotHistory = ({ botHistory }: Tables): BotHistoryStore => ({
  list: async (botId, from) =>
    (botHistory.get(botId) ?? []).filter(({ start, length }) => start + length > from),
  shorterBefore: async (botId, before, length) => {
    const earlier = (botHistory.get(botId) ?? []).filter(({ start }) => start < before);
    return earlier.slice(earlier.findLastIndex((bucket) => bucket.length >= length) + 1);
  },
  last: async (botId) => botHistory.get(botId)?.at(-1),
  save: async (botId, bucket) => {
    const others = (botHistory.get(botId) ?? []).filter(({ start }) => start !== bucket.start);
    const place = others.findLastIndex(({ start }) => start < bucket.start) + 1;
    botHistory.set(botId, others.toSpliced(place, 0, bucket));
  },
  remove: async (botId, starts) => {
    const gone = new Set(starts);
    const kept = (botHistory.get(botId) ?? []).filter(({ start }) => !gone.has(start));
    botHistory.set(botId, kept);
  },
});
