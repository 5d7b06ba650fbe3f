import { type Book, type BookChange, type Decimal, decimal } from '@slipstream/domain';
import type { Event, Stores } from '@slipstream/ports';
import type { Bug } from './bug.js';
import { withReadStores, withStores } from './wrap.js';

/** Saves a changed version of each decided book. */
const savedAs =
  (
    change: (book: Book, changes: readonly BookChange[]) => readonly [Book, readonly BookChange[]],
  ) =>
  (stores: Stores): Partial<Stores> => {
    const { books } = stores;
    return {
      books: {
        find: (strategyId) => books.find(strategyId),
        all: (known) => books.all(known),
        save: (book, changes) => books.save(...change(book, changes)),
      },
    };
  };

// The binary float is the deliberate bug.
const floated = (value: Decimal): Decimal => decimal(Number(value.toFixed()).toFixed(12));

const fillCountedTwice: Bug = {
  name: 'fill_counted_twice',
  mistake: 'the cash of a fill is booked twice',
  breaks: ['L1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(
      ports.unitOfWork,
      savedAs((book, changes) => {
        const fill = changes.find((change) => change.kind === 'filled');
        if (!fill || fill.trade.action === 'sell') return [book, changes];
        return [{ ...book, cash: book.cash.minus(fill.trade.total) }, changes];
      }),
    ),
  }),
};

const floatSizing: Bug = {
  name: 'float_sizing',
  mistake: 'quantities pass through a binary float',
  breaks: ['L1', 'L2', 'O2'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(
      ports.unitOfWork,
      savedAs((book, changes) => [
        {
          ...book,
          positions: new Map(
            [...book.positions].map(([stockId, position]) => [
              stockId,
              { ...position, amount: floated(position.amount) },
            ]),
          ),
        },
        changes.map((change) =>
          change.kind === 'filled'
            ? { ...change, trade: { ...change.trade, amount: floated(change.trade.amount) } }
            : change,
        ),
      ]),
    ),
  }),
};

const dependentsNotReleased: Bug = {
  name: 'dependents_not_released',
  mistake: 'the dependents of a cancelled order still wait for it',
  breaks: ['O5'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(
      ports.unitOfWork,
      savedAs((book, changes) => {
        const cancelled = changes.find((change) => change.kind === 'cancelled');
        const released = changes.find((change) => change.kind === 'released');
        if (!cancelled || !released) return [book, changes];
        const openOrders = book.openOrders.map((order) =>
          order.id === released.order.id ? { ...order, dependsOn: [cancelled.order.id] } : order,
        );
        return [{ ...book, openOrders }, changes];
      }),
    ),
  }),
};

const releasedTwice: Bug = {
  name: 'released_twice',
  mistake: 'the release of a dependent is published twice',
  breaks: ['O5'],
  wrapPorts: (ports) => ({
    ...ports,
    events: {
      subscribe: ports.events.subscribe,
      publish(event) {
        if (event.kind !== 'book_changed') return ports.events.publish(event);
        const changes = event.changes.flatMap((change) =>
          change.kind === 'released' ? [change, change] : [change],
        );
        ports.events.publish({ ...event, changes });
      },
    },
  }),
};

const cancelOutside: Bug = {
  name: 'cancel_outside_the_transaction',
  mistake: 'a batch cancels the open orders in a transaction of its own',
  breaks: ['O7', 'O8', 'K2', 'durable', 'error'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: {
      ...ports.unitOfWork,
      async run(work, options) {
        await ports.unitOfWork.run(async (stores) => {
          const saved: [Book, readonly BookChange[]][] = [];
          const onlyNoted = withStores(
            {
              ...ports.unitOfWork,
              run: (inner) => inner(stores),
              read: (inner) => inner(stores),
            },
            ({ books }) => ({
              books: {
                find: (strategyId) => books.find(strategyId),
                all: (known) => books.all(known),
                save: async (book, changes) => void saved.push([book, changes]),
              },
            }),
          );
          if (!stores.books) return;
          await onlyNoted.run(async (noting) => dryRun(noting, work));
          for (const [book, changes] of saved) {
            const cancelled = changes.filter((change) => change.kind === 'cancelled');
            const isBatch = cancelled.length > 0 && changes.some(({ kind }) => kind === 'opened');
            const before = await stores.books.find(book.strategyId);
            if (!isBatch || !before || before.openOrders.length !== cancelled.length) continue;
            const cleared = { ...before, version: before.version + 1, openOrders: [] };
            await stores.books.save(cleared, cancelled);
          }
        });
        return ports.unitOfWork.run(work, options);
      },
    },
  }),
};

/** Runs the function without its writes and ignores its errors. */
async function dryRun(stores: Stores, work: (stores: Stores) => Promise<unknown>): Promise<void> {
  const silent = new Proxy(stores, {
    get: (target, name) => {
      const store = Reflect.get(target, name) as unknown;
      if (typeof store !== 'object' || store === null || name === 'books') return store;
      const nothing = async (): Promise<void> => undefined;
      return { ...store, add: async () => true, save: nothing, remove: nothing };
    },
  });
  await work(silent).catch(() => undefined);
}

const doneTwice: Bug = {
  name: 'command_done_twice',
  mistake: 'a transaction whose answer is lost runs again',
  breaks: ['O8', 'O7', 'W1', 'frames', 'error'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: {
      ...ports.unitOfWork,
      async run(work, options) {
        let tradesIt = false;
        const watched = withStores(ports.unitOfWork, ({ books }) => ({
          books: {
            find: (strategyId) => books.find(strategyId),
            all: (known) => books.all(known),
            save: async (book, changes) => {
              tradesIt ||= changes.some(({ kind }) => kind === 'cancelled');
              await books.save(book, changes);
            },
          },
        }));
        const answer = await watched.run(work, options);
        return tradesIt ? ports.unitOfWork.run(work, options) : answer;
      },
    },
  }),
};

const restartForgets: Bug = {
  name: 'restart_forgets_what_waits',
  mistake: 'after a restart the open orders of a book are not watched',
  // A split passes by orders that nobody watches.
  breaks: ['liveness', 'S2'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ books }) => ({
      books: {
        ...books,
        all: async (known) => (await books.all(known)).map((book) => ({ ...book, openOrders: [] })),
      },
    })),
  }),
};

const takeoverKeepsOldBooks: Bug = {
  name: 'takeover_keeps_old_books',
  mistake: 'a process that takes over keeps the books that it knew, also those that changed since',
  breaks: ['L3', 'liveness', 'S2'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ books }) => ({
      books: {
        ...books,
        all: async (known) =>
          (await books.all(known)).filter(({ strategyId }) => !known?.has(strategyId)),
      },
    })),
  }),
};

const toldOutOfOrder: Bug = {
  name: 'told_out_of_order',
  mistake: 'every other transaction of a commit is published later than the rest',
  breaks: ['L3', 'O5', 'frames', 'liveness'],
  wrapPorts: (ports) => {
    let works = 0;
    return {
      ...ports,
      unitOfWork: {
        ...ports.unitOfWork,
        async run(work, options) {
          works += 1;
          const isLate = works % 2 === 1;
          if (!isLate) return ports.unitOfWork.run(work, options);
          const late: Event[] = [];
          const answer = await withStores(ports.unitOfWork, () => ({
            events: { add: async (event) => void late.push(event) },
          })).run(work, { isWanted: options?.isWanted });
          for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          options?.onCommit?.(answer);
          for (const event of late) ports.events.publish(event);
          return answer;
        },
      },
    };
  },
};

export const tradingBugs: readonly Bug[] = [
  fillCountedTwice,
  floatSizing,
  dependentsNotReleased,
  releasedTwice,
  cancelOutside,
  doneTwice,
  restartForgets,
  takeoverKeepsOldBooks,
  toldOutOfOrder,
];
