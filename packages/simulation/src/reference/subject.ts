import { type MemoryPorts, memoryPorts } from '@slipstream/adapter-memory/testing';
import { type Application, type Caller, createApplication } from '@slipstream/application';
import type {
  Book,
  HistoryPoint,
  MaxOrderSizeView,
  Order,
  OrderView,
  PositionsView,
  Strategy,
  StrategyId,
  TrackEntry,
  Trade,
} from '@slipstream/domain';
import type { Event } from '@slipstream/ports';
import type { QuoteText, ReferenceCommand } from './commands.js';
import { figuresOf, handFeed } from './hand-feed.js';
import { INSTRUMENTS, tradingHours } from './instruments.js';
import type { MatchingBug } from './matching-bug.js';
import { type Answer, OPERATOR, perform } from './perform.js';
import type { ReferenceStory } from './story.js';
import type { OpenStorage } from '../world/storages.js';

export type BookChanged = Event & { readonly kind: 'book_changed' };

/** The real core under comparison. */
export interface Subject {
  readonly app: Application;
  readonly owner: Caller;
  readonly strategies: readonly StrategyId[];
  /** The books' changes since the last call, in order. */
  takeEvents(): BookChanged[];
  give(command: ReferenceCommand): Promise<Answer>;
  book(strategy: number): Promise<Book>;
  /** The answers of reads: the value, why each open order waits, and the largest order of a stock. */
  reads(
    strategy: number,
    stock: string,
    action: 'buy' | 'sell',
  ): Promise<{
    readonly positions: PositionsView;
    readonly open: readonly OrderView[];
    readonly most: MaxOrderSizeView | undefined;
    /** How long it was at or below zero, and when it ended. */
    readonly stored: Pick<Strategy, 'belowZeroFor' | 'endedAt'>;
  }>;
  /** Every closed order, and every trade. */
  history(strategy: number): Promise<{ readonly orders: Order[]; readonly trades: Trade[] }>;
  /** The value history of a year. */
  values(strategy: number): Promise<readonly HistoryPoint[]>;
  /** The track record, oldest first. */
  record(strategy: number): Promise<readonly TrackEntry[]>;
  close(): Promise<void>;
}

export const BEGINNING = Date.UTC(2026, 0, 5, 15);

/** Reads every page of a list, newest first, into `items`. */
async function allPages<Item extends { readonly id: string }>(
  items: Item[],
  list: (page: { readonly limit: number; readonly cursor: string | undefined }) => Promise<Item[]>,
): Promise<Item[]> {
  for (let cursor: string | undefined; ;) {
    const next = await list({ limit: 100, cursor });
    items.push(...next);
    cursor = next.at(-1)?.id;
    if (next.length < 100) return items;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The core over that storage, with an owner who has one strategy of stocks and one of cryptocurrencies. */
export async function openSubject(
  kind: ReferenceStory['feed'],
  openStorage: OpenStorage,
  bug?: MatchingBug,
): Promise<Subject> {
  const storage = await openStorage();
  const fed = handFeed(kind === 'fed');
  const ports: MemoryPorts = memoryPorts({
    unitOfWork: storage,
    tradingHours,
    ...(kind === 'pushed' ? {} : { marketFeed: fed.feed }),
  });
  ports.clock.set(BEGINNING);
  const made = createApplication(bug?.wrapPorts?.(ports) ?? ports);
  const app = bug?.wrapApplication?.(made, ports) ?? made;
  let events: BookChanged[] = [];
  ports.events.subscribe((event) => {
    if (event.kind === 'book_changed') events.push(event);
  });
  await app.lifecycle.importStocks(INSTRUMENTS.map(([stock]) => stock));
  await app.lifecycle.start();
  const issued = await app.lifecycle.issueToken({
    email: 'owner@example.com',
    name: 'owner',
    scope: ['*'],
    createUser: true,
  });
  const owner = await app.requests.authenticate(issued.text);
  const strategies: StrategyId[] = [];
  for (const type of ['stock', 'cryptocurrency'] as const)
    strategies.push((await app.operations.newStrategy(owner, { type, name: type })).strategy.id);

  const strategyOf = (strategy: number): StrategyId => strategies[strategy] as StrategyId;

  const quotes = async (batches: readonly (readonly QuoteText[])[]): Promise<Answer> => {
    if (kind !== 'pushed') {
      for (const batch of batches) fed.hand(batch);
      // Nothing tells when a feed's quotes are processed: they are when nothing has followed for some turns.
      for (let quiet = 0; quiet < 4; quiet += 1) {
        const before = events.length;
        await turn();
        await storage.run(async () => undefined);
        if (events.length !== before) quiet = 0;
      }
      return { refused: undefined };
    }
    const reports = await Promise.all(
      batches.map((batch) =>
        app.operations.newQuotes(OPERATOR, {
          quotes: batch.map((quote) => ({
            stock: quote.stockId,
            at: quote.at,
            ...figuresOf(quote),
          })),
        }),
      ),
    );
    const rejected = reports.map((report) => report.rejected.map(({ index }) => index));
    return { refused: undefined, rejected };
  };

  const core = { app, owner, clock: ports.clock, strategyOf, quotes };
  return {
    app,
    owner,
    strategies,
    takeEvents() {
      const taken = events;
      events = [];
      return taken;
    },
    async give(command) {
      try {
        return { refused: undefined, ...(await perform(core, command)) };
      } catch (error) {
        if ((error as Error).name !== 'Refusal') throw error;
        return { refused: (error as Error).message };
      }
    },
    async book(strategy) {
      const book = await storage.read(({ books }) => books.find(strategyOf(strategy)));
      if (!book) throw new Error(`strategy ${strategy} has no book`);
      return book;
    },
    async reads(strategy, stock, action) {
      const strategyId = strategyOf(strategy);
      const most = await app.operations
        .getMaxOrderSize(owner, { strategyId, stock, action })
        .catch((error: Error) => {
          if (error.name === 'Refusal') return undefined;
          throw error;
        });
      const positions = await app.operations.getPositions(owner, { strategyId });
      const open = await app.operations.getOrders(owner, { strategyId });
      const stored = await storage.read(({ strategies }) => strategies.find(strategyId));
      if (!stored) throw new Error(`strategy ${strategy} is gone`);
      return { positions, open, most, stored };
    },
    async history(strategy) {
      const strategyId = strategyOf(strategy);
      return storage.read(async (stores) => {
        const orders: Order[] = [];
        for (const status of ['filled', 'cancelled', 'rejected'] as const)
          await allPages(orders, (page) => stores.orders.list(strategyId, status, page));
        return {
          orders,
          trades: await allPages([] as Trade[], (page) => stores.trades.list(strategyId, page)),
        };
      });
    },
    values: (strategy) =>
      app.operations.getStrategyHistory(owner, {
        strategyId: strategyOf(strategy),
        timeframe: 'year',
      }),
    async record(strategy) {
      const strategyId = strategyOf(strategy);
      return storage.read(async ({ track }) => {
        const entries: TrackEntry[] = [];
        for (let more = true; more;) {
          const next = await track.listAfter(strategyId, entries.length, 100);
          entries.push(...next);
          more = next.length === 100;
        }
        return entries;
      });
    },
    async close() {
      await app.lifecycle.stop();
      await storage.close?.();
    },
  };
}
