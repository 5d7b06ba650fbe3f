import { type Endpoint, type EndpointId, decimal, id } from '@slipstream/domain';
import { NOON, anEndpoint } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';
import { describe, expect, it } from '../testing.js';

export const endpointsContract = (open: OpenStorage): void => {
  describe('endpoints', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Endpoint>(unitOfWork, ({ endpoints }, one) => endpoints.save(one));
    const named = (name: string, overrides: Partial<Endpoint> = {}): Endpoint =>
      anEndpoint({ id: id(name), ...overrides });
    const isHeard = (topic: string) => unitOfWork.run(({ endpoints }) => endpoints.isHeard(topic));

    it('gives back every field, until the endpoint is removed', async () => {
      const full = named('b', {
        tokenId: id('token-1'),
        kind: 'telegram',
        events: ['value.crossed', 'bot.error'],
        strategyIds: [id('s-1'), id('s-2')],
        valueLevels: [decimal('0.9'), decimal('1.25')],
        status: 'disabled',
        statusReason: 'it answered 410',
      });
      await save(anEndpoint(), full);
      const find = (name: string) =>
        unitOfWork.read(({ endpoints }) => endpoints.find(id<'endpoint'>(name)));
      expect([await find('endpoint-1'), await find('b')]).toEqual([anEndpoint(), full]);
      await unitOfWork.run(({ endpoints }) => endpoints.remove(id('b')));
      expect([await find('endpoint-1'), await find('b')]).toEqual([anEndpoint(), undefined]);
    });

    it('lists those of a user, newest first', async () => {
      const other = named('other', { userId: id('user-2') });
      await save(named('b'), named('c', { createdAt: NOON - 1 }), named('a'), other);
      const listed = await unitOfWork.read(({ endpoints }) => endpoints.listOf(id('user-1')));
      expect(idsOf(listed)).toEqual(['b', 'a', 'c']);
    });

    it('knows which topics are heard, as endpoints come, change and go', async () => {
      const heard = async () => {
        const answers: boolean[] = [];
        for (const topic of ['user:user-1', 'strategy:s-1', 'values:strategy:s-1'])
          answers.push(await isHeard(topic));
        const isAnyHeard = await unitOfWork.run(({ endpoints }) => endpoints.isAnyHeard());
        expect(isAnyHeard).toBe(answers.includes(true));
        return answers;
      };
      expect(await heard()).toEqual([false, false, false]);
      await save(anEndpoint());
      expect(await heard()).toEqual([true, false, false]);
      await save(anEndpoint({ strategyIds: [id('s-1')] }));
      expect(await heard()).toEqual([false, true, false]);
      await save(anEndpoint({ strategyIds: [id('s-1')], events: ['value.crossed'] }));
      expect(await heard()).toEqual([false, false, true]);
      await save(anEndpoint({ status: 'disabled' }));
      expect(await heard()).toEqual([false, false, false]);
      await save(anEndpoint());
      await unitOfWork.run(({ endpoints }) => endpoints.remove(id('endpoint-1')));
      expect(await heard()).toEqual([false, false, false]);
    });

    it('does not hear for an endpoint whose transaction threw', async () => {
      const failing = unitOfWork.run(async ({ endpoints }) => {
        await endpoints.save(anEndpoint());
        expect(await endpoints.isHeard('user:user-1')).toBe(true);
        expect(await endpoints.isAnyHeard()).toBe(true);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await isHeard('user:user-1')).toBe(false);
      expect(await unitOfWork.run(({ endpoints }) => endpoints.isAnyHeard())).toBe(false);
    });

    it('lists those that listen on one of the topics by id, each once', async () => {
      const both = { strategyIds: [id<'strategy'>('s-1'), id<'strategy'>('s-2')] };
      await save(
        named('c', both),
        named('a', both),
        named('b'),
        named('d', { status: 'disabled' }),
        named('e', { strategyIds: [id('s-9')] }),
      );
      const topics = ['strategy:s-1', 'strategy:s-2', 'user:user-1'];
      const listening = async (cursor: EndpointId | null, limit: number) =>
        idsOf(await unitOfWork.read(({ endpoints }) => endpoints.listening(topics, cursor, limit)));
      expect(await listening(null, 2)).toEqual(['a', 'b']);
      expect(await listening(id('b'), 2)).toEqual(['c']);
      await save(named('c', { status: 'disabled' }));
      expect(await listening(null, 9)).toEqual(['a', 'b']);
    });

    it('says whose an endpoint with a delivery due is', async () => {
      await save(named('a', { userId: id('user-2') }));
      await unitOfWork.run(({ endpoints }) => endpoints.schedule(id('a'), NOON, 'well'));
      const due = await unitOfWork.read(({ endpoints }) => endpoints.due(NOON, 9, 'well'));
      expect(due).toEqual([{ id: 'a', userId: 'user-2' }]);
    });

    it('lists of each user the longest due before the second of another, however many one has', async () => {
      const [many, few] = [{ userId: id<'user'>('many') }, { userId: id<'user'>('few') }];
      await save(named('a', many), named('b', many), named('c', many));
      await save(named('d', few), named('e', few));
      await unitOfWork.run(async ({ endpoints }) => {
        for (const [name, dueAt] of Object.entries({ c: -9, b: -8, a: -7, e: -6, d: -5 }))
          await endpoints.schedule(id(name), NOON + dueAt, 'well');
      });
      const due = async (limit: number) =>
        idsOf(await unitOfWork.read(({ endpoints }) => endpoints.due(NOON, limit, 'well')));
      expect(await due(9)).toEqual(['c', 'e', 'b', 'd', 'a']);
      expect(await due(2)).toEqual(['c', 'e']);
    });

    it('lists those with a delivery due in two lines, longest due first', async () => {
      await save(named('a'), named('b'), named('c'), named('d'), named('e'));
      await unitOfWork.run(async ({ endpoints }) => {
        await endpoints.schedule(id('a'), NOON, 'well');
        await endpoints.schedule(id('b'), NOON - 1, 'well');
        await endpoints.schedule(id('c'), NOON, 'failed');
        await endpoints.schedule(id('d'), NOON + 1, 'well');
        await endpoints.schedule(id('none'), NOON, 'well');
      });
      const due = (limit = 9) =>
        unitOfWork.read(async ({ endpoints }) => ({
          well: idsOf(await endpoints.due(NOON, limit, 'well')),
          failed: idsOf(await endpoints.due(NOON, limit, 'failed')),
        }));
      expect(await due()).toEqual({ well: ['b', 'a'], failed: ['c'] });
      expect(await due(1)).toEqual({ well: ['b'], failed: ['c'] });
      await unitOfWork.run(async ({ endpoints }) => {
        await endpoints.schedule(id('b'), null, 'well');
        await endpoints.save(named('c', { kind: 'discord' }));
        await endpoints.wake(id('a'), NOON - 2);
        await endpoints.wake(id('c'), NOON + 5);
        await endpoints.wake(id('e'), NOON);
        await endpoints.wake(id('none'), NOON);
      });
      expect(await due()).toEqual({ well: ['a', 'e'], failed: ['c'] });
    });
  });
};
