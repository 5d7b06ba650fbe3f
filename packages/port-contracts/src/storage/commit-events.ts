import { describe, expect, it } from '../testing.js';
import { id } from '@slipstream/domain';
import type { Event, UnitOfWork } from '@slipstream/ports';
import { NOON, aUser } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach } from './storage.js';

const event = (name: string): Event => ({ kind: 'bot_deleted', botId: id(name), at: NOON });
const nameOf = (one: Event): string => (one.kind === 'bot_deleted' ? one.botId : one.kind);

/** Writes, so that there is something to commit, and adds the events. */
const commit = (unitOfWork: UnitOfWork, name: string, ...events: readonly string[]) =>
  unitOfWork.run(async (stores) => {
    await stores.brokerAccounts.save(name, 'written');
    for (const one of events) await stores.events.add(event(one));
  });

/** Events are added inside a transaction and delivered at its commit. */
export const commitEventsContract = (open: OpenStorage): void => {
  describe('events of commits', () => {
    const unitOfWork = emptyBeforeEach(open);
    const listen = (): readonly string[] => {
      const heard: string[] = [];
      unitOfWork.subscribe((one) => void heard.push(nameOf(one)));
      return heard;
    };

    it('UW-10 are delivered after onCommit and before run resolves, when their writes can be read', async () => {
      const log: string[] = [];
      let read: Promise<string | undefined> = Promise.resolve(undefined);
      unitOfWork.subscribe((one) => {
        log.push(nameOf(one));
        read = unitOfWork.read(({ brokerAccounts }) => brokerAccounts.find('account'));
      });
      await unitOfWork.run(
        async ({ brokerAccounts, events }) => {
          await events.add(event('event'));
          await brokerAccounts.save('account', 'written');
          log.push('work');
        },
        { onCommit: () => log.push('onCommit') },
      );
      log.push('answer');
      expect(log).toEqual(['work', 'onCommit', 'event', 'answer']);
      expect(await read).toBe('written');
    });

    it('UW-11 come in the order of the commits and, within one commit, in the order of adding', async () => {
      const heard = listen();
      await Promise.all([
        commit(unitOfWork, 'one', 'a', 'b'),
        commit(unitOfWork, 'two'),
        commit(unitOfWork, 'three', 'c', 'd'),
      ]);
      expect(heard).toEqual(['a', 'b', 'c', 'd']);
    });

    it('UW-12 of a transaction that throws are never delivered, those of others once', async () => {
      const heard = listen();
      const failing = unitOfWork.run(async ({ users, events }) => {
        await users.save(aUser());
        await events.add(event('failed'));
        throw new Error('no');
      });
      await Promise.allSettled([
        commit(unitOfWork, 'one', 'a'),
        failing,
        commit(unitOfWork, 'two', 'b'),
      ]);
      await commit(unitOfWork, 'three', 'c');
      expect(heard).toEqual(['a', 'b', 'c']);
    });

    it('UW-13 of a transaction that writes nothing are delivered too', async () => {
      const heard = listen();
      await unitOfWork.run(({ events }) => events.add(event('alone')));
      expect(heard).toEqual(['alone']);
    });

    it('UW-14 reach the other listeners if one throws', async () => {
      unitOfWork.subscribe(() => {
        throw new Error('a bad listener');
      });
      const heard = listen();
      const works = await Promise.allSettled([
        commit(unitOfWork, 'one', 'a'),
        commit(unitOfWork, 'two', 'b'),
      ]);
      expect(works.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(heard).toEqual(['a', 'b']);
      expect(
        await unitOfWork.read(async ({ brokerAccounts }) => [
          await brokerAccounts.find('one'),
          await brokerAccounts.find('two'),
        ]),
      ).toEqual(['written', 'written']);
    });

    it('UW-15 reach every subscription separately, and none that has ended', async () => {
      const heard: string[] = [];
      const listener = (one: Event): void => void heard.push(nameOf(one));
      const end = unitOfWork.subscribe(listener);
      unitOfWork.subscribe(listener);
      await commit(unitOfWork, 'one', 'a');
      end();
      end();
      await commit(unitOfWork, 'two', 'b');
      expect(heard).toEqual(['a', 'a', 'b']);
    });
  });
};
