import { openMemory } from '@slipstream/adapter-memory';
import type { UnitOfWork } from '@slipstream/ports';
import { ContainerModule } from 'inversify';
import { UNIT_OF_WORK } from '../src/index.js';

/** Storage in memory that fails with `fault` while there is one. */
export function faultyStorage() {
  const memory = openMemory();
  const state: { fault: Error | undefined } = { fault: undefined };
  const unitOfWork: UnitOfWork = {
    run: async (work, terms) => {
      if (state.fault) throw state.fault;
      return memory.run(work, terms);
    },
    read: async (work) => {
      if (state.fault) throw state.fault;
      return memory.read(work);
    },
  };
  const replacing = new ContainerModule(({ rebind }) => {
    rebind(UNIT_OF_WORK).toConstantValue(unitOfWork);
  });
  return { state, unitOfWork, replacing };
}
