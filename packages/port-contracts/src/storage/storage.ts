import { afterEach, beforeEach } from '../testing.js';
import type { Storage, Stores, UnitOfWork } from '@slipstream/ports';

/** Opens an empty storage. */
export type OpenStorage = () => Promise<Storage>;

/** A storage whose disk a test can fill. */
export interface FillableStorage {
  readonly storage: Storage;
  /** From now on no commit becomes durable, as on a full disk. */
  fill(): void;
  /** There is room again. */
  makeRoom(): void;
}

/** How a contract opens storages. */
export interface StorageFixture {
  readonly open: OpenStorage;
  /**
   * Closes the storage, and opens what it kept as the next start of a server does. Absent only of a storage that forgets:
   * its server forgets too.
   */
  readonly reopen?: (storage: Storage) => Promise<Storage>;
  /** Absent only of a storage that has nothing that could be full. */
  readonly openFillable?: () => Promise<FillableStorage>;
}

/** A unit of work that is another one, empty, in every test of the `describe` around. */
export function emptyBeforeEach(open: OpenStorage): UnitOfWork {
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
  });
  afterEach(async () => {
    await storage.close();
  });
  return {
    run: (work, terms) => storage.run(work, terms),
    read: (work) => storage.read(work),
    subscribe: (listener) => storage.subscribe(listener),
  };
}

/** Saves one thing after another in a work of its own. */
export const saveAll =
  <Item>(unitOfWork: UnitOfWork, save: (stores: Stores, item: Item) => Promise<unknown>) =>
  (...items: readonly Item[]): Promise<void> =>
    unitOfWork.run(async (stores) => {
      for (const item of items) await save(stores, item);
    });

export const idsOf = (items: readonly { readonly id: string }[]): string[] =>
  items.map((item) => item.id);
