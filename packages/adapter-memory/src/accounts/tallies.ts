import type { TallyStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryTallies = ({ tallies }: Tables): TallyStore => ({
  find: async (name) => tallies.get(name),
  expired: async (now, limit) =>
    tallies
      .values()
      .filter(({ endsAt }) => endsAt <= now)
      .toSorted(
        (first, second) => first.endsAt - second.endsAt || (first.name < second.name ? -1 : 1),
      )
      .slice(0, limit)
      .map(({ name }) => name),
  save: async (tally) => tallies.set(tally.name, tally),
  remove: async (names) => names.forEach((name) => tallies.delete(name)),
});
