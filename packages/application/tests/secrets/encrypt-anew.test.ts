import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { memoryPorts, testSecrets } from '@slipstream/adapter-memory/testing';
import { id } from '@slipstream/domain';
import { aUser } from '@slipstream/port-contracts/builders';
import { type SecretBox, type UnitOfWork, SecretUnreadable } from '@slipstream/ports';
import { createApp } from '../app.js';

/** The first of the keys seals, each of them opens. */
function boxOf(...keys: readonly string[]): SecretBox {
  const { secretBox } = testSecrets();
  return {
    ...secretBox,
    seal: (plain, context) => `${keys[0]}:${secretBox.seal(plain, context)}`,
    open(sealed, context) {
      const [key = ''] = sealed.split(':', 1);
      if (!keys.includes(key)) throw new SecretUnreadable('no key opens it');
      return secretBox.open(sealed.slice(key.length + 1), context);
    },
  };
}

const MANY = 250;
const userId = (at: number) => id<'user'>(`user-${String(at).padStart(3, '0')}`);
const contextOf = (at: number): string => `second_factor|${userId(at)}`;

async function manyUsers(): Promise<UnitOfWork> {
  const storage = openMemory();
  await storage.run(async ({ users }) => {
    for (let at = 0; at < MANY; at += 1) {
      const sealedSecret = boxOf('old').seal(`secret ${at}`, contextOf(at));
      const secondFactor = { sealedSecret, since: null, lastStep: 0, recovery: [] };
      await users.save(aUser({ id: userId(at), createdAt: at, secondFactor }));
    }
  });
  return storage;
}

/** The secrets as these keys open them. */
const openedBy = (storage: UnitOfWork, ...keys: readonly string[]) =>
  storage.read(async ({ users }) => {
    const all = await users.list(Array.from({ length: MANY }, (_, at) => userId(at)));
    return all.map(({ secondFactor }, at) =>
      boxOf(...keys).open(secondFactor?.sealedSecret ?? '', contextOf(at)),
    );
  });

const SECRETS = Array.from({ length: MANY }, (_, at) => `secret ${at}`);
const appOver = (unitOfWork: UnitOfWork) =>
  createApp(memoryPorts({ unitOfWork, secretBox: boxOf('new', 'old') }));

describe('encrypting everything anew', () => {
  it('needs the first key alone afterwards, whatever the number of users, and tells how far it is', async () => {
    const storage = await manyUsers();
    const told: (readonly [number, number])[] = [];
    const encrypted = await appOver(storage).encryptAnew((...some) => void told.push(some));
    expect(encrypted).toContainEqual({ kind: 'second factors', count: MANY, unreadable: 0 });
    expect(told).toEqual([
      [100, MANY],
      [200, MANY],
      [MANY, MANY],
    ]);
    expect(await openedBy(storage, 'new')).toEqual(SECRETS);
  });

  it.each([1, 2, 3])(
    'loses nothing when it ends at transaction %i, and is repeated',
    async (last) => {
      const storage = await manyUsers();
      let begun = 0;
      const ending: UnitOfWork = {
        ...storage,
        run: (work, options) => {
          begun += 1;
          return begun === last ? Promise.reject(new Error('ended')) : storage.run(work, options);
        },
      };
      await expect(appOver(ending).encryptAnew()).rejects.toThrow('ended');
      expect(await openedBy(storage, 'new', 'old')).toEqual(SECRETS);
      await appOver(storage).encryptAnew();
      expect(await openedBy(storage, 'new')).toEqual(SECRETS);
    },
  );
});
