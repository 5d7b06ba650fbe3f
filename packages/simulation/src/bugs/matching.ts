import type { MarketFeed, TradingHours } from '@slipstream/ports';
import type { OpenOrder, Stock } from '@slipstream/domain';
import type { MatchingBug } from '../reference/matching-bug.js';
import { withOperations, withStores } from './wrap.js';

const quotesOvertaken: MatchingBug = {
  name: 'quotes_overtaken',
  mistake: 'of several quotes of a stock that arrive together, only the last is matched',
  wrapApplication: (application) =>
    withOperations(application, {
      async newQuotes(caller, command) {
        const { quotes } = command;
        const isLast = (index: number): boolean =>
          quotes.slice(index + 1).every(({ stock }) => stock !== quotes[index]?.stock);
        const kept = quotes.flatMap((_, index) => (isLast(index) ? index : []));
        const lasting = kept.flatMap((index) => quotes[index] ?? []);
        const report = await application.operations.newQuotes(caller, { quotes: lasting });
        const rejected = report.rejected.map((one) => ({ ...one, index: kept[one.index] ?? 0 }));
        return { accepted: quotes.length - rejected.length, rejected };
      },
    }),
};

const oldSharesTaken: MatchingBug = {
  name: 'quotes_in_old_shares',
  mistake: 'a late quote from before a split is used as a present one',
  wrapApplication: (application, { clock }) => {
    const splits: number[] = [];
    return withOperations(application, {
      async newStockAction(caller, command) {
        const action = await application.operations.newStockAction(caller, command);
        if (action.kind === 'split') splits.push(clock.now());
        return action;
      },
      newQuotes: (caller, { quotes }) =>
        application.operations.newQuotes(caller, {
          quotes: quotes.map(({ at, ...quote }) =>
            at !== undefined && splits.includes(at + 1) ? quote : { ...quote, at },
          ),
        }),
    });
  },
};

const haltEndsUnnoticed: MatchingBug = (() => {
  let isResuming = false;
  return {
    name: 'halt_ends_unnoticed',
    mistake: 'an order that could execute when a halt ends waits for the next quote',
    wrapPorts: (ports) => {
      const { nextSession } = ports.tradingHours;
      const tradingHours: TradingHours = {
        nextSession,
        sessionAt: (stock: Stock, at: number) =>
          isResuming ? undefined : ports.tradingHours.sessionAt(stock, at),
      };
      return { ...ports, tradingHours };
    },
    wrapApplication: (application) =>
      withOperations(application, {
        async updateStocks(caller, command) {
          isResuming = true;
          try {
            return await application.operations.updateStocks(caller, command);
          } finally {
            isResuming = false;
          }
        },
      }),
  };
})();

/** While newOrder runs, the chains of prerequisites that it reads are cut; the stored ones stay whole. */
let isOrdering = false;
const directPrerequisites: MatchingBug = {
  name: 'sized_by_direct_prerequisites',
  mistake: 'a dependent is sized as if only its direct prerequisites had filled',
  wrapApplication: (application) =>
    withOperations(application, {
      async newOrder(caller, command) {
        isOrdering = true;
        try {
          return await application.operations.newOrder(caller, command);
        } finally {
          isOrdering = false;
        }
      },
    }),
  wrapPorts: (ports) => {
    const cut = new Map<string, OpenOrder['dependsOn']>();
    return {
      ...ports,
      unitOfWork: withStores(ports.unitOfWork, ({ books }) => ({
        books: {
          ...books,
          async find(strategyId) {
            const book = await books.find(strategyId);
            cut.clear();
            if (!book || !isOrdering) return book;
            const openOrders = book.openOrders.map((order) => {
              if (order.dependsOn.length === 0) return order;
              cut.set(order.id, order.dependsOn);
              return { ...order, dependsOn: [] };
            });
            return { ...book, openOrders };
          },
          save: (book, changes) => {
            const open = new Set(book.openOrders.map(({ id }) => id));
            const openOrders = book.openOrders.map((order) => ({
              ...order,
              dependsOn: (cut.get(order.id) ?? order.dependsOn).filter((id) => open.has(id)),
            }));
            return books.save({ ...book, openOrders }, changes);
          },
        },
      })),
    };
  },
};

const delistedTwice: MatchingBug = {
  name: 'delisting_recorded_twice',
  mistake: 'a delisting is recorded as a fill and again as an adjustment',
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ track, adjustments }) => ({
      adjustments: {
        ...adjustments,
        async save(adjustment) {
          await adjustments.save(adjustment);
          if (adjustment.kind !== 'delisting') return;
          const { strategyId, stockId, amountBefore, createdAt: at } = adjustment;
          const head = await track.head(strategyId);
          const body = JSON.stringify({
            stock_id: stockId,
            kind: 'delisting',
            amount_before: amountBefore.toFixed(),
            amount_after: '0',
            cash: '0',
          });
          const seq = (head?.seq ?? 0) + 1;
          const hash = `hash ${seq}`;
          const previousHash = head?.hash ?? '';
          await track.save({ strategyId, seq, kind: 'adjustment', at, body, previousHash, hash });
        },
      },
    })),
  }),
};

const splitTwiceByFeed: MatchingBug = {
  name: 'feed_split_twice',
  mistake: "a feed's quotes in new shares are divided by the split again",
  wrapPorts: (ports) => {
    const { marketFeed } = ports;
    const other: MarketFeed = { ...marketFeed, quotesNewShares: !marketFeed.quotesNewShares };
    return { ...ports, marketFeed: other };
  },
};

/** Bugs in the matching of orders with quotes and in corporate actions. */
export const orderMatchingBugs: readonly MatchingBug[] = [
  quotesOvertaken,
  oldSharesTaken,
  haltEndsUnnoticed,
  directPrerequisites,
  delistedTwice,
  splitTwiceByFeed,
];
