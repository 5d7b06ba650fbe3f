import { afterEach, beforeEach } from '../testing.js';
import type { Storage, Stores, UnitOfWork } from '@slipstream/ports';

/** Opens an empty storage. */
export type OpenStorage = () => Promise<Storage>;

/** A storage whose disk a test can fill. */
export interface FillableStorage {
  readonly storage: Storage;
  /** From now on no commit can become durable, as on a full disk. A promise is awaited. */
  fill(): unknown;
  /** Makes room again. */
  makeRoom(): unknown;
}

/** How a contract opens storages. */
export interface StorageFixture {
  readonly open: OpenStorage;
  /**
   * Closes the storage, also one that it opened before, and opens its data again, as the next start of a server does. Absent only
   * for a storage in memory, whose server forgets too.
   */
  readonly reopen?: (storage: Storage) => Promise<Storage>;
  /**
   * Opens a storage that answers nothing from memory. Only for one that takes long to open: the cases of all stores run with it in
   * place of a restart before each read.
   */
  readonly openForgetful?: OpenStorage;
  /** Absent only for a storage that cannot be full. */
  readonly openFillable?: () => Promise<FillableStorage>;
}

/** Opens a storage whose server restarts before each read that follows a commit: what it only remembered is gone by then. */
export const restarting =
  (open: OpenStorage, reopen: (storage: Storage) => Promise<Storage>): OpenStorage =>
  async () => {
    let present = open();
    let isChanged = false;
    await present;
    return {
      async run(work, options) {
        isChanged = true;
        return (await present).run(work, options);
      },
      async read(work) {
        if (isChanged) present = present.then(reopen);
        isChanged = false;
        return (await present).read(work);
      },
      subscribe: () => {
        throw new Error('a listener does not outlive a restart');
      },
      close: async () => (await present).close(),
    };
  };

/** A new, empty unit of work in every test of the surrounding `describe`. */
export function emptyBeforeEach(open: OpenStorage): UnitOfWork {
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
  });
  afterEach(async () => {
    await storage.close();
  });
  return {
    run: (work, options) => storage.run(work, options),
    read: (work) => storage.read(work),
    subscribe: (listener) => storage.subscribe(listener),
  };
}

/** Saves values one after another, each in its own transaction. */
export const saveAll =
  <Item>(unitOfWork: UnitOfWork, save: (stores: Stores, item: Item) => Promise<unknown>) =>
  (...items: readonly Item[]): Promise<void> =>
    unitOfWork.run(async (stores) => {
      for (const item of items) await save(stores, item);
    });

export const idsOf = (items: readonly { readonly id: string }[]): string[] =>
  items.map((item) => item.id);
