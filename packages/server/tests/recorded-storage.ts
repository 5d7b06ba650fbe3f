import { openMemory } from '@slipstream/adapter-memory';
import type { StrategyId, UserId } from '@slipstream/domain';
import type { Stores, UnitOfWork } from '@slipstream/ports';
import { ContainerModule } from 'inversify';
import { UNIT_OF_WORK } from '../src/index.js';

/** Storage in memory that tells what was written. */
export function recordedStorage() {
  const memory = openMemory();
  const written: string[] = [];
  const unitOfWork: UnitOfWork = {
    async run(work) {
      let writes: string[] = [];
      const result = await memory.run((stores) => {
        writes = [];
        return work(telling(stores, (write) => writes.push(write)));
      });
      written.push(...writes);
      return result;
    },
    read: (work) => memory.read(work),
  };
  const replacing = new ContainerModule(({ rebind }) => {
    rebind(UNIT_OF_WORK).toConstantValue(unitOfWork);
  });
  return {
    replacing,
    /** Takes what units of work have committed since the last time: `orders.save`. */
    taken: (): string[] => written.splice(0),
    /** The ledger as it is kept: books of the strategies, invoices and tokens of the users. */
    ledger: (strategyIds: readonly string[], userIds: readonly string[]): Promise<string> =>
      memory.read(async ({ books, invoices, tokens }) => {
        const page = { limit: 100 };
        const [kept, charged, given] = await Promise.all([
          Promise.all(strategyIds.map((id) => books.find(id as StrategyId))),
          Promise.all(userIds.map((id) => invoices.list(id as UserId, {}, page))),
          Promise.all(userIds.map((id) => tokens.listOf(id as UserId))),
        ]);
        return JSON.stringify([kept, charged, given.map(({ length }) => length)], plain);
      }),
  };
}

/** Maps are written as lists. */
const plain = (_: string, value: unknown): unknown =>
  value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : value;

/** The stores, which call `tell` before each write. */
function telling(stores: Stores, tell: (write: string) => void): Stores {
  const wrapped = Object.entries<object>({ ...stores }).map(([name, store]) => [
    name,
    new Proxy(store, {
      get(methods: Readonly<Record<string, unknown>>, method: string) {
        const found = methods[method];
        if (method !== 'save' && method !== 'remove') return found;
        return (...given: unknown[]) => {
          tell(`${name}.${method}`);
          return (found as (...all: unknown[]) => unknown)(...given);
        };
      },
    }),
  ]);
  return Object.fromEntries(wrapped) as Stores;
}
