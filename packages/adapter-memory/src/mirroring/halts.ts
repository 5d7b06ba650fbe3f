import { HALT_SCOPES, type HaltScope } from '@slipstream/domain';
import type { HaltStore } from '@slipstream/ports';
import { byAge, page } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryHalts = ({ halts }: Tables): HaltStore => ({
  find: async (haltId) => halts.get(haltId),
  on: async ({ scope, target }) =>
    halts
      .values()
      .filter((halt) => halt.scope === scope && halt.target === target)
      .toSorted(byAge),
  list: async (wanted) =>
    page(halts.values(), wanted, (cursor) => halts.values().find(({ id }) => id === cursor)),
  count: async () => {
    const counts = HALT_SCOPES.map((scope) => [
      scope,
      halts.values().filter((halt) => halt.scope === scope).length,
    ]);
    return Object.fromEntries(counts) as Record<HaltScope, number>;
  },
  save: async (halt) => halts.set(halt.id, halt),
  remove: async (haltId) => halts.delete(haltId),
});
