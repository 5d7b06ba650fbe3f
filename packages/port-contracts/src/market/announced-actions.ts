import { describe, expect, it } from '../testing.js';
import { type AnnouncedAction, type MarketDay, decimal, id } from '@slipstream/domain';
import { NOON } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const anAnnouncedAction = (changes: Partial<AnnouncedAction> = {}): AnnouncedAction => ({
  id: id('announced-1'),
  stockId: id('stock-1'),
  kind: 'split',
  newShares: decimal('1.05'),
  oldShares: decimal('1'),
  amount: null,
  name: 'stock dividend',
  dueAt: NOON,
  status: 'pending',
  seenAt: NOON - 1,
  ...changes,
});

export const announcedActionsContract = (open: OpenStorage): void => {
  describe('announced actions', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<AnnouncedAction>(unitOfWork, ({ announcedActions }, action) =>
      announcedActions.save(action),
    );

    it('gives back every field, and replaces by id', async () => {
      const dividend = anAnnouncedAction({
        id: id('announced-2'),
        kind: 'cash_dividend',
        newShares: null,
        oldShares: null,
        amount: decimal('0.2400000001'),
      });
      await save(anAnnouncedAction(), anAnnouncedAction({ status: 'booked' }), dividend);
      const found = await unitOfWork.read(async ({ announcedActions }) => [
        await announcedActions.find(id('announced-1')),
        await announcedActions.find(id('announced-2')),
        await announcedActions.find(id('none')),
      ]);
      expect(found).toEqual([anAnnouncedAction({ status: 'booked' }), dividend, undefined]);
    });

    it('lists the open ones, and those due since a moment, in the order in which they are due', async () => {
      await save(
        anAnnouncedAction({ id: id('a'), dueAt: NOON + 1 }),
        anAnnouncedAction({ id: id('c'), status: 'held' }),
        anAnnouncedAction({ id: id('b') }),
        anAnnouncedAction({ id: id('d'), status: 'booked', dueAt: NOON + 2 }),
        anAnnouncedAction({ id: id('e'), status: 'missed', dueAt: NOON - 1 }),
        anAnnouncedAction({ id: id('f'), status: 'withdrawn' }),
        anAnnouncedAction({ id: id('g'), status: 'closed' }),
      );
      const [opened, due] = await unitOfWork.read(async ({ announcedActions }) => [
        await announcedActions.open(),
        await announcedActions.dueSince(NOON),
      ]);
      expect(idsOf(opened ?? [])).toEqual(['b', 'c', 'a']);
      expect(idsOf(due ?? [])).toEqual(['b', 'c', 'f', 'g', 'a', 'd']);
    });
  });

  describe('the feed of the stored quotes', () => {
    const unitOfWork = emptyBeforeEach(open);

    it('is unknown at first, and replaced', async () => {
      const find = () => unitOfWork.read(({ quoteFeed }) => quoteFeed.find());
      expect(await find()).toBeUndefined();
      for (const feed of ['demo', 'alpaca,kraken'])
        await unitOfWork.run(({ quoteFeed }) => quoteFeed.save({ feed, since: NOON }));
      expect(await find()).toEqual({ feed: 'alpaca,kraken', since: NOON });
    });
  });

  describe('days that differ from the rules', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<MarketDay>(unitOfWork, ({ marketDays }, day) => marketDays.save(day));

    it('are listed by date, and replaced', async () => {
      const closed = { date: '2027-01-09', session: null };
      const short = { date: '2026-12-01', session: { opensAt: NOON, closesAt: NOON + 1 } };
      await save(closed, { ...short, session: null }, short, { date: '2026-11-30', session: null });
      const since = () => unitOfWork.read(({ marketDays }) => marketDays.since('2026-12-01'));
      expect(await since()).toEqual([short, closed]);
    });
  });
};
