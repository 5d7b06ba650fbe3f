import {
  type Book,
  type Encounter,
  type OrderId,
  type Quote,
  type Stock,
  type StockId,
  type StrategyId,
  type Timestamp,
  isConcerned,
  matchInTurn,
} from '@slipstream/domain';
import { changeMatchedBook } from '../../trading/change-book.js';
import type { Core } from '../../core.js';
import type { Backlog, Moment } from '../backlogs.js';
import { startIfFresh } from '../../performance/segments.js';
import { QuoteLine } from './quote-line.js';

/** The number of stocks whose books are reconsidered before other work runs. */
const STOCKS_AT_ONCE = 100;

export interface QuoteIntake {
  /**
   * Takes quotes in order of receipt. A short list is current at once; between the parts of a long list other work runs.
   * Each order is matched with every quote in that order, in the market at its receipt. Resolves when the books concerned
   * are changed, or have failed to. Returns the reasons why quotes were dropped, by index.
   */
  receive(quotes: readonly Quote[]): Promise<ReadonlyMap<number, string>>;
  /** Their feed has lost these stocks: nothing trades at the quotes received so far, also at those that wait in line. */
  lost(stockIds: readonly StockId[]): void;
  /** Executes every order that can execute now, in the books that hold one of the stocks or have an order of it. */
  reconsider(stockIds: readonly StockId[]): Promise<void>;
  /** Resolves when the quotes of the stock received so far have been matched, or have failed to be. */
  caughtUp(stockId: StockId): Promise<void>;
  /** Matches again the quotes whose matching failed at the storage. */
  retry(): Promise<void>;
}

const hasSamePrices = (one: Quote, other: Quote): boolean =>
  one.bid.eq(other.bid) && one.ask.eq(other.ask) && one.last.eq(other.last);

export function quoteIntake(core: Core): QuoteIntake {
  const { live, clock, ids, log, watch, losses, belowZero, openings, pause } = core;
  const { backlogs } = live;
  const { quoteFreshFor } = core.settings;
  const line = new QuoteLine(pause);
  /** The number of the list that was received last, and the last one at whose quotes of a stock nothing trades. */
  let received = 0;
  const lostIn = new Map<StockId, number>();

  /** The orders known to be concerned at the receipt, and those that became concerned by earlier moments. */
  const dueAt =
    ({ stockId, due }: Moment, quote: Quote | undefined) =>
    ({ openOrders }: Book): ReadonlySet<OrderId> | undefined => {
      if (stockId === null) return undefined;
      const reached = quote ? openOrders.filter((order) => isConcerned(order, quote)) : [];
      return new Set([...due, ...reached.map((order) => order.id)]);
    };

  const encounter = (moment: Moment, now: Timestamp): Encounter => {
    const market = live.market(now, moment);
    const quote = moment.stockId === null ? undefined : market.quote(moment.stockId);
    return { market, due: dueAt(moment, quote) };
  };

  /** Orders of a failed transaction exist nowhere, so they are no longer watched. */
  const forgetUnknown = (met: readonly Moment[], book: Book): void => {
    const open = new Set(book.openOrders.map((order) => order.id));
    for (const { stockId, due } of met) {
      if (stockId === null) continue;
      live.unwatch(
        stockId,
        due.filter((orderId) => !open.has(orderId)),
      );
    }
  };

  const catchUp = async (backlog: Backlog): Promise<void> => {
    const { strategyId } = backlog;
    if (backlog.isEmpty) return;
    let met: readonly Moment[] = [];
    try {
      const { book } = await changeMatchedBook(
        core,
        strategyId,
        async (before, { now }, stores) => {
          met = backlog.meetAll();
          const encounters = met.map((moment) => encounter(moment, now));
          // A segment that opens starts at the quote that it waited for, before the orders that waited for the same one.
          if (openings.has(strategyId))
            for (const { market } of encounters) await startIfFresh(core, stores, before, market);
          return matchInTurn(before, encounters, () => ids.next());
        },
        {
          onCommit: () => {
            backlog.commit();
            if (backlog.isEmpty) backlogs.close(backlog);
          },
        },
      );
      forgetUnknown(met, book);
    } catch (error) {
      backlog.rollback(() => turnOf(backlog));
      log.error({ strategyId, error }, 'could not match orders with a quote; will retry');
    }
  };

  /** The transaction that matches the backlog; a book has one at a time. */
  const turnOf = (backlog: Backlog): Promise<void> => {
    if (!backlog.turn) {
      backlog.turn = backlog.last.then(() => catchUp(backlog));
      backlog.last = backlog.turn;
    }
    return backlog.turn;
  };

  const meet = (strategyId: StrategyId, moment: Moment): Promise<void> => {
    const backlog = backlogs.open(strategyId);
    backlog.forgetBefore(moment.receivedAt - quoteFreshFor);
    backlog.add(moment);
    return turnOf(backlog);
  };

  /** The books that a quote concerns, with the orders already known to be concerned: nearly always none. */
  const concernsOf = (
    quote: Quote,
    now: Timestamp,
  ): readonly (readonly [StrategyId, OrderId[]])[] => {
    const waiting = live.concerned(quote, now);
    const behind = live.behind(quote, now);
    if (waiting.length === 0 && behind.length === 0) return [];
    const due = new Map<StrategyId, OrderId[]>(behind.map((strategyId) => [strategyId, []]));
    for (const { strategyId, orderId } of waiting) {
      const known = due.get(strategyId);
      if (known) known.push(orderId);
      else due.set(strategyId, [orderId]);
    }
    return [...due];
  };

  /** Why the guard does not take the quote; the operator reads it once. */
  const guarded = (
    { id: stockId, symbol }: Stock,
    quote: Quote,
    before: Quote | undefined,
  ): string | undefined => {
    const wasHeld = live.guard.get(stockId) !== undefined;
    const refusal = live.guard.refusal(quote, before);
    if (refusal !== undefined && !wasHeld) {
      const [was, is] = [before?.bid.toFixed(), quote.bid.toFixed()];
      log.error(
        { stockId, symbol, was, is },
        `a stock is halted: ${refusal}; book it with newStockAction, or set the stock active with updateStocks`,
      );
    }
    return refusal;
  };

  /** Takes a quote of that list; `moved` gets its stock when a price changes. */
  const takeOne = (
    given: Quote,
    list: number,
    moved: Set<StockId>,
  ): string | readonly Promise<void>[] => {
    // Only now: while it waited in line, a split may have ended.
    const quote = live.quotes.rescaled(given);
    const { stockId } = quote;
    const stock = live.stocks.find(stockId);
    if (!stock) return 'the stock does not exist';
    const now = clock.now();
    const before = live.quotes.get(stockId);
    const isFirst = before === undefined;
    const refusal = stock.security === 'stock' ? guarded(stock, quote, before) : undefined;
    if (refusal !== undefined) {
      live.quotes.dropped += 1;
      return refusal;
    }
    const stood = live.quotes.put(quote, now);
    if (typeof stood === 'string') return stood;
    if (isFirst || !hasSamePrices(before, stood)) moved.add(stockId);
    if (list <= (lostIn.get(stockId) ?? 0)) {
      live.quotes.lost([stockId]);
      return isFirst ? reconsidered(live.strategiesHolding(stockId)) : [];
    }
    const place = live.quotes.lastPlace;
    const turns = concernsOf(stood, now).map(([strategyId, due]) =>
      meet(strategyId, { place, receivedAt: now, stockId, due }),
    );
    return isFirst ? [...turns, ...reconsidered(live.strategiesHolding(stockId))] : turns;
  };

  const reconsidered = (strategyIds: Iterable<StrategyId>): readonly Promise<void>[] => {
    const receivedAt = clock.now();
    const waiting = [...new Set(strategyIds)].filter((strategyId) => live.isWaiting(strategyId));
    if (waiting.length === 0) return [];
    const moment = { place: live.quotes.next(), receivedAt, stockId: null, due: [] };
    return waiting.map((strategyId) => meet(strategyId, moment));
  };

  return {
    async receive(quotes) {
      received += 1;
      const list = received;
      const dropped = new Map<number, string>();
      const turns = new Set<Promise<void>>();
      const entered = line.enter(quotes, (some, first) => {
        const moved = new Set<StockId>();
        some.forEach((quote, index) => {
          const taken = takeOne(quote, list, moved);
          if (typeof taken === 'string') dropped.set(first + index, taken);
          else for (const turn of taken) turns.add(turn);
          belowZero.quotesChanged([quote]);
        });
        watch.quotesChanged(some);
        watch.pricesMoved(moved);
        losses.quotesChanged(some);
      });
      if (entered) await entered;
      if (turns.size > 0) await Promise.all(turns);
      return dropped;
    },
    lost(stockIds) {
      live.quotes.lost(stockIds);
      for (const stockId of stockIds) lostIn.set(stockId, received);
    },
    async reconsider(stockIds) {
      const turns: Promise<void>[] = [];
      for (let first = 0; first < stockIds.length; first += STOCKS_AT_ONCE) {
        if (first > 0) await pause();
        const concerned = stockIds
          .slice(first, first + STOCKS_AT_ONCE)
          .flatMap((stockId) => [
            ...live.strategiesWaitingFor(stockId),
            ...live.strategiesHolding(stockId),
          ]);
        turns.push(...reconsidered(concerned));
      }
      await Promise.all(turns);
    },
    async caughtUp(stockId) {
      await line.caughtUp();
      const waiting = new Set(live.strategiesWaitingFor(stockId));
      const behind = [...backlogs.all()].filter(({ strategyId }) => waiting.has(strategyId));
      await Promise.all(behind.map(({ last }) => last));
    },
    async retry() {
      for (const backlog of backlogs.all()) {
        backlog.forgetBefore(clock.now() - quoteFreshFor);
        if (backlog.isEmpty) backlogs.close(backlog);
      }
      await Promise.all([...backlogs.all()].map(turnOf));
    },
  };
}
