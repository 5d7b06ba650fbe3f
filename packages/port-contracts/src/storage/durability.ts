import { describe, expect, it } from '../testing.js';
import { type Book, type UserId, decimal, id, unpackBook } from '@slipstream/domain';
import type { Storage } from '@slipstream/ports';
import { aBook, aBot, aPosition, aStrategy, aUser, positionsOf } from '../builders/index.js';
import { type FillableStorage, type OpenStorage, emptyBeforeEach } from './storage.js';

const first: UserId = id('user-1');
const second: UserId = id('user-2');

/** Lets all running work continue for a while, without a clock. */
async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The rules of commits, options and reads beyond one transaction. */
export const commitsContract = (open: OpenStorage): void => {
  describe('commits', () => {
    const unitOfWork = emptyBeforeEach(open);

    it('UW-01 call onCommit outside of their transaction: it may read the committed data, and write', async () => {
      let published: Promise<unknown> = Promise.resolve('nothing was published');
      await unitOfWork.run(({ users }) => users.save(aUser({ id: first })), {
        onCommit: () => {
          published = Promise.all([
            unitOfWork.read(({ users }) => users.find(first)),
            unitOfWork.run(({ users }) => users.save(aUser({ id: second }))),
          ]);
        },
      });
      const [found, saved] = (await published) as [object, unknown];
      expect(found).toMatchObject({ id: first });
      expect(saved).toBeUndefined();
    });

    it('UW-02 check whether a transaction is wanted when it starts, not when it is requested', async () => {
      let isWanted = true;
      const before = unitOfWork.run(async ({ users }) => {
        await users.find(first);
        isWanted = false;
      });
      const late = unitOfWork.run(({ users }) => users.save(aUser({ id: first })), {
        isWanted: () => isWanted,
      });
      const after = unitOfWork.run(({ users }) => users.save(aUser({ id: second })));
      await expect(late).rejects.toMatchObject({ name: 'StorageUnavailable' });
      await Promise.all([before, after]);
      const kept = await unitOfWork.read(({ users }) => users.list([first, second]));
      expect(kept.map((user) => user.id)).toEqual([second]);
    });

    it('UW-03 are seen as a whole by a read, whichever store it reads first', async () => {
      const write = (commission: number) =>
        unitOfWork.run(async ({ users, brokerAccounts }) => {
          await users.save(aUser({ id: first, commission }));
          await brokerAccounts.save('account-1', String(commission));
        });
      await write(1);
      let goOn = (): void => undefined;
      const passed = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      let begun = (): void => undefined;
      const reads = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const reading = unitOfWork.read(async ({ users, brokerAccounts }) => {
        const user = await users.find(first);
        begun();
        await passed;
        return [user?.commission, await brokerAccounts.find('account-1')];
      });
      await reads;
      const writing = write(2);
      // With one connection the write waits for the read.
      await Promise.race([writing, turns()]);
      goOn();
      expect(await reading).toEqual([1, '1']);
      await writing;
    });

    it('UW-04 keep the place in its list of a row that is saved again', async () => {
      const ids = ['a', 'b', 'c'].map((name) => id<'bot'>(name));
      const listed = () =>
        unitOfWork.read(async ({ bots, strategies, books }) => [
          (await bots.listOf(first)).map((bot) => bot.id),
          await bots.mirroring(id('strategy-1')),
          (await strategies.live()).map((strategy) => strategy.id),
          (await books.all()).map(({ strategyId }) => strategyId),
        ]);
      await unitOfWork.run(async ({ bots, strategies, books }) => {
        for (const botId of ids) {
          await bots.save(aBot({ id: botId, userId: first }));
          await strategies.save(aStrategy({ id: id(botId) }));
          await books.save(aBook({ strategyId: id(botId) }), []);
        }
      });
      const before = await listed();
      for (const botId of ids) {
        await unitOfWork.run(async ({ bots, strategies, books }) => {
          await bots.save(aBot({ id: botId, userId: first, attempts: 1 }));
          await strategies.save(aStrategy({ id: id(botId), name: 'Renamed' }));
          await books.save(aBook({ strategyId: id(botId) }), []);
        });
        expect(await listed()).toEqual(before);
      }
    });
  });
};

/** Values with other fields than text and numbers: maps, lists, decimals, nulls. */
const keptBook: Book = aBook({
  strategyId: id('strategy-1'),
  cash: decimal('0.123456789012345678'),
  positions: positionsOf(
    aPosition({ stockId: id('b'), amount: decimal('-0.000000000000000001') }),
    aPosition({ stockId: id('a'), amount: decimal('0.5') }),
  ),
});

/** The data that a storage keeps after the end of its process. */
export const reopeningContract = (
  open: OpenStorage,
  reopen: (storage: Storage) => Promise<Storage>,
): void => {
  describe('a storage that is opened again', () => {
    it('UW-05 returns everything as it was saved: maps, decimals and lists too', async () => {
      const storage = await open();
      const bot = aBot();
      await storage.run(async ({ users, strategies, books, bots }) => {
        await users.save(aUser({ id: first }));
        await strategies.save(aStrategy({ id: keptBook.strategyId }));
        await books.save(keptBook, []);
        await bots.save(bot);
      });
      const again = await reopen(storage);
      try {
        const found = await again.read(async ({ users, books, bots }) => [
          await users.find(first),
          await books.find(keptBook.strategyId),
          (await books.all()).map(unpackBook),
          await bots.find(bot.id),
        ]);
        expect(found).toEqual([aUser({ id: first }), keptBook, [keptBook], bot]);
      } finally {
        await again.close();
      }
    });

    it('UW-06 continues where it stopped', async () => {
      const storage = await open();
      await storage.run(({ books }) => books.save(keptBook, []));
      const again = await reopen(storage);
      try {
        await again.run(async ({ users }) => users.save(aUser({ id: second })));
        expect(await again.read(({ users }) => users.find(second))).toBeDefined();
      } finally {
        await again.close();
      }
    });
  });
};

/** The rules of a storage that cannot write. */
export const fullDiskContract = (openFillable: () => Promise<FillableStorage>): void => {
  describe('a full disk', () => {
    const filled = async () => {
      const fixture = await openFillable();
      const { storage } = fixture;
      await storage.run(({ users }) => users.save(aUser({ id: first })));
      const published: string[] = [];
      storage.subscribe(({ kind }) => void published.push(kind));
      await fixture.fill();
      const work = storage.run(
        async ({ users, events }) => {
          await users.save(aUser({ id: second }));
          await events.add({ kind: 'bot_deleted', botId: id('bot-1'), at: 0 });
        },
        { onCommit: () => published.push('onCommit') },
      );
      const [outcome] = await Promise.allSettled([work]);
      await fixture.makeRoom();
      const names = async () =>
        (await storage.read(({ users }) => users.list([first, second]))).map((user) => user.id);
      return { storage, outcome, published, names };
    };

    it('UW-07 is StorageUnavailable for the transaction that needed room', async () => {
      const { storage, outcome } = await filled();
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { name: 'StorageUnavailable' },
      });
      await storage.close();
    });

    it('UW-08 calls no onCommit and delivers no event, and nothing of the transaction is stored', async () => {
      const { storage, published, names } = await filled();
      expect(published).toEqual([]);
      expect(await names()).toEqual([first]);
      await storage.close();
    });

    it('UW-16 has no effect once there is room again', async () => {
      const { storage, names } = await filled();
      await storage.run(({ users }) => users.save(aUser({ id: second })));
      expect(await names()).toEqual([first, second]);
      await storage.close();
    });
  });
};
