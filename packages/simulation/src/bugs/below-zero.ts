import type { OrderId } from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';
import type { MatchingBug } from '../reference/matching-bug.js';
import { withStores } from './wrap.js';

const ordersUnbound: MatchingBug = {
  name: 'orders_unbound_below_zero',
  mistake: 'open orders of a strategy that can only close may cross zero',
  wrapPorts: (ports) => {
    /** Orders that were not reduce-only when they were placed. */
    const free = new Set<OrderId>();
    return {
      ...ports,
      unitOfWork: withStores(ports.unitOfWork, ({ books }) => ({
        books: {
          ...books,
          save(book, changes) {
            for (const { kind, order } of changes)
              if (kind === 'opened' && !order.reduceOnly) free.add(order.id);
            const openOrders = book.openOrders.map((order) =>
              free.has(order.id) ? { ...order, reduceOnly: false } : order,
            );
            return books.save({ ...book, openOrders }, changes);
          },
        },
      })),
    };
  },
};

const nightCounts: MatchingBug = {
  name: 'night_counts_below_zero',
  mistake:
    'the time at or below zero counts while a quote is fresh, even after its session has closed',
  wrapPorts: (ports) => {
    const { sessionAt, nextSession } = ports.tradingHours;
    const tradingHours: TradingHours = {
      nextSession,
      sessionAt(stock, at) {
        const session = sessionAt(stock, at);
        return session && { ...session, closesAt: Infinity };
      },
    };
    return { ...ports, tradingHours };
  },
};

const endForgotten: MatchingBug = {
  name: 'orders_after_the_end',
  mistake: 'an ended strategy accepts orders',
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ strategies }) => ({
      strategies: {
        ...strategies,
        async list(strategyIds) {
          const listed = await strategies.list(strategyIds);
          return listed.map((strategy) => ({ ...strategy, endedAt: null }));
        },
      },
    })),
  }),
};

/** Bugs in the treatment of strategies at or below zero: the comparison with the reference engine must find them. */
export const belowZeroBugs: readonly MatchingBug[] = [ordersUnbound, nightCounts, endForgotten];
