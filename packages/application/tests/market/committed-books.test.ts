import { describe, expect, it } from '@jest/globals';
import {
  type Book,
  type OpenOrder,
  type PackedBook,
  type Position,
  type Quote,
  decimal,
  grossExposure,
  id,
  newBook,
  packBook,
} from '@slipstream/domain';
import { anOrder } from '@slipstream/port-contracts';
import type { KnownVersions } from '@slipstream/ports';
import fc from 'fast-check';
import { KnownBooks } from '../../src/trading/known-books.js';
import { LiveState } from '../../src/market/live-state.js';
import { STOCKS } from '../fixture.js';

const STRATEGIES = ['s1', 's2', 's3'].map((text) => id<'strategy'>(text));
const STOCK_IDS = STOCKS.map((stock) => stock.id);
const HOURS = { sessionAt: () => undefined, nextSession: () => undefined };

const aStrategy = fc.constantFrom(...STRATEGIES);
const aStock = fc.constantFrom(...STOCK_IDS);
const anAmount = fc.constantFrom('-0.3', '0.1', '0.1000', '0.000000000000000007', '12');
const aPosition = fc
  .tuple(aStock, anAmount, fc.nat(9))
  .map(([stockId, amount, price]): Position => {
    const figures = { averagePrice: decimal(String(price)), cost: decimal('0.5') };
    const [realized, dividends] = [decimal('-1.25'), decimal('0')];
    const times = { createdAt: 1_767_000_000_000, updatedAt: price };
    return { stockId, amount: decimal(amount), ...figures, realized, dividends, ...times };
  });
const aStep = fc.oneof(
  fc.record({
    do: fc.constant('commit' as const),
    strategyId: aStrategy,
    positions: fc.array(aPosition, { maxLength: 3 }),
    waiting: fc.option(aStock),
  }),
  fc.record({
    do: fc.constant('quote' as const),
    stockId: aStock,
    price: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ do: fc.constant('look' as const), strategyId: aStrategy }),
  fc.record({ do: fc.constant('follow' as const) }),
);

/** The sum of |value|, which is what its positions say. */
function grossOf(live: LiveState, strategyId: Book['strategyId']): string | undefined {
  const book = live.glance(strategyId);
  const gross = live.grossOf(strategyId, 0)?.toFixed();
  expect(gross).toBe(book && grossExposure(book, live.market(0))?.toFixed());
  return gross;
}

/** What everybody may ask; the same, however many books are at hand. */
const told = (live: LiveState) => ({
  books: STRATEGIES.map((strategyId) => [live.book(strategyId), live.glance(strategyId)]),
  values: STRATEGIES.map((strategyId) => live.valueOf(strategyId, 0)?.toFixed()),
  grosses: STRATEGIES.map((strategyId) => grossOf(live, strategyId)),
  waiting: STRATEGIES.map((strategyId) => live.isWaiting(strategyId)),
  strategies: live.strategies(),
  withPositions: live.strategiesWithPositions(),
  concerned: STOCK_IDS.map((stockId) => live.strategiesConcerned(stockId)),
  holding: STOCK_IDS.map((stockId) => [...live.strategiesHolding(stockId)].toSorted()),
});

const pause = async (): Promise<void> => undefined;

/** A process that followed met the strategies in another order. */
const inOrder = ({ strategies, withPositions, ...others }: ReturnType<typeof told>) => ({
  ...others,
  strategies: strategies.toSorted(),
  withPositions: withPositions.toSorted(),
});

const ordersOf = (
  strategyId: Book['strategyId'],
  waiting: OpenOrder['stockId'] | null,
): OpenOrder[] =>
  waiting === null
    ? []
    : [anOrder({ id: id(`o-${strategyId}-${waiting}`), strategyId, stockId: waiting })];

describe('books at rest', () => {
  it('answer as if every book were at hand, also after a start, and after one of a process that followed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { maxLength: 25 }),
        fc.constantFrom(0, 1, 2),
        async (steps, booksAtHand) => {
          const open = (most: number): LiveState => {
            const live = new LiveState(HOURS, 60_000, { books: new KnownBooks(most) });
            live.stocks.put(STOCKS);
            return live;
          };
          const [few, all] = [open(booksAtHand), open(Infinity)];
          const books = new Map<string, Book>();
          const followed = new KnownBooks(booksAtHand);
          /** The stored books, of which those are left out that are known. */
          const stored = (known: KnownVersions = new Map()): PackedBook[] =>
            [...books.values()]
              .filter(({ strategyId, version }) => known.get(strategyId) !== version)
              .map(packBook);
          for (const step of steps) {
            if (step.do === 'commit') {
              const { strategyId } = step;
              const before = books.get(strategyId);
              const openOrders = ordersOf(strategyId, step.waiting);
              const positions = new Map(step.positions.map((one) => [one.stockId, one]));
              const version = (before?.version ?? 0) + 1;
              const book = { ...newBook(strategyId), version, positions, openOrders };
              books.set(strategyId, book);
              const gone = (before?.openOrders ?? []).map(
                (order) =>
                  ({
                    kind: 'cancelled',
                    order: { ...order, status: 'cancelled', closedAt: 0, reason: '' },
                  }) as const,
              );
              const come = openOrders.map((order) => ({ kind: 'opened', order }) as const);
              for (const live of [few, all]) {
                live.commit(book, gone);
                live.expect(come);
              }
            } else if (step.do === 'quote') {
              const price = decimal(String(step.price));
              const quote: Quote = {
                stockId: step.stockId,
                bid: price,
                ask: price,
                last: price,
                at: 0,
              };
              for (const live of [few, all]) live.quotes.put(quote, 0);
            } else if (step.do === 'follow')
              await followed.enter(stored(followed.committed.versions()), pause);
            else expect(few.book(step.strategyId)).toEqual(all.book(step.strategyId));
          }
          expect(told(few)).toEqual(told(all));

          for (const known of [new KnownBooks(booksAtHand), followed]) {
            const again = new LiveState(HOURS, 60_000, { books: known });
            await again.restore(
              {
                stocks: STOCKS,
                quotes: STOCK_IDS.flatMap((stockId) => all.quotes.get(stockId) ?? []),
                splits: [],
                books: stored(again.bookVersions()),
              },
              pause,
            );
            expect(inOrder(told(again))).toEqual(inOrder(told(all)));
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('books that are read at a start', () => {
  it('enter a few at a time: a server shows signs of life meanwhile, however many there are', async () => {
    const many = Array.from({ length: 200 }, (_, n) => packBook(newBook(id(`s${n}`))));
    let turns = 0;
    await new KnownBooks().enter(many, async () => {
      turns += 1;
    });
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
