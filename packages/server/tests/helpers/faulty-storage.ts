import type { Storage } from '@slipstream/ports';

/** What makes of a storage one that fails with `fault` while there is one. */
export function faultyStorage() {
  const state: { fault: Error | undefined } = { fault: undefined };
  const through = (kept: Storage): Storage => ({
    run: async (work, options) => {
      if (state.fault) throw state.fault;
      return kept.run(work, options);
    },
    read: async (work) => {
      if (state.fault) throw state.fault;
      return kept.read(work);
    },
    subscribe: kept.subscribe,
    close: () => kept.close(),
  });
  return { state, through };
}
