import type { AuditEntry, StrategyId, UserId } from '@slipstream/domain';
import type { Storage, Stores } from '@slipstream/ports';

/** What makes of a storage one that tells what was written. */
export function recordedStorage() {
  let kept: Storage;
  let works: (readonly string[])[] = [];
  const recorded: Storage = {
    async run(work, options) {
      let writes: string[] = [];
      const result = await kept.run((stores) => {
        writes = [];
        return work(telling(stores, (write) => writes.push(write)));
      }, options);
      works.push(writes);
      return result;
    },
    read: (work) => kept.read(work),
    subscribe: (listener) => kept.subscribe(listener),
    close: () => kept.close(),
  };
  return {
    through: (storage: Storage): Storage => {
      kept = storage;
      return recorded;
    },
    /** Takes what units of work have committed since the last time, each by itself: `orders.save`. */
    taken: (): readonly (readonly string[])[] => {
      const taken = works;
      works = [];
      return taken;
    },
    /** The audit log after that entry, with all that was asked for before. */
    auditAfter: (seq: number): Promise<AuditEntry[]> =>
      kept.run(({ audit }) => audit.listAfter(seq, 10_000)),
    /** The ledger as it is kept: books of the strategies, invoices and tokens of the users. */
    ledger: (strategyIds: readonly string[], userIds: readonly string[]): Promise<string> =>
      kept.read(async ({ books, invoices, tokens }) => {
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
const telling = (stores: Stores, tell: (write: string) => void): Stores =>
  new Proxy(stores, {
    get(_, name: keyof Stores) {
      const store: object = stores[name];
      // Events are part of a transaction, but nothing that is kept.
      if (typeof store !== 'object' || name === 'events') return store;
      return new Proxy(store, {
        get(methods: Readonly<Record<string, unknown>>, method: string) {
          const found = methods[method];
          if (method !== 'save' && method !== 'remove' && method !== 'add') return found;
          return (...given: unknown[]) => {
            tell(`${name}.${method}`);
            return (found as (...all: unknown[]) => unknown).apply(methods, given);
          };
        },
      });
    },
  });
