import { describe, expect, it } from '../testing.js';
import {
  type Book,
  type BookChange,
  type FilledOrder,
  type OrderStatus,
  decimal,
  id,
} from '@slipstream/domain';
import type { Page, UnitOfWork } from '@slipstream/ports';
import {
  NOON,
  aBook,
  aFilledOrder,
  aPosition,
  aTrade,
  aWithdrawnOrder,
  anOrder,
  cancelled,
  filled,
  opened,
} from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf } from '../storage/storage.js';

const strategyId = id<'strategy'>('strategy-1');
const orderId = (n: number) => id<'order'>(`order-${n}`);

const saverOf =
  (unitOfWork: UnitOfWork) =>
  (book: Book, changes: readonly BookChange[] = []): Promise<void> =>
    unitOfWork.run(({ books }) => books.save(book, changes));

/** The records that `books.save` leaves behind. */
export const ordersContract = (open: OpenStorage): void => {
  describe('orders', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saverOf(unitOfWork);
    const list = async (status: OrderStatus, page: Page) =>
      idsOf(await unitOfWork.read(({ orders }) => orders.list(strategyId, status, page)));
    const openOnes = [
      anOrder({ id: orderId(1), createdAt: NOON + 1 }),
      anOrder({ id: orderId(2) }),
      anOrder({ id: orderId(3) }),
    ];

    it('lists those of a strategy by status, newest first, ties by the later id', async () => {
      await save(aBook({ openOrders: openOnes }));
      await save(
        aBook({
          strategyId: id('strategy-2'),
          openOrders: [anOrder({ id: orderId(4), strategyId: id('strategy-2') })],
        }),
      );
      expect(await list('open', { limit: 10 })).toEqual([1, 3, 2].map(orderId));
      expect(await list('filled', { limit: 10 })).toEqual([]);
      await save(aBook({ version: 1, openOrders: openOnes.slice(0, 2) }), [
        cancelled(aWithdrawnOrder({ id: orderId(3) })),
      ]);
      expect(await list('open', { limit: 10 })).toEqual([1, 2].map(orderId));
      expect(await list('cancelled', { limit: 10 })).toEqual([3].map(orderId));
    });

    it('pages by limit and cursor', async () => {
      await save(aBook({ openOrders: openOnes }));
      expect(await list('open', { limit: 2 })).toEqual([1, 3].map(orderId));
      expect(await list('open', { limit: 2, cursor: 'order-3' })).toEqual([orderId(2)]);
      expect(await list('open', { limit: 2, cursor: 'order-2' })).toEqual([]);
    });

    it('lists those that were made in a span, from its start and before its end', async () => {
      await save(aBook({ openOrders: openOnes }));
      expect(await list('open', { limit: 9, from: NOON + 1 })).toEqual([orderId(1)]);
      expect(await list('open', { limit: 9, to: NOON + 1 })).toEqual([3, 2].map(orderId));
      expect(await list('open', { limit: 9, from: NOON, to: NOON + 2 })).toEqual(
        [1, 3, 2].map(orderId),
      );
      expect(await list('open', { limit: 9, from: NOON + 2 })).toEqual([]);
      const after = { limit: 9, cursor: 'order-3' };
      expect(await list('open', { ...after, to: NOON + 1 })).toEqual([orderId(2)]);
      expect(await list('open', { ...after, to: NOON })).toEqual([]);
      expect(await list('open', { ...after, from: NOON + 1 })).toEqual([]);
    });

    it('continues from a cursor whose order has changed its status meanwhile', async () => {
      await save(aBook({ openOrders: openOnes }));
      await save(
        aBook({ version: 1, openOrders: openOnes.filter(({ id }) => id !== orderId(3)) }),
        [cancelled(aWithdrawnOrder({ id: orderId(3) }))],
      );
      expect(await list('open', { limit: 2, cursor: 'order-3' })).toEqual([orderId(2)]);
    });

    it('answers an empty list to an unknown cursor and to one of another strategy', async () => {
      await save(aBook({ openOrders: openOnes }));
      const foreign = anOrder({
        id: orderId(4),
        strategyId: id('strategy-2'),
        createdAt: NOON + 9,
      });
      await save(aBook({ strategyId: id('strategy-2'), openOrders: [foreign] }));
      expect(await list('open', { limit: 10, cursor: 'order-9' })).toEqual([]);
      expect(await list('open', { limit: 10, cursor: 'order-4' })).toEqual([]);
    });

    it('answers undefined for an order that does not exist', async () => {
      expect(await unitOfWork.read(({ orders }) => orders.find(id('none')))).toBeUndefined();
    });
  });

  describe('trades', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saverOf(unitOfWork);
    const fill = (n: number, createdAt: number): BookChange => {
      const order: FilledOrder = aFilledOrder({ id: orderId(n) });
      return filled(order, { id: id(`trade-${n}`), createdAt });
    };
    const fillAll = async () => {
      await save(aBook());
      const orders = [1, 2, 3].map((n) => opened(anOrder({ id: orderId(n) })));
      await save(aBook({ version: 1 }), [
        ...orders,
        fill(1, NOON + 1),
        fill(2, NOON + 2),
        fill(3, NOON + 2),
      ]);
    };

    it('gives back every field, an unavailable value as null', async () => {
      const trade = aTrade({
        action: 'sell',
        price: decimal('123.456'),
        amount: decimal('0.000000000000000003'),
        total: decimal('1.5'),
        feeTotal: decimal('0.00375'),
        rounding: decimal('0.000000000000000001'),
        realized: decimal('-0.000000000000000002'),
        strategyValue: null,
        createdAt: NOON + 1,
      });
      await save(aBook());
      await save(aBook({ version: 1 }), [
        opened(anOrder()),
        { kind: 'filled', order: aFilledOrder(), trade, position: aPosition() },
      ]);
      expect(await unitOfWork.read(({ trades }) => trades.ledger(strategyId))).toEqual([trade]);
    });

    it('gives back a fill without a quote, of an unknown market', async () => {
      const none = { provider: null, quoteBid: null, quoteAsk: null, quoteAt: null };
      const trade = aTrade({ market: 'unknown', ...none });
      await save(aBook());
      await save(aBook({ version: 1 }), [
        opened(anOrder()),
        { kind: 'filled', order: aFilledOrder(), trade, position: aPosition() },
      ]);
      expect(await unitOfWork.read(({ trades }) => trades.ledger(strategyId))).toEqual([trade]);
    });

    it('lists newest first by limit and cursor, the ledger oldest first', async () => {
      await fillAll();
      const list = async (page: Page) =>
        idsOf(await unitOfWork.read(({ trades }) => trades.list(strategyId, page)));
      expect(await list({ limit: 2 })).toEqual(['trade-3', 'trade-2']);
      expect(await list({ limit: 2, cursor: 'trade-2' })).toEqual(['trade-1']);
      expect(await list({ limit: 2, cursor: 'none' })).toEqual([]);
      const ledger = await unitOfWork.read(({ trades }) => trades.ledger(strategyId));
      expect(idsOf(ledger)).toEqual(['trade-1', 'trade-2', 'trade-3']);
    });

    it('keeps strategies apart', async () => {
      await fillAll();
      expect(await unitOfWork.read(({ trades }) => trades.ledger(id('strategy-2')))).toEqual([]);
      expect(
        await unitOfWork.read(({ trades }) =>
          trades.list(id('strategy-2'), { limit: 10, cursor: 'trade-3' }),
        ),
      ).toEqual([]);
    });
  });
};
