import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { aUser } from '@slipstream/port-contracts';
import { id } from '@slipstream/domain';
import { openSqlite } from '../../src/index.js';
import { openWriter } from '../../src/storage/connection.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

/** The bytes of a database after the same hundred commits. */
async function written(isReproducible: boolean): Promise<Buffer> {
  const path = newPath();
  const storage = await openSqlite({ path, isReproducible });
  for (let commit = 0; commit < 100; commit += 1) {
    const user = { ...aUser(), id: id<'user'>(`user-${commit}`), email: `${commit}@example.com` };
    await storage.run(({ users }) => users.save(user));
  }
  await storage.close();
  return readFileSync(path);
}

describe('a database of data that can be made again', () => {
  it('does not wait for the disk, the first time and later; others do', () => {
    const path = newPath();
    for (const [isReproducible, synchronous] of [
      [true, 0],
      [true, 0],
      [false, 2],
    ] as const) {
      const writer = openWriter(path, { isReproducible });
      expect(writer.pragma('synchronous', { simple: true })).toBe(synchronous);
      writer.close();
    }
  });

  it('has the same bytes twice, which are those of one that waits for the disk', async () => {
    const [first, second, waiting] = [
      await written(true),
      await written(true),
      await written(false),
    ];
    expect(first.length).toBeGreaterThan(10_000);
    expect(second.equals(first)).toBe(true);
    expect(waiting.equals(first)).toBe(true);
  });

  it('is whole after it was closed, and has every commit', async () => {
    const path = newPath();
    const storage = await openSqlite({ path, isReproducible: true });
    const user = aUser();
    await storage.run(({ users }) => users.save(user));
    await storage.close();
    const again = await openSqlite({ path });
    expect(await again.read(({ users }) => users.find(user.id))).toEqual(user);
    await again.close();
  });
});
