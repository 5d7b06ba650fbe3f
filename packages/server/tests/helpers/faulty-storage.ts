import { openMemory } from '@slipstream/adapter-memory';
import type { Storage } from '@slipstream/ports';

/** Storage in memory that fails with `fault` while there is one. */
export function faultyStorage() {
  const memory = openMemory();
  const state: { fault: Error | undefined } = { fault: undefined };
  const unitOfWork: Storage = {
    run: async (work, terms) => {
      if (state.fault) throw state.fault;
      return memory.run(work, terms);
    },
    read: async (work) => {
      if (state.fault) throw state.fault;
      return memory.read(work);
    },
    subscribe: memory.subscribe,
    close: () => memory.close(),
  };
  return { state, unitOfWork };
}
