import {
  type Adjusted,
  type Book,
  type Quote,
  type Stock,
  type StockAction,
  type StockActionKind,
  type StockId,
  type StrategyId,
  ZERO,
  cancelDelisted,
  closeBeforeSplit,
  concerns,
  decimal,
  id,
  payDividend,
  settleDelisted,
  splitBook,
  splitQuote,
  splitRatio,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import { type Decision, changeBook } from '../trading/change-book.js';
import type { Core } from '../core.js';
import type { LongJobs } from '../housekeeping/long-jobs.js';
import { runEach } from '../run-each.js';
import type { QuoteIntake } from './quotes/quote-intake.js';

/** What is suspended for an action: the stock, and in which way. */
type Suspended = Pick<StockAction, 'stockId' | 'kind'>;

/** The number of books that are changed at the same time; other work runs between two chunks. */
const CHUNK = 25;

/** The part of a price from which on a dividend is large. */
const LARGE = decimal('0.1');

/** A dividend after which the price falls so far that its next quote could look like a split. */
const isLargeDividend = ({ kind, figure }: StockAction, quote: Quote | undefined): boolean =>
  kind === 'cash_dividend' && quote !== undefined && figure.gt(quote.bid.times(LARGE));

/** A dividend concerns only holdings; a split or a delisting also concerns orders. */
const isConcerned = (book: Book, { kind, stockId }: StockAction): boolean =>
  kind === 'cash_dividend' ? book.positions.has(stockId) : concerns(book, stockId);

/** Applies corporate actions to every book concerned, each in its own transaction (contract 3, "Corporate actions"). */
export interface StockActions {
  /**
   * `save` stores the action in its own transaction; then it is applied to every book. After an interruption the next
   * `resume` continues. It is applied to each book once. If `save` answers false, nothing was stored and nothing is done.
   */
  begin(stockId: StockId, kind: StockActionKind, save: () => Promise<boolean>): Promise<void>;
  /** Whether an action of the stock has begun, or waits for its turn, and is not done. */
  isUnderWay(stockId: StockId): boolean;
  /** Continues the pending actions, oldest first. */
  resume(): Promise<void>;
  /** Calls `resume` if an action was interrupted since the start and is not being done. */
  retry(): Promise<void>;
  /** From now on the market feed sends quotes, and splits are applied to its quotes. */
  marketStarted(): void;
}

/** An action that many books are concerned by is a long job: when the process ends it stays pending, and the next one goes on. */
export function stockActions(core: Core, intake: QuoteIntake, longJobs: LongJobs): StockActions {
  const { unitOfWork, clock, ids, live, watch, brokers, marketFeed } = core;
  const { pause } = longJobs.core(core);
  let isMarketOn = false;
  let isInterrupted = false;
  /** Whether pending actions are being done. */
  let isAtWork = false;
  let queue: Promise<void> = Promise.resolve();
  /** The stocks of the actions that have begun, or wait for their turn. */
  let underWay: readonly StockId[] = [];
  /** Those of the actions that were pending at the last look, and are not done. */
  let unfinished: ReadonlySet<StockId> = new Set();

  const adjusted = (book: Book, action: StockAction, lastQuote: Quote | undefined): Adjusted => {
    switch (action.kind) {
      case 'split':
        return splitBook(book, action, lastQuote, clock.now());
      case 'cash_dividend':
        return payDividend(book, action);
      case 'delisting':
        return settleDelisted(
          book,
          action,
          live.stocks.resolve(action.stockId),
          live.marketOf(book.strategyId, clock.now()),
          () => ids.next(),
        );
    }
  };

  /** Applies the action to one book, once: a stored row marks it as applied. */
  const adjust = (strategyId: StrategyId, action: StockAction, lastQuote: Quote | undefined) =>
    changeBook(core, strategyId, async (before, market, stores): Promise<Decision> => {
      const { id: actionId, stockId, kind, figure } = action;
      const hasIt = await stores.adjustments.find(actionId, strategyId);
      if (hasIt || !isConcerned(before, action)) return { book: before, changes: [] };
      const { book, changes, ...figures } = adjusted(before, action, lastQuote);
      const row = { id: ids.next<'adjustment'>(), actionId, strategyId, stockId, kind, figure };
      return { book, changes, adjustment: { ...row, ...figures, createdAt: market.now } };
    });

  const concernedBeyond = (stockId: StockId, done: ReadonlySet<StrategyId>): StrategyId[] =>
    live.strategiesConcerned(stockId).filter((strategyId) => !done.has(strategyId));

  /** Adjusts the books concerned that are not among `done`. Others may come meanwhile. */
  const adjustMore = async (
    action: StockAction,
    lastQuote: Quote | undefined,
    done: Set<StrategyId>,
  ): Promise<void> => {
    const left = concernedBeyond(action.stockId, done);
    for (const chunk of chunksOf(left, CHUNK)) {
      await Promise.all(chunk.map((strategyId) => adjust(strategyId, action, lastQuote)));
      for (const strategyId of chunk) done.add(strategyId);
      await pause();
    }
  };

  /** The last quote in old shares is the close of its day. After a split, one that no other quote followed has none of its own. */
  const keepClose = async (stores: Stores, action: StockAction, lastQuote: Quote) => {
    const since = await stores.stockActions.ofStock(action.stockId, lastQuote.at + 1);
    const isConverted = since.some(({ id, kind }) => kind === 'split' && id !== action.id);
    if (!isConverted && !live.quotes.isClosed(lastQuote))
      await stores.dailyCloses.save([closeBeforeSplit(lastQuote, action.createdAt)]);
  };

  /**
   * Nothing trades while books are adjusted one by one: at a split no quote fits all of them, and who trades before a dividend is
   * paid would be paid for other shares than at its time. Returns the last quote before a split.
   */
  const suspend = ({ stockId, kind }: Suspended): Quote | undefined => {
    if (kind === 'split') return live.quotes.hide(stockId);
    if (kind === 'cash_dividend') live.stocks.setHalt(stockId, 'dividend', true);
    return undefined;
  };

  const isSuspended = ({ stockId, kind }: Suspended): boolean =>
    kind === 'split' ? live.quotes.isHidden(stockId) : live.stocks.isHaltedBy(stockId, 'dividend');

  /** Ends `suspend`. `quote` is the last one in the shares of a split that was booked. */
  const release = ({ stockId, kind }: Suspended, quote?: Quote): void => {
    if (kind === 'split') live.quotes.show(stockId, quote);
    if (kind === 'cash_dividend') live.stocks.setHalt(stockId, 'dividend', false);
  };

  /** The last quote less an announced dividend that is still in its price; undefined when it is not, or nothing would be left. */
  const lessDividend = async ({ id: actionId, stockId, kind, figure }: StockAction) => {
    const quote = live.quotes.get(stockId);
    if (kind !== 'cash_dividend' || !quote) return undefined;
    const row = await unitOfWork.read(({ announcedActions }) =>
      announcedActions.find(id<'announced_action'>(actionId)),
    );
    if (!row || quote.at >= row.dueAt) return undefined;
    const [bid, ask, last] = [quote.bid, quote.ask, quote.last].map((price) => price.minus(figure));
    return bid?.gt(ZERO) && ask && last?.gt(ZERO) ? { ...quote, bid, ask, last } : undefined;
  };

  const finish = async (action: StockAction): Promise<void> => {
    const { stockId, kind, createdAt } = action;
    const ratio = splitRatio(action);
    const lastQuote = suspend(action);
    const done = new Set<StrategyId>();
    await adjustMore(action, lastQuote, done);
    for (const broker of brokers.values()) await broker.adjust?.(action);
    const quote = lastQuote && splitQuote(lastQuote, ratio);
    const less = await lessDividend(action);
    const isCurrent = (): boolean => less !== undefined && live.quotes.get(stockId)?.at === less.at;
    // Before the end saves the other one: a save that is decided after it would store this one over it.
    if (isCurrent()) live.quotes.leaveUnsaved(stockId);
    const end = async (stores: Stores): Promise<boolean> => {
      // What a book got since it was looked at is of before the action, too.
      if (concernedBeyond(stockId, done).length > 0) return false;
      if (lastQuote) await keepClose(stores, action, lastQuote);
      if (quote) await stores.quotes.save([quote]);
      if (less && isCurrent()) await stores.quotes.save([less]);
      await stores.stockActions.save({ ...action, status: 'done' });
      return true;
    };
    while (!(await unitOfWork.run(end))) await adjustMore(action, lastQuote, done);
    unfinished = new Set([...unfinished].filter((one) => one !== stockId));
    release(action, quote);
    if (isLargeDividend(action, live.quotes.get(stockId))) live.guard.trust(stockId);
    if (less && isCurrent()) {
      live.quotes.lessDividend(less);
      watch.pricesMoved(new Set([stockId]));
    }
    if (kind === 'split') {
      live.quotes.wasSplit(stockId, createdAt);
      live.guard.release(stockId);
      if (isMarketOn && !marketFeed.quotesNewShares) live.quotes.rescale(stockId, ratio);
      watch.pricesMoved(new Set([stockId]));
    }
    await intake.reconsider([stockId]);
  };

  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const next = queue.then(task);
    queue = next.catch(() => undefined);
    return next;
  };

  /** Cancels every order of a delisted stock, also one that was accepted meanwhile. A pending settlement has its own turn. */
  const cancelDelistedOrders = async (): Promise<void> => {
    const pending = await unitOfWork.read((stores) => stores.stockActions.pending());
    const isSettledLater = (stock: Stock): boolean =>
      pending.some(({ stockId, kind }) => stockId === stock.id && kind === 'delisting');
    for (const stock of live.stocks.all()) {
      if (stock.status !== 'delisted' || isSettledLater(stock)) continue;
      for (const strategyId of live.strategiesWaitingFor(stock.id)) {
        await changeBook(core, strategyId, (book, market) =>
          cancelDelisted(book, stock, market, () => ids.next()),
        );
      }
    }
  };

  const finishPending = longJobs.job(async () => {
    isInterrupted = true;
    isAtWork = true;
    try {
      const pending = await unitOfWork.read((stores) => stores.stockActions.pending());
      unfinished = new Set(pending.map(({ stockId }) => stockId));
      for (const action of pending) suspend(action);
      // One that fails does not keep those of other stocks. The orders come last, because a settlement also cancels those of its
      // stock in the same change of the book.
      await runEach([...pending.map((action) => () => finish(action)), cancelDelistedOrders]);
      isInterrupted = false;
    } finally {
      isAtWork = false;
    }
  });

  /** Throws the error unless the stock has no pending action: those of other stocks go on by themselves. */
  const requireDone = async (stockId: StockId, error: unknown): Promise<void> => {
    const pending = await unitOfWork.read((stores) => stores.stockActions.pending());
    if (pending.some((action) => action.stockId === stockId)) throw error;
  };

  const begin: StockActions['begin'] = (stockId, kind, save) =>
    inTurn(async () => {
      const stock = { stockId, kind };
      // Before the action is stored, so that no order fills before its book is adjusted.
      const suspends = !isSuspended(stock);
      if (suspends) {
        if (kind === 'split') live.quotes.hold(stockId);
        await intake.caughtUp(stockId);
        suspend(stock);
      }
      let isSaved = false;
      try {
        isSaved = await save();
      } finally {
        if (suspends && !isSaved) {
          release(stock);
          await intake.reconsider([stockId]);
        }
      }
      if (isSaved) await finishPending().catch((error: unknown) => requireDone(stockId, error));
    });

  return {
    begin: async (stockId, kind, save) => {
      underWay = [...underWay, stockId];
      try {
        await begin(stockId, kind, save);
      } finally {
        underWay = underWay.toSpliced(underWay.indexOf(stockId), 1);
      }
    },
    isUnderWay: (stockId) => underWay.includes(stockId) || unfinished.has(stockId),
    resume: () => inTurn(finishPending),
    retry: async () => {
      // Who calls this each second has more to do than to wait for one that is being done.
      if (isInterrupted && !isAtWork) await inTurn(finishPending);
    },
    marketStarted: () => {
      isMarketOn = true;
    },
  };
}
