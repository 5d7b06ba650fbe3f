import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Event,
  type ReadStores,
  type Storage,
  StorageUnavailable,
  type Stores,
  type TransactionOptions,
} from '@slipstream/ports';
import { type Lines, openLines } from './lines.js';
import { type State, type Write, withWrites } from './records.js';
import { storesOver } from './stores.js';
import { tablesOver } from './table.js';

/** The stores of one work: refused once it is over, and what a failed save left half done is never committed. */
interface Guarded {
  readonly stores: Stores;
  end(): void;
  /** Throws what a save threw, also when the work swallowed it. */
  requireSound(): void;
}

const writes = (method: string): boolean => ['add', 'save', 'remove'].includes(method);

function guarded(stores: Stores, { readOnly }: { readonly readOnly: boolean }): Guarded {
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  const guard = (store: object | undefined): object | undefined => {
    // Who asks for what is no store, by a symbol say, gets nothing.
    if (!store) return undefined;
    const guardedMethods = Object.entries(store as Record<string, (...all: unknown[]) => unknown>)
      .filter(([name]) => !(readOnly && writes(name)))
      .map(([name, method]) => [
        name,
        async (...given: unknown[]) => {
          if (isOver) throw new Error('the work of these stores has ended');
          try {
            return await method(...given);
          } catch (error) {
            failure ??= { error };
            throw error;
          }
        },
      ]);
    return Object.fromEntries(guardedMethods) as object;
  };
  return {
    stores: new Proxy(stores, {
      get: (all, name: keyof Stores) => guard(all[name]),
    }),
    end() {
      isOver = true;
    },
    requireSound() {
      if (failure) throw failure.error;
    },
  };
}

/** One subscription, so that a function may subscribe twice. */
interface Listener {
  readonly call: (event: Event) => void;
}

/**
 * The storage whose work this is: a work that asks for another one would wait for itself. One for all storages, because in Node 20
 * every asynchronous step of the process pays for each instance in use.
 */
const inside = new AsyncLocalStorage<object>();

/** Everything in memory; every commit is a line of `lines` before anybody hears of it. */
export function storageOn(lines: Lines): Storage {
  let state: State = withWrites(new Map(), lines.commits.flat());
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;
  const listeners = new Set<Listener>();
  const deliver = (listener: Listener, event: Event): void => {
    try {
      if (listeners.has(listener)) listener.call(event);
    } catch {
      // The port says so: the error of a listener hinders nobody.
    }
  };
  const self = {};

  const requireOutside = (): void => {
    if (closing) throw new StorageUnavailable('the storage is closed');
    if (inside.getStore() === self) throw new Error('a work cannot ask for another work');
  };

  async function perform<T>(
    work: (stores: Stores) => Promise<T>,
    options: TransactionOptions<T>,
  ): Promise<T> {
    if (options.isWanted?.() === false) throw new StorageUnavailable('no longer wanted');
    const written: Write[] = [];
    const events: Event[] = [];
    const { stores, end, requireSound } = guarded(storesOver(tablesOver(state, written), events), {
      readOnly: false,
    });
    const answer = await inside.run(self, () => work(stores)).finally(end);
    requireSound();
    if (written.length > 0) {
      try {
        await lines.append(written);
      } catch (error) {
        throw new StorageUnavailable('the file could not be written', { cause: error });
      }
      state = withWrites(state, written);
    }
    try {
      options.onCommit?.(answer);
    } finally {
      for (const event of events) for (const listener of [...listeners]) deliver(listener, event);
    }
    return answer;
  }

  return {
    async run(work, options = {}) {
      requireOutside();
      const done = last.then(() => perform(work, options));
      last = done.catch(() => undefined);
      return done;
    },
    async read<T>(work: (stores: ReadStores) => Promise<T>): Promise<T> {
      requireOutside();
      const { stores, end } = guarded(storesOver(tablesOver(state, []), []), { readOnly: true });
      return inside.run(self, () => work(stores)).finally(end);
    },
    subscribe(call) {
      const listener = { call };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => (closing ??= last.then(() => lines.close())),
  };
}

/** Opens the storage in a file, made when it is not there. */
export const openFileStorage = async (file: string): Promise<Storage> =>
  storageOn(await openLines(file));
