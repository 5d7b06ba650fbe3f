import { describe, expect, it } from '../testing.js';
import { id } from '@slipstream/domain';
import type { IdempotencyRecord, Page } from '@slipstream/ports';
import { NOON, aRefusedAlert, aStrategy, anAlertRecord } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const alert = (n: number) => id<'alert_record'>(`alert-${n}`);
const strategyId = id<'strategy'>('strategy-1');

const alertsContract = (open: OpenStorage): void => {
  describe('alerts', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll(unitOfWork, ({ alerts }, record: ReturnType<typeof anAlertRecord>) =>
      alerts.add(record),
    );
    const find = (n: number) => unitOfWork.read(({ alerts }) => alerts.find(alert(n)));

    it('gives back every field, the answer to the last decimal', async () => {
      const [accepted, refused] = [
        anAlertRecord({ alertId: 'mine' }),
        aRefusedAlert({ id: alert(2), strategyId: null, body: null, fingerprint: null }),
      ];
      await save(accepted, refused);
      expect(await find(1)).toEqual(accepted);
      expect(await find(2)).toEqual(refused);
      expect(await find(3)).toBeUndefined();
    });

    it('gives back an answer without a quote', async () => {
      const { answer } = anAlertRecord();
      const record = anAlertRecord({ answer: answer && { ...answer, quote: undefined } });
      await save(record);
      expect(await find(1)).toEqual(record);
    });

    it('adds an alert once, and keeps what became of it', async () => {
      await save(anAlertRecord());
      await expect(save(anAlertRecord({ verdict: 'no_change' }))).rejects.toThrow();
      expect((await find(1))?.verdict).toBe('accepted');
      const superseded = anAlertRecord({ verdict: 'superseded', reason: 'by alert-2' });
      await unitOfWork.run(({ alerts }) => alerts.save(superseded));
      expect(await find(1)).toEqual(superseded);
    });

    it('finds the first alert with an alert_id and its own answer, on that strategy', async () => {
      await save(
        aRefusedAlert({ id: alert(1), alertId: 'mine', createdAt: NOON - 1 }),
        anAlertRecord({ id: alert(2), alertId: 'mine' }),
        anAlertRecord({ id: alert(3), alertId: 'mine', verdict: 'duplicate', answer: null }),
        anAlertRecord({ id: alert(4), alertId: 'mine', createdAt: NOON + 1 }),
      );
      const first = (strategy: string, alertId: string) =>
        unitOfWork.read(({ alerts }) => alerts.findFirst(id(strategy), alertId));
      expect((await first('strategy-1', 'mine'))?.id).toBe(alert(2));
      expect(await first('strategy-2', 'mine')).toBeUndefined();
      expect(await first('strategy-1', 'Mine')).toBeUndefined();
    });

    it('lists recent alerts with their own answer, in the order of receipt', async () => {
      await save(
        anAlertRecord({ id: alert(1), createdAt: NOON - 1 }),
        anAlertRecord({ id: alert(3), verdict: 'duplicate', answer: null, createdAt: NOON + 1 }),
        anAlertRecord({ id: alert(5), strategyId: id('strategy-2'), createdAt: NOON + 3 }),
        anAlertRecord({ id: alert(2) }),
      );
      const since = async (moment: number) =>
        idsOf(await unitOfWork.read(({ alerts }) => alerts.answeredSince(moment)));
      expect(await since(NOON)).toEqual([5, 2].map(alert));
      expect(await since(NOON + 4)).toEqual([]);
    });

    it('finds the alert that an order answered, not its repeats', async () => {
      await save(
        anAlertRecord({ id: alert(1), verdict: 'duplicate', answer: null }),
        anAlertRecord({ id: alert(2) }),
        anAlertRecord({ id: alert(3), verdict: 'duplicate', answer: null }),
      );
      const of = (orderId: string) =>
        unitOfWork.read(({ alerts }) => alerts.findByOrder(id(orderId)));
      expect((await of('order-1'))?.id).toBe(alert(2));
      expect(await of('order-2')).toBeUndefined();
    });

    it('lists those of a strategy and those of a user, newest first, by limit and cursor', async () => {
      await save(
        anAlertRecord({ id: alert(1), createdAt: NOON - 1 }),
        anAlertRecord({ id: alert(2) }),
        aRefusedAlert({ id: alert(3), strategyId: null }),
        anAlertRecord({ id: alert(4), userId: id('user-2'), createdAt: NOON + 1 }),
      );
      const ofStrategy = async (page: Page) =>
        idsOf(await unitOfWork.read(({ alerts }) => alerts.listOfStrategy(strategyId, page)));
      const ofUser = async (page: Page) =>
        idsOf(await unitOfWork.read(({ alerts }) => alerts.listOfUser(id('user-1'), page)));
      expect(await ofStrategy({ limit: 10 })).toEqual([4, 2, 1].map(alert));
      expect(await ofStrategy({ limit: 1, cursor: 'alert-4' })).toEqual([alert(2)]);
      expect(await ofStrategy({ limit: 10, cursor: 'alert-3' })).toEqual([]);
      expect(await ofUser({ limit: 10 })).toEqual([3, 2, 1].map(alert));
      expect(await ofUser({ limit: 2 })).toEqual([3, 2].map(alert));
      expect(await ofUser({ limit: 10, cursor: 'alert-2' })).toEqual([alert(1)]);
      expect(await ofUser({ limit: 10, cursor: 'alert-4' })).toEqual([]);
    });

    it('lists old alerts, oldest first, except answered ones with an alert_id', async () => {
      await save(
        anAlertRecord({ id: alert(1), createdAt: NOON - 1 }),
        anAlertRecord({ id: alert(2), createdAt: NOON - 2 }),
        anAlertRecord({ id: alert(3), createdAt: NOON - 3, alertId: 'mine' }),
        aRefusedAlert({ id: alert(4), createdAt: NOON - 4, alertId: 'mine' }),
        anAlertRecord({ id: alert(5) }),
      );
      const expired = (limit: number) =>
        unitOfWork.read(({ alerts }) => alerts.expired(NOON, limit));
      expect(await expired(2)).toEqual([4, 2].map(alert));
      const old = await expired(10);
      expect(old).toEqual([4, 2, 1].map(alert));
      await unitOfWork.run(({ alerts }) => alerts.remove(old));
      expect(await expired(10)).toEqual([]);
      expect(await find(3)).toBeDefined();
    });

    it('lists the alerts of a user that have a body, oldest first', async () => {
      const { userId } = anAlertRecord({});
      const [newer, older] = [
        anAlertRecord({ id: alert(1), createdAt: NOON + 1 }),
        anAlertRecord({ id: alert(2), alertId: 'mine' }),
      ];
      const none = anAlertRecord({ id: alert(3), body: null, fingerprint: null });
      await save(newer, older, none, anAlertRecord({ id: alert(4), userId: id('another') }));
      const withBody = (limit: number) =>
        unitOfWork.read(({ alerts }) => alerts.withBody(userId, limit));
      expect(await withBody(9)).toEqual([older, newer]);
      expect(await withBody(1)).toEqual([older]);
    });

    it('lists excess alerts of a user: the oldest refused ones first, then the oldest others', async () => {
      const userId = anAlertRecord({}).userId;
      const theirs = { strategyId: id<'strategy'>('theirs'), userId: id<'user'>('another') };
      await unitOfWork.run(async ({ strategies }) => {
        await strategies.save(aStrategy({ id: strategyId, userId }));
        await strategies.save(aStrategy({ id: theirs.strategyId, userId: theirs.userId }));
      });
      await save(
        anAlertRecord({ id: alert(1), createdAt: NOON }),
        aRefusedAlert({ id: alert(2), createdAt: NOON + 2, alertId: 'again' }),
        aRefusedAlert({ id: alert(3), createdAt: NOON + 1 }),
        anAlertRecord({ id: alert(4), createdAt: NOON - 1, alertId: 'mine' }),
        aRefusedAlert({ id: alert(5), createdAt: NOON - 2, ...theirs }),
        anAlertRecord({ id: alert(6), createdAt: NOON + 3 }),
        anAlertRecord({ id: alert(7), ...theirs, alertId: 'mine' }),
      );
      const beyond = (keep: number, limit = 9, before = NOON + 9) =>
        unitOfWork.read(({ alerts }) => alerts.beyond(userId, keep, before, limit));
      expect(await beyond(4)).toEqual([]);
      expect(await beyond(3)).toEqual([alert(3)]);
      expect(await beyond(2)).toEqual([3, 2].map(alert));
      expect(await beyond(2, 1)).toEqual([alert(3)]);
      await unitOfWork.run(({ alerts }) => alerts.remove([2, 3].map(alert)));
      expect(await beyond(0, 9, NOON)).toEqual([]);
      expect(await beyond(0)).toEqual([1, 6].map(alert));
    });

    it('omits the last alert of a strategy that watches its alerts', async () => {
      const { userId } = anAlertRecord({});
      const watching = async (deletedAt: number | null) =>
        unitOfWork.run(({ strategies }) =>
          strategies.save(aStrategy({ id: strategyId, alertWatch: 1, deletedAt })),
        );
      await watching(null);
      await save(
        anAlertRecord({ id: alert(1), createdAt: NOON }),
        aRefusedAlert({ id: alert(2), createdAt: NOON + 1 }),
        anAlertRecord({ id: alert(3), createdAt: NOON + 2, strategyId: id('another') }),
      );
      const removable = () =>
        unitOfWork.read(async ({ alerts }) => [
          await alerts.expired(NOON + 9, 9),
          await alerts.beyond(userId, 0, NOON + 9, 9),
        ]);
      expect(await removable()).toEqual([[1, 3].map(alert), [1, 3].map(alert)]);
      await watching(NOON);
      expect(await removable()).toEqual([[1, 2, 3].map(alert), [alert(2)]]);
    });
  });
};

const keptAnswersContract = (open: OpenStorage): void => {
  describe('kept answers', () => {
    const unitOfWork = emptyBeforeEach(open);
    const kept = (overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
      name: 'name-1',
      bodyMac: 'mac',
      sealedAnswer: null,
      userId: null,
      createdAt: NOON,
      ...overrides,
    });
    const save = saveAll(unitOfWork, ({ keptAnswers }, answer: IdempotencyRecord) =>
      keptAnswers.save(answer),
    );
    const find = (name: string) => unitOfWork.read(({ keptAnswers }) => keptAnswers.find(name));

    it('gives back what was saved last under a name', async () => {
      await save(kept());
      expect(await find('name-1')).toEqual(kept());
      const answered = kept({ sealedAnswer: 'sealed', createdAt: NOON + 1 });
      await save(answered);
      expect(await find('name-1')).toEqual(answered);
      expect(await find('name-2')).toBeUndefined();
    });

    it('adds a name once, until its record has expired', async () => {
      const add = (record: IdempotencyRecord, expiredAt: number) =>
        unitOfWork.run(({ keptAnswers }) => keptAnswers.add(record, expiredAt));
      expect(await add(kept(), NOON - 1)).toBe(true);
      const second = kept({ bodyMac: 'another', createdAt: NOON + 1 });
      expect(await add(second, NOON - 1)).toBe(false);
      expect(await find('name-1')).toEqual(kept());
      expect(await add(kept({ name: 'name-2' }), NOON - 1)).toBe(true);
      expect(await add(second, NOON)).toBe(true);
      expect(await find('name-1')).toEqual(second);
    });

    it('adds a name once when several transactions add it at once', async () => {
      const added = await Promise.all(
        ['a', 'b', 'c'].map((bodyMac) =>
          unitOfWork.run(({ keptAnswers }) => keptAnswers.add(kept({ bodyMac }), NOON - 1)),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    it('lists the records of a user that have an answer, oldest first', async () => {
      const userId = id<'user'>('user-1');
      const answered = { userId, sealedAnswer: 'sealed' };
      await save(
        kept({ name: 'b', ...answered }),
        kept({ name: 'a', ...answered, createdAt: NOON - 1 }),
        kept({ name: 'c', userId }),
        kept({ name: 'd', userId: id('user-2'), sealedAnswer: 'sealed' }),
      );
      const found = (limit: number) =>
        unitOfWork.read(({ keptAnswers }) => keptAnswers.answered(userId, limit));
      expect((await found(9)).map(({ name }) => name)).toEqual(['a', 'b']);
      expect(await found(1)).toEqual([kept({ name: 'a', ...answered, createdAt: NOON - 1 })]);
    });

    it('lists old records, oldest first, and removes them', async () => {
      await save(
        kept({ name: 'b', createdAt: NOON - 1 }),
        kept({ name: 'a', createdAt: NOON - 2 }),
        kept({ name: 'c' }),
      );
      const expired = (limit: number) =>
        unitOfWork.read(({ keptAnswers }) => keptAnswers.expired(NOON, limit));
      expect(await expired(1)).toEqual(['a']);
      expect(await expired(10)).toEqual(['a', 'b']);
      await unitOfWork.run(({ keptAnswers }) => keptAnswers.remove(['a', 'b', 'none']));
      expect(await expired(10)).toEqual([]);
      expect(await find('c')).toBeDefined();
    });
  });
};

/** The stored records of requests, by which a repeat is recognized. */
export const inboxContract = (open: OpenStorage): void => {
  alertsContract(open);
  keptAnswersContract(open);
};
