import { describe, expect, it } from '../testing.js';
import {
  type Book,
  type BookChange,
  type OpenOrder,
  type Pricing,
  type StrategyId,
  decimal,
  id,
  unpackBook,
} from '@slipstream/domain';
import fc from 'fast-check';
import {
  NOON,
  aBook,
  aFilledOrder,
  aPosition,
  anOrder,
  cancelled,
  filled,
  opened,
  positionsOf,
} from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf } from '../storage/storage.js';

const strategyId = id<'strategy'>('strategy-1');
const orderId = (n: number) => id<'order'>(`order-${n}`);

const pricings: readonly Pricing[] = [
  { type: 'market' },
  { type: 'limit', price: decimal('99.5') },
  { type: 'stop_market', stopPrice: decimal('101.25') },
  { type: 'stop_limit', price: decimal('102'), stopPrice: decimal('101') },
  { type: 'oco', price: decimal('98'), stopPrice: decimal('103.000000000000000001') },
];

/** One open order of each type, with everything that an order can have. */
const everyKind: readonly OpenOrder[] = pricings.map((pricing, n) =>
  anOrder({
    id: orderId(n),
    pricing,
    action: n % 2 === 0 ? 'buy' : 'sell',
    size:
      n % 2 === 0
        ? { by: 'amount', amount: decimal('0.000000000000000001') }
        : { by: 'total', total: decimal('0.333333333333333333') },
    dependsOn: n === 0 ? [] : [orderId(n - 1), orderId(9)],
    reduceOnly: n % 2 === 0,
    origin: n % 2 === 0 ? 'plan' : 'order',
    triggeredAt: n === 3 ? NOON + 1 : null,
    restingSince: n === 1 ? NOON + 2 : null,
  }),
);

/** A decimal of the contract, as text: at most 18 digits before and after the point. */
const decimalTexts = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 36n) + 1n, max: 10n ** 36n - 1n }),
    fc.integer({ min: 0, max: 18 }),
  )
  .map(([units, places]) => {
    const digits = String(units < 0n ? -units : units)
      .padStart(19, '0')
      .slice(-(18 + places));
    const point = digits.length - places;
    const whole = digits.slice(0, point).replace(/^0+(?=\d)/, '');
    const text = places === 0 ? whole : `${whole}.${digits.slice(point)}`;
    return units < 0n && /[1-9]/.test(text) ? `-${text}` : text;
  });

export const booksContract = (open: OpenStorage): void => {
  describe('books', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = (book: Book, changes: readonly BookChange[] = []) =>
      unitOfWork.run(({ books }) => books.save(book, changes));
    const find = () => unitOfWork.read(({ books }) => books.find(strategyId));
    const statusOf = async (order: OpenOrder) =>
      (await unitOfWork.read(({ orders }) => orders.find(order.id)))?.status;

    it('answers undefined for a strategy without a book', async () => {
      expect(await find()).toBeUndefined();
    });

    it('gives back a book with every type of order and its positions in their order', async () => {
      const book = aBook({
        version: 7,
        cash: decimal('-0.123456789012345678'),
        positions: positionsOf(
          aPosition({
            stockId: id('z'),
            amount: decimal('-12.5'),
            realized: decimal('-0.01'),
            cost: decimal('-1234.5'),
            dividends: decimal('0.25'),
          }),
          aPosition({ stockId: id('a'), updatedAt: NOON + 5 }),
        ),
        openOrders: everyKind,
      });
      await save(book);
      const found = await find();
      expect(found).toEqual(book);
      expect([...(found?.positions.keys() ?? [])]).toEqual(['z', 'a']);
    });

    it('gives back every decimal to its last digit', async () => {
      let version = 0;
      await save(aBook());
      await fc.assert(
        fc.asyncProperty(decimalTexts, decimalTexts, async (cash, amount) => {
          version += 1;
          const position = aPosition({ amount: decimal(amount), averagePrice: decimal(cash) });
          await save(aBook({ version, cash: decimal(cash), positions: positionsOf(position) }));
          const found = await find();
          const foundPosition = found?.positions.get(position.stockId);
          expect(found?.cash.toFixed()).toBe(decimal(cash).toFixed());
          expect(foundPosition?.amount.toFixed()).toBe(decimal(amount).toFixed());
        }),
        { numRuns: 50 },
      );
    });

    it('returns all books, packed', async () => {
      await save(aBook({ strategyId: id('b') }));
      await save(aBook({ strategyId: id('a'), positions: positionsOf(aPosition()) }));
      const all = await unitOfWork.read(({ books }) => books.all());
      const unpacked = all.map(unpackBook);
      expect(
        unpacked.toSorted((one, other) => (one.strategyId < other.strategyId ? -1 : 1)),
      ).toEqual([
        aBook({ strategyId: id('a'), positions: positionsOf(aPosition()) }),
        aBook({ strategyId: id('b') }),
      ]);
    });

    it('leaves out the books whose version the reader has, and no other', async () => {
      const waiting = anOrder();
      await save(aBook({ strategyId: id('a') }));
      await save(aBook({ strategyId: id('b') }));
      await save(aBook({ strategyId: id('c') }));
      const moved = {
        version: 1,
        cash: decimal('0.5'),
        openOrders: [{ ...waiting, strategyId: id<'strategy'>('b') }],
      };
      await save(aBook({ strategyId: id('b'), ...moved, positions: positionsOf(aPosition()) }));
      const known = new Map<StrategyId, number>([
        [id('a'), 0],
        [id('b'), 0],
      ]);
      const others = await unitOfWork.read(({ books }) => books.all(known));
      expect(
        others
          .map(unpackBook)
          .toSorted((one, other) => (one.strategyId < other.strategyId ? -1 : 1)),
      ).toEqual([
        aBook({ strategyId: id('b'), ...moved, positions: positionsOf(aPosition()) }),
        aBook({ strategyId: id('c') }),
      ]);
    });

    it('adds, changes and closes positions', async () => {
      const [kept, closed] = [aPosition(), aPosition({ stockId: id('stock-2') })];
      await save(aBook({ positions: positionsOf(kept, closed) }));
      const changed = aPosition({ amount: decimal('1') });
      const added = aPosition({ stockId: id('stock-3') });
      const next = aBook({ version: 1, positions: positionsOf(changed, added) });
      await save(next);
      expect(await find()).toEqual(next);
    });

    it.each([
      ['opened, and filled by the same command', 2],
      ['opened by one command and filled by the next', 1],
    ])('records orders that were %s, cut or whole', async (_, commands) => {
      const order = anOrder();
      const done = aFilledOrder({ reason: commands === 2 ? 'cut to 0.001' : null });
      const position = aPosition({ amount: decimal('0.001') });
      const after = { cash: decimal('0.9'), positions: positionsOf(position) };
      await save(aBook());
      if (commands === 2) {
        await save(aBook({ version: 1, ...after }), [opened(order), filled(done)]);
      } else {
        await save(aBook({ version: 1, openOrders: [order] }), [opened(order)]);
        expect(await statusOf(order)).toBe('open');
        await save(aBook({ version: 2, ...after }), [filled(done)]);
      }
      expect(await find()).toEqual(aBook({ version: commands === 2 ? 1 : 2, ...after }));
      expect(await unitOfWork.read(({ orders }) => orders.find(order.id))).toEqual(done);
    });

    it('records releases, triggers, rests, cancellations and rejections', async () => {
      const [gone, released, triggered, rested, refused] = everyKind as [
        OpenOrder,
        OpenOrder,
        OpenOrder,
        OpenOrder,
        OpenOrder,
      ];
      await save(aBook({ openOrders: everyKind }));
      const { restingSince: _gone, ...goneOrder } = gone;
      const { restingSince: _refused, ...refusedOrder } = refused;
      const next = [
        { ...released, dependsOn: [] },
        { ...triggered, triggeredAt: NOON + 3 },
        { ...rested, restingSince: NOON + 4 },
      ];
      const [nextReleased, nextTriggered, nextRested] = next as [OpenOrder, OpenOrder, OpenOrder];
      const rejected = {
        ...refusedOrder,
        status: 'rejected',
        closedAt: NOON,
        reason: 'x',
      } as const;
      await save(aBook({ version: 1, openOrders: next }), [
        cancelled({ ...goneOrder, status: 'cancelled', closedAt: NOON, reason: 'as asked' }),
        { kind: 'released', order: nextReleased },
        { kind: 'triggered', order: nextTriggered },
        { kind: 'rested', order: nextRested },
        { kind: 'rejected', order: rejected },
      ]);
      expect((await find())?.openOrders).toEqual(next);
      expect(await statusOf(gone)).toBe('cancelled');
      expect(await unitOfWork.read(({ orders }) => orders.find(refused.id))).toEqual(rejected);
    });

    it('saves changed open orders without an explicit change', async () => {
      const order = anOrder({ pricing: { type: 'limit', price: decimal('100') } });
      const split: OpenOrder = {
        ...order,
        pricing: { type: 'limit', price: decimal('50') },
        size: { by: 'amount', amount: decimal('0.002') },
      };
      await save(aBook({ openOrders: [order] }));
      await save(aBook({ version: 1, openOrders: [split] }));
      expect(await unitOfWork.read(({ orders }) => orders.find(order.id))).toEqual(split);
      expect((await find())?.openOrders).toEqual([split]);
    });

    it.each([
      ['a new book with changes', undefined, 1, 1],
      ['a book that was changed meanwhile', 3, 3, 1],
      ['a version that was left out', 3, 5, 1],
      ['an older book', 3, 2, 0],
    ])('refuses %s', async (_, stored, version, changes) => {
      if (stored !== undefined) await save(aBook({ version: stored }));
      const late = save(
        aBook({ version, openOrders: [anOrder()] }),
        [opened(anOrder())].slice(0, changes),
      );
      await expect(late).rejects.toThrow();
      expect((await find())?.version).toBe(stored);
      expect(await statusOf(anOrder())).toBeUndefined();
    });

    it('refuses a book that lost an open order without a change', async () => {
      await save(aBook({ openOrders: [anOrder()] }));
      await expect(save(aBook({ version: 1 }))).rejects.toThrow();
      expect((await find())?.openOrders).toEqual([anOrder()]);
    });

    it('keeps the previous book if the transaction fails after the save', async () => {
      await save(aBook());
      const failed = unitOfWork.run(async ({ books }) => {
        await books.save(aBook({ version: 1, openOrders: [anOrder()] }), [opened(anOrder())]);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await find()).toEqual(aBook());
      expect(await unitOfWork.run(({ books }) => books.find(strategyId))).toEqual(aBook());
      expect(await statusOf(anOrder())).toBeUndefined();
    });

    it('lets a command continue from one that arrived just before', async () => {
      await save(aBook());
      const buyOnce = (n: number) =>
        unitOfWork.run(async ({ books }) => {
          const book = (await books.find(strategyId)) ?? aBook();
          const order = anOrder({ id: orderId(n) });
          const openOrders = [...book.openOrders, order];
          await books.save({ ...book, version: book.version + 1, openOrders }, [opened(order)]);
        });
      await Promise.all([1, 2, 3, 4, 5].map(buyOnce));
      const found = await find();
      expect(found?.version).toBe(5);
      expect(idsOf(found?.openOrders ?? [])).toEqual([1, 2, 3, 4, 5].map(orderId));
    });
  });
};
