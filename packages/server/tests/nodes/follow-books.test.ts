import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { type StrategyId, decimal, id, newBook } from '@slipstream/domain';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import { FollowedBooks } from '../../src/nodes/follow-books.js';

const A = id<'strategy'>('a');
const B = id<'strategy'>('b');

/** A database that another process owns, with a clock's strokes by hand. */
function followed() {
  const storage = openMemory();
  const strokes: (() => void)[] = [];
  const warned: string[] = [];
  let [connection, isDown, reads] = [0, false, 0];
  const read: UnitOfWork['read'] = (work) => {
    reads += 1;
    return isDown ? Promise.reject(new StorageUnavailable('gone')) : storage.read(work);
  };
  const books = new FollowedBooks(
    { read, connection: () => connection },
    {
      every: (_, run) => {
        strokes.push(run);
        return () => void strokes.splice(strokes.indexOf(run), 1);
      },
    },
    { warn: (_, message) => void warned.push(message) },
  );
  return {
    books,
    warned,
    save: (strategyId: StrategyId, version: number) =>
      storage.run((stores) =>
        stores.books.save({ ...newBook(strategyId), version, cash: decimal(`0.${version}`) }, []),
      ),
    connectAnew: () => void (connection += 1),
    down: (is: boolean) => void (isDown = is),
    reads: () => reads,
    isTicking: () => strokes.length > 0,
    /** The next strokes, until one of them has read. */
    async next() {
      for (const before = reads; reads === before;) {
        for (const stroke of strokes) stroke();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const told = async ({ books }: ReturnType<typeof followed>) => {
  const { committed } = await books.end();
  return [...committed.strategies()].map((one) => [one, committed.glance(one)?.cash.toFixed()]);
};

describe('a process that waits', () => {
  it('knows the books of the last read, and ends its reads when it takes over', async () => {
    const world = followed();
    await world.save(A, 1);
    await world.next();
    await world.save(A, 2);
    await world.save(B, 1);
    await world.next();
    expect(await told(world)).toEqual([
      [A, '0.2'],
      [B, '0.1'],
    ]);
    expect(world.isTicking()).toBe(false);
  });

  it('knows none after it had to connect anew: what it read may be lost', async () => {
    const world = followed();
    await world.save(A, 1);
    await world.next();
    world.connectAnew();
    expect(await told(world)).toEqual([]);
  });

  it('reads all of them anew over a new connection', async () => {
    const world = followed();
    await world.save(A, 1);
    await world.next();
    world.connectAnew();
    await world.save(B, 1);
    await world.next();
    expect(await told(world)).toEqual([
      [A, '0.1'],
      [B, '0.1'],
    ]);
  });

  it('goes on when the database could not be read, and says so once', async () => {
    const world = followed();
    await world.next();
    world.down(true);
    await world.next();
    await world.next();
    expect(world.warned).toEqual(['could not read the books; will retry']);
    world.down(false);
    await world.save(A, 1);
    await world.next();
    expect(await told(world)).toEqual([[A, '0.1']]);
  });
});
