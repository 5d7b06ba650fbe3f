import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import type { Event, Storage } from '@slipstream/ports';
import { type OpenStorage, search, storageNamed } from '../src/index.js';

const violation = async (openStorage: OpenStorage, runs: number): Promise<string | undefined> =>
  (await search({ seed: 1, runs, openStorage, shrinks: false }))?.violation.message;

/** The memory storage with one deliberate mistake. */
const wrong =
  (change: (storage: Storage) => Partial<Storage>): OpenStorage =>
  async () => {
    const storage = openMemory();
    return { ...storage, ...change(storage) };
  };

/** Stores are replaced on access, so that the others stay untouched. */
const withStore = <AnyStores extends object>(all: AnyStores, other: Partial<AnyStores>) =>
  new Proxy(all, {
    get: (stores, name) => Reflect.get(name in other ? other : stores, name) as unknown,
  });

describe('a storage beside the one of the stories', () => {
  it('answers as SQLite does: in memory', async () => {
    expect(await violation(storageNamed('memory'), 8)).toBeUndefined();
  });

  it('answers as SQLite does: the example, loaded as the server does', () => {
    const told = execFileSync(
      process.execPath,
      [
        join(import.meta.dirname, '../dist/main.js'),
        ...['--seed', '1', '--runs', '2'],
        ...['--with', join(import.meta.dirname, '../../../examples/storage/mine.js')],
      ],
      { encoding: 'utf8' },
    );
    expect(told).toContain('every invariant held');
  });

  it.each<[string, OpenStorage, RegExp]>([
    [
      'keeps what a work wrote that failed',
      wrong((storage) => ({
        run: async (work, options) => {
          let failure: { readonly error: unknown } | undefined;
          const answer = await storage.run(
            (stores) =>
              work(stores).catch((error: unknown) => {
                failure = { error };
                return undefined as never;
              }),
            options,
          );
          if (failure) throw failure.error;
          return answer;
        },
      })),
      /^storage: /,
    ],
    [
      'leaves the first of a list out',
      wrong((storage) => ({
        read: (work) =>
          storage.read((stores) => {
            const { strategies } = stores;
            const list: typeof strategies.list = async (...given) =>
              (await strategies.list(...given)).slice(1);
            return work(withStore(stores, { strategies: { ...strategies, list } }));
          }),
      })),
      /^storage: /,
    ],
    [
      'tells one event and no more',
      wrong((storage) => ({
        subscribe: (listener: (event: Event) => void) => {
          let isFirst = true;
          return storage.subscribe((event) => {
            if (isFirst) listener(event);
            isFirst = false;
          });
        },
      })),
      /^storage: a commit tells /,
    ],
  ])('is found when it %s', async (_, openStorage, found) => {
    expect(await violation(openStorage, 20)).toMatch(found);
  });
});
