import { AsyncLocalStorage } from 'node:async_hooks';
import { openMemory } from '@slipstream/adapter-memory';
import {
  type Event,
  type KnownVersions,
  type ReadStores,
  type Storage,
  StorageUnavailable,
  type Stores,
} from '@slipstream/ports';
import type { StorageFixture } from '@slipstream/port-contracts';

/** Runs something as if nobody had called it: in no context of a work. */
const outside = AsyncLocalStorage.snapshot();

/** The reference, with a disk that can be full and an end that it outlives: each wrong one differs in one thing. */
function reference(): { readonly storage: Storage; readonly disk: { full: boolean } } {
  const memory = openMemory();
  const disk = { full: false };
  const storage: Storage = {
    ...memory,
    run: (work, options) =>
      memory.run(async (stores) => {
        const answer = await work(stores);
        if (disk.full) throw new StorageUnavailable('the disk is full');
        return answer;
      }, options),
  };
  return { storage, disk };
}

const fixtureOf = (
  change: (storage: Storage, disk: { full: boolean }) => Storage,
  reopened: (storage: Storage) => Storage = (storage) => storage,
): StorageFixture => {
  const opened = () => {
    const { storage, disk } = reference();
    return { storage: change(storage, disk), disk };
  };
  return {
    open: async () => opened().storage,
    reopen: async (storage) => reopened(storage),
    openFillable: async () => {
      const { storage, disk } = opened();
      return {
        storage,
        fill: () => {
          disk.full = true;
        },
        makeRoom: () => {
          disk.full = false;
        },
      };
    },
  };
};

/** Listeners are called inside the context of the work: their reads are refused. */
const tellsInside = (storage: Storage): Storage => {
  let isInside = false;
  const requireOutside = () => {
    if (isInside) throw new Error('a unit of work cannot be used inside another one');
  };
  return {
    ...storage,
    run: async (work, options) => {
      requireOutside();
      return storage.run(work, {
        ...options,
        onCommit: (answer) => {
          isInside = true;
          try {
            options?.onCommit?.(answer);
          } finally {
            isInside = false;
          }
        },
      });
    },
    read: async (work) => {
      requireOutside();
      return storage.read(work);
    },
  };
};

/** Asks whether a work is wanted when it is handed in. */
const asksEarly = (storage: Storage): Storage => ({
  ...storage,
  run: async (work, options) => {
    if (options?.isWanted?.() === false) throw new StorageUnavailable('not wanted');
    return storage.run(work, { onCommit: options?.onCommit });
  },
});

type Methods = Readonly<Record<string, (...given: unknown[]) => unknown>>;
const storesNamed = (stores: ReadStores) => stores as unknown as Readonly<Record<string, Methods>>;

/** Each store is of the moment when a read first looks into it. */
const readsManyMoments = (storage: Storage): Storage => ({
  ...storage,
  read: (work) =>
    storage.read(async (stores) => {
      const ends: (() => void)[] = [];
      const momentNow = () =>
        new Promise<Readonly<Record<string, Methods>>>((resolve) => {
          void outside(() =>
            storage.read(async (now) => {
              resolve(storesNamed(now));
              await new Promise<void>((end) => ends.push(end));
            }),
          );
        });
      const late = (name: string, methods: Methods): Methods => {
        let moment: ReturnType<typeof momentNow> | undefined;
        return Object.fromEntries(
          Object.keys(methods).map((method) => [
            method,
            async (...given: unknown[]) =>
              (await (moment ??= momentNow()))[name]?.[method]?.(...given),
          ]),
        );
      };
      const all = Object.entries(storesNamed(stores)).map(([name, methods]) => [
        name,
        late(name, methods),
      ]);
      try {
        return await work(Object.fromEntries(all) as ReadStores);
      } finally {
        for (const end of ends) end();
      }
    }),
});

/** Reads in which all books are what `all` makes of the store's. */
const listingBooks = (
  storage: Storage,
  all: (
    books: Pick<ReadStores['books'], 'all'>,
    known: KnownVersions | undefined,
  ) => ReturnType<ReadStores['books']['all']>,
): Pick<Storage, 'read'> => ({
  read: (work) =>
    storage.read((stores) =>
      work({ ...stores, books: { ...stores.books, all: (known) => all(stores.books, known) } }),
    ),
});

/** All books, those that were saved again last. */
const movesWhatIsSaved = (storage: Storage): Storage => {
  const saved: string[] = [];
  /** When it was saved again; what was saved once stands where it was. */
  const movedAt = (strategyId: string): number => {
    const last = saved.lastIndexOf(strategyId);
    return last === saved.indexOf(strategyId) ? -1 : last;
  };
  return {
    ...storage,
    run: (work, options) =>
      storage.run(
        (stores: Stores) =>
          work({
            ...stores,
            books: {
              ...stores.books,
              save: (book, changes) => {
                saved.push(book.strategyId);
                return stores.books.save(book, changes);
              },
            },
          }),
        options,
      ),
    ...listingBooks(storage, async (books, known) =>
      (await books.all(known)).toSorted(
        (first, second) => movedAt(first.strategyId) - movedAt(second.strategyId),
      ),
    ),
  };
};

/** A book that the reader has is left out, also in another version. */
const leavesOutWhatChanged = (storage: Storage): Storage => ({
  ...storage,
  ...listingBooks(storage, async (books, known) =>
    (await books.all()).filter((book) => !known?.has(book.strategyId)),
  ),
});

/** Plain errors of the driver come through. */
const throwsPlainly = (storage: Storage): Storage => ({
  ...storage,
  run: async (work, options) => {
    try {
      return await storage.run(work, options);
    } catch (error) {
      if (error instanceof StorageUnavailable && /full/.test(error.message))
        throw new Error('ENOSPC: no space left on device', { cause: error });
      throw error;
    }
  },
});

/** Commits and tells before it has waited for the disk. */
const tellsTooEarly = (storage: Storage, disk: { full: boolean }): Storage => {
  const isFull = () => disk.full;
  return {
    ...storage,
    run: async (work, options) => {
      const was = isFull();
      disk.full = false;
      const answer = await storage.run(work, options).finally(() => {
        disk.full = was;
      });
      if (was) throw new StorageUnavailable('the disk is full');
      return answer;
    },
  };
};

/** Books come back from the disk without their positions: a map is {} in JSON. */
const forgetsMaps = (storage: Storage): Storage => {
  const forgetful = (stores: ReadStores): ReadStores => ({
    ...stores,
    books: {
      ...stores.books,
      find: async (strategyId) => {
        const book = await stores.books.find(strategyId);
        return book && { ...book, positions: new Map() };
      },
    },
  });
  return { ...storage, read: (work) => storage.read((stores) => work(forgetful(stores))) };
};

/** A restart empties one store: its rows were never written. */
const neverWrites =
  (name: 'halts' | 'botOrders') =>
  (storage: Storage): Storage => {
    const empty = openMemory();
    return {
      ...storage,
      run: (work, options) =>
        empty.run((fresh) =>
          storage.run((stores) => work({ ...stores, [name]: fresh[name] }), options),
        ),
      read: (work) =>
        empty.read((fresh) => storage.read((stores) => work({ ...stores, [name]: fresh[name] }))),
    };
  };

/** Collects the events of its transactions itself; `deliver` says when and how the listeners hear of them. */
const delivering =
  (
    deliver: (events: readonly Event[], tell: (event: Event) => void) => void,
    { isFirst = false, atOnce = false, alsoFailed = false, shields = true } = {},
  ) =>
  (storage: Storage): Storage => {
    const listeners = new Set<{ readonly listener: (event: Event) => void }>();
    const tell = (event: Event): void => {
      for (const { listener } of listeners) {
        try {
          listener(event);
        } catch (error) {
          if (!shields) throw error;
        }
      }
    };
    return {
      ...storage,
      subscribe(listener) {
        const one = { listener };
        listeners.add(one);
        return () => void listeners.delete(one);
      },
      run: async (work, options) => {
        let added: Event[] = [];
        const collecting = (stores: Stores) => {
          added = [];
          const add = async (event: Event) => {
            if (atOnce) outside(() => tell(event));
            else added.push(event);
          };
          return work({ ...stores, events: { add } });
        };
        try {
          return await storage.run(collecting, {
            ...options,
            onCommit: (answer) => {
              if (isFirst) deliver(added, tell);
              options?.onCommit?.(answer);
              if (!isFirst) deliver(added, tell);
            },
          });
        } catch (error) {
          if (alsoFailed && !(error instanceof StorageUnavailable)) deliver(added, tell);
          throw error;
        }
      },
    };
  };

const inOrder = (events: readonly Event[], tell: (event: Event) => void): void =>
  events.forEach(tell);

/** Delivers what a transaction added first last. */
const deliversBackwards = delivering((events, tell) => [...events].reverse().forEach(tell));

/** Ends every subscription of a function at once. */
const mixesSubscriptions = (storage: Storage): Storage => {
  const ends = new Map<unknown, (() => void)[]>();
  return {
    ...storage,
    subscribe(listener) {
      const all = ends.get(listener) ?? [];
      all.push(storage.subscribe(listener));
      ends.set(listener, all);
      return () => all.forEach((end) => end());
    },
  };
};

/** Delivers the events of what was written only. */
const deliversWrites = (storage: Storage): Storage => ({
  ...storage,
  run: (work, options) =>
    storage.run(async (stores) => {
      const added: Event[] = [];
      let hasWritten = false;
      const answer = await work({
        ...stores,
        users: { ...stores.users, save: (user) => ((hasWritten = true), stores.users.save(user)) },
        brokerAccounts: {
          ...stores.brokerAccounts,
          save: (...given) => ((hasWritten = true), stores.brokerAccounts.save(...given)),
        },
        events: { add: async (event) => void added.push(event) },
      });
      if (hasWritten) for (const event of added) await stores.events.add(event);
      return answer;
    }, options),
});

const same = (storage: Storage): Storage => storage;

/** As a column that is as long as the longest name. */
const hasShortNames = (storage: Storage): Storage => ({
  ...storage,
  run: (work, options) =>
    storage.run((stores) => {
      const { users } = stores;
      const save: typeof users.save = async (user) => {
        if ((user.name?.length ?? 0) > 50)
          throw new Error('value too long for type character varying(50)');
        return users.save(user);
      };
      return work({ ...stores, users: { ...users, save } });
    }, options),
});

/** The cases that read whole books, and so find each one without its positions once a restart is between. */
const CASES_OF_BOOKS = [
  'gives back a book with every type of order and its positions in their order',
  'gives back every decimal to its last digit',
  'adds, changes and closes positions',
  'records orders that were opened, and filled by the same command, cut or whole',
  'records orders that were opened by one command and filled by the next, cut or whole',
  'is taken as the next version without a change of its orders',
];

/** Each storage with the case that must find it. */
export const WRONG_STORAGES: readonly (readonly [string, StorageFixture, readonly string[]])[] = [
  ['is right: none', fixtureOf(same), []],
  ['is right, with no room for a longer name than users have: none', fixtureOf(hasShortNames), []],
  ['tells inside of the work', fixtureOf(tellsInside), ['UW-01']],
  ['asks early', fixtureOf(asksEarly), ['UW-02']],
  ['reads many moments', fixtureOf(readsManyMoments), ['UW-03']],
  ['moves what is saved', fixtureOf(movesWhatIsSaved), ['UW-04']],
  [
    'leaves out what changed',
    fixtureOf(leavesOutWhatChanged),
    ['leaves out the books whose version the reader has, and no other'],
  ],
  ['forgets maps', fixtureOf(same, forgetsMaps), ['UW-05', ...CASES_OF_BOOKS]],
  [
    'never writes halts',
    fixtureOf(same, neverWrites('halts')),
    [
      'gives back every field, until the halt is removed',
      'lists those with one subject, oldest first',
      'pages through all of them, newest first, and counts them by scope',
    ],
  ],
  [
    'never writes orders of bots',
    fixtureOf(same, neverWrites('botOrders')),
    [
      'UW-09',
      'removes a bot with its orders, and no others',
      'gives back every field, replaced by id',
      'pages through those of a bot, newest first',
      'lists those of a bot since a moment, oldest first',
      'lists outstanding orders, oldest first',
    ],
  ],
  ['throws plainly', fixtureOf(throwsPlainly), ['UW-07']],
  ['tells too early', fixtureOf(tellsTooEarly), ['UW-08']],
  ['delivers before onCommit', fixtureOf(delivering(inOrder, { isFirst: true })), ['UW-10']],
  [
    'delivers when added',
    fixtureOf(delivering(inOrder, { atOnce: true })),
    ['UW-10', 'UW-12', 'UW-08'],
  ],
  ['delivers backwards', fixtureOf(deliversBackwards), ['UW-11']],
  ['delivers of failed works', fixtureOf(delivering(inOrder, { alsoFailed: true })), ['UW-12']],
  ['delivers of writes only', fixtureOf(deliversWrites), ['UW-13']],
  ['shields nobody', fixtureOf(delivering(inOrder, { shields: false })), ['UW-14']],
  ['mixes subscriptions', fixtureOf(mixesSubscriptions), ['UW-15']],
];
