import { describe, expect, it } from '../testing.js';
import { type BrokerConnection, id } from '@slipstream/domain';
import { NOON, aConnection } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const GRANTED = {
  kind: 'granted',
  accountId: 'PA1',
  label: 'Paper account PA1',
  sealed: 'sealed credentials',
} as const;

export const connectionsContract = (open: OpenStorage): void => {
  describe('connections to brokers', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<BrokerConnection>(unitOfWork, ({ connections }, connection) =>
      connections.save(connection),
    );
    const find = (connectionId: string) =>
      unitOfWork.read(({ connections }) => connections.find(id(connectionId)));
    const byState = (digest: string) =>
      unitOfWork.read(({ connections }) => connections.findByState(digest));

    it('gives back every field, until the connection is removed', async () => {
      const granted = aConnection({ id: id('c-2'), progress: GRANTED });
      await save(aConnection(), granted);
      expect([await find('connection-1'), await find('c-2')]).toEqual([aConnection(), granted]);
      await unitOfWork.run(async ({ connections }) => {
        await connections.remove(id('c-2'));
        await connections.remove(id('none'));
      });
      expect([await find('connection-1'), await find('c-2')]).toEqual([aConnection(), undefined]);
    });

    it('finds one by its state, until the state is used', async () => {
      await save(aConnection());
      expect(await byState('digest of a state')).toEqual(aConnection());
      expect(await byState('another')).toBeUndefined();
      await save(aConnection({ progress: GRANTED }));
      expect(await byState('digest of a state')).toBeUndefined();
      expect((await find('connection-1'))?.progress).toEqual(GRANTED);
    });

    const asked = (name: string): BrokerConnection['progress'] => ({
      kind: 'asked',
      stateDigest: `digest of ${name}`,
      sealed: 'sealed',
    });
    const named = (name: string, overrides: Partial<BrokerConnection> = {}): BrokerConnection =>
      aConnection({ id: id(name), progress: asked(name), ...overrides });

    it('lists those of a user, newest first', async () => {
      await save(
        named('b'),
        named('c', { createdAt: NOON - 1 }),
        named('a'),
        named('other', { userId: id('user-2') }),
      );
      const listed = await unitOfWork.read(({ connections }) => connections.listOf(id('user-1')));
      expect(idsOf(listed)).toEqual(['b', 'a', 'c']);
    });

    it('lists those that ended, longest ended first', async () => {
      await save(
        named('b', { expiresAt: NOON }),
        named('a', { expiresAt: NOON }),
        named('c', { expiresAt: NOON - 1 }),
        named('d', { expiresAt: NOON + 1 }),
      );
      const expired = (limit: number) =>
        unitOfWork.read(({ connections }) => connections.expired(NOON, limit));
      expect(await expired(10)).toEqual(['c', 'a', 'b']);
      expect(await expired(2)).toEqual(['c', 'a']);
    });
  });
};
