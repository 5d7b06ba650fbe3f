import { describe, expect, it } from '../testing.js';
import { type Adjustment, type StockAction, decimal, id } from '@slipstream/domain';
import { NOON, aBook, aPosition, positionsOf } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const anAction = (changes: Partial<StockAction> = {}): StockAction => ({
  id: id('action-1'),
  stockId: id('stock-1'),
  kind: 'split',
  figure: decimal('0.333333333333333333'),
  newShares: decimal('1'),
  oldShares: decimal('3'),
  status: 'pending',
  createdAt: NOON,
  ...changes,
});
const anAdjustment = (changes: Partial<Adjustment> = {}): Adjustment => ({
  id: id('adjustment-1'),
  actionId: id('action-1'),
  strategyId: id('strategy-1'),
  stockId: id('stock-1'),
  kind: 'cash_dividend',
  figure: decimal('0.25'),
  amountBefore: decimal('-0.012345678901234567'),
  amountAfter: decimal('-0.012345678901234567'),
  cash: decimal('-0.003086419725308642'),
  createdAt: NOON,
  ...changes,
});

export const stockActionsContract = (open: OpenStorage): void => {
  describe('stock actions', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<StockAction>(unitOfWork, ({ stockActions }, action) =>
      stockActions.save(action),
    );

    it('gives back every field, and replaces by id', async () => {
      const dividend = anAction({
        id: id('action-2'),
        kind: 'cash_dividend',
        newShares: null,
        oldShares: null,
      });
      await save(anAction(), anAction({ status: 'done' }), dividend);
      const [found, other, none] = await unitOfWork.read(async ({ stockActions }) => [
        await stockActions.find(id('action-1')),
        await stockActions.find(id('action-2')),
        await stockActions.find(id('none')),
      ]);
      expect(found).toEqual(anAction({ status: 'done' }));
      expect(other).toEqual(dividend);
      expect(none).toBeUndefined();
    });

    it('lists pending ones, oldest first', async () => {
      await save(
        anAction({ id: id('a'), createdAt: NOON + 1 }),
        anAction({ id: id('c') }),
        anAction({ id: id('b') }),
        anAction({ id: id('d'), status: 'done' }),
      );
      const pending = await unitOfWork.read(({ stockActions }) => stockActions.pending());
      expect(idsOf(pending)).toEqual(['b', 'c', 'a']);
    });
  });

  describe('actions of one stock', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<StockAction>(unitOfWork, ({ stockActions }, action) =>
      stockActions.save(action),
    );

    it('are listed from a moment on, oldest first', async () => {
      await save(
        anAction({ id: id('a'), createdAt: NOON + 1 }),
        anAction({ id: id('c'), kind: 'delisting', status: 'done' }),
        anAction({ id: id('b') }),
        anAction({ id: id('d'), createdAt: NOON - 1 }),
        anAction({ id: id('e'), stockId: id('stock-2') }),
      );
      const found = await unitOfWork.read(({ stockActions }) =>
        stockActions.ofStock(id('stock-1'), NOON),
      );
      expect(idsOf(found)).toEqual(['b', 'c', 'a']);
    });
  });

  describe('the newest action', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<StockAction>(unitOfWork, ({ stockActions }, action) =>
      stockActions.save(action),
    );
    const newest = () => unitOfWork.read(({ stockActions }) => stockActions.newest());

    it('is of any kind and stock, ties by id', async () => {
      expect(await newest()).toBeUndefined();
      await save(anAction({ id: id('a') }));
      expect(await newest()).toEqual(anAction({ id: id('a') }));
      const dividend = anAction({ id: id('c'), kind: 'cash_dividend', createdAt: NOON + 1 });
      const delisting = anAction({ id: id('b'), stockId: id('stock-2'), kind: 'delisting' });
      await save({ ...dividend, stockId: id('stock-3') }, { ...delisting, createdAt: NOON + 1 });
      await save(anAction({ id: id('d'), createdAt: NOON - 1 }));
      expect((await newest())?.id).toBe('c');
    });
  });

  describe('splits', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<StockAction>(unitOfWork, ({ stockActions }, action) =>
      stockActions.save(action),
    );

    it('lists the last one of each stock, whatever came of other kinds', async () => {
      const stockId = id<'stock'>('stock-2');
      await save(
        anAction({ id: id('a'), createdAt: NOON + 2, status: 'done' }),
        anAction({ id: id('b'), createdAt: NOON + 1 }),
        anAction({ id: id('c'), createdAt: NOON + 3, kind: 'cash_dividend' }),
        anAction({ id: id('d'), stockId, createdAt: NOON }),
        anAction({ id: id('e'), stockId, createdAt: NOON + 4, kind: 'delisting' }),
      );
      const last = await unitOfWork.read(({ stockActions }) => stockActions.lastSplits());
      expect(idsOf(last).sort()).toEqual(['a', 'd']);
    });
  });

  describe('adjustments', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Adjustment>(unitOfWork, ({ adjustments }, adjustment) =>
      adjustments.save(adjustment),
    );

    it('gives back every field by action and strategy', async () => {
      await save(anAdjustment());
      const [found, none] = await unitOfWork.read(async ({ adjustments }) => [
        await adjustments.find(id('action-1'), id('strategy-1')),
        await adjustments.find(id('action-1'), id('strategy-2')),
      ]);
      expect(found).toEqual(anAdjustment());
      expect(none).toBeUndefined();
    });

    it('refuses a second one of an action and a strategy', async () => {
      await save(anAdjustment());
      await expect(save(anAdjustment({ id: id('adjustment-2') }))).rejects.toThrow();
      await save(anAdjustment({ id: id('adjustment-3'), strategyId: id('strategy-2') }));
    });

    it('pages through those of a strategy, newest first, and keeps them as a ledger', async () => {
      await save(
        anAdjustment({ id: id('a'), actionId: id('1') }),
        anAdjustment({ id: id('b'), actionId: id('2'), createdAt: NOON + 1 }),
        anAdjustment({ id: id('c'), actionId: id('3') }),
        anAdjustment({ id: id('d'), strategyId: id('strategy-2') }),
      );
      const page = (cursor?: string) =>
        unitOfWork.read(({ adjustments }) =>
          adjustments.list(id('strategy-1'), { limit: 2, cursor }),
        );
      expect(idsOf(await page())).toEqual(['b', 'c']);
      expect(idsOf(await page('c'))).toEqual(['a']);
      expect(await page('d')).toEqual([]);
      const ledger = await unitOfWork.read(({ adjustments }) =>
        adjustments.ledger(id('strategy-1')),
      );
      expect(idsOf(ledger)).toEqual(['a', 'c', 'b']);
    });
  });

  describe('a book that an action moves', () => {
    const unitOfWork = emptyBeforeEach(open);

    it('is taken as the next version without a change of its orders', async () => {
      const next = aBook({
        version: 1,
        cash: decimal('1.5'),
        positions: positionsOf(aPosition({ amount: decimal('0.02') })),
      });
      await unitOfWork.run(({ books }) =>
        books.save(aBook({ positions: positionsOf(aPosition()) }), []),
      );
      await unitOfWork.run(({ books }) => books.save(next, []));
      expect(await unitOfWork.read(({ books }) => books.find(next.strategyId))).toEqual(next);
    });
  });

  describe('broker accounts', () => {
    const unitOfWork = emptyBeforeEach(open);

    it('lists the ids of all, sorted', async () => {
      await unitOfWork.run(async ({ brokerAccounts }) => {
        await brokerAccounts.save('b', '{}');
        await brokerAccounts.save('a', '{}');
      });
      expect(await unitOfWork.read(({ brokerAccounts }) => brokerAccounts.list())).toEqual([
        'a',
        'b',
      ]);
    });
  });
};
