import type { Order, Stock, StrategyId } from '@slipstream/domain';
import type { Event, Ports } from '@slipstream/ports';
import type { Core } from './core.js';
import { Floor } from './floor/floor.js';
import { ValueWatch } from './floor/value-watch.js';
import { viewOrder, viewPositions } from './presentation.js';
import { quoteIntake } from './quote-intake.js';
import { DEFAULT_SETTINGS, type Settings } from './settings.js';
import { upkeep } from './upkeep.js';
import * as authentication from './use-cases/authentication.js';
import * as stocks from './use-cases/stocks.js';
import * as strategies from './use-cases/strategies.js';
import * as subscriptions from './use-cases/subscriptions.js';
import * as trades from './use-cases/trades.js';
import * as history from './use-cases/value-history.js';
import * as webhooks from './use-cases/webhooks.js';
import type { OrderView, PositionsView } from './views.js';

/** The whole core as functions of its ports; no container is needed. Each operation is a method of its name. */
export function createApplication(ports: Ports, settings: Settings = DEFAULT_SETTINGS) {
  const floor = new Floor(ports.tradingHours, settings.quoteFreshFor);
  const watch = new ValueWatch(floor, ports.clock, ports.events);
  const core: Core = { ...ports, settings, floor, watch };
  const intake = quoteIntake(core);
  const housekeeping = upkeep(core);

  return {
    /** Loads what is kept and starts the market: open orders wait again, values are there. */
    async start(): Promise<void> {
      const kept = await ports.unitOfWork.read(async (stores) => ({
        stocks: await stores.stocks.all(),
        quotes: await stores.quotes.all(),
        books: await stores.books.all(),
      }));
      floor.stocks.put(kept.stocks);
      floor.quotes.restore(kept.quotes);
      for (const book of kept.books) floor.load(book);
      await ports.marketFeed.start(
        kept.stocks,
        kept.quotes,
        (quotes) => void intake.receive(quotes),
      );
    },
    /** Stops the market and keeps what is not kept yet. */
    async stop(): Promise<void> {
      await ports.marketFeed.stop();
      await housekeeping.tick();
    },
    /** What is due by now; the host calls it about once a second, never twice at once. */
    async tick(): Promise<void> {
      await intake.retry();
      await housekeeping.tick();
    },
    /** Adds the instruments that are not known yet; answers how many. */
    async importStocks(instruments: readonly Stock[]): Promise<number> {
      const known = await ports.unitOfWork.run(async (stores) => {
        const ids = new Set((await stores.stocks.all()).map((stock) => stock.id));
        const fresh = instruments.filter((stock) => !ids.has(stock.id));
        await stores.stocks.save(fresh);
        return fresh;
      });
      floor.stocks.put(known);
      return known.length;
    },

    authenticate: authentication.authenticate(core),
    verifyToken: authentication.verifyToken(core),
    newUser: authentication.newUser(core),
    newSession: authentication.newSession(core),
    newToken: authentication.newToken(core),
    deleteToken: authentication.deleteToken(core),
    getTokens: authentication.getTokens(core),
    updatePassword: authentication.updatePassword(core),

    newStrategy: strategies.newStrategy(core),
    updateStrategy: strategies.updateStrategy(core),
    deleteStrategy: strategies.deleteStrategy(core),
    getStrategies: strategies.getStrategies(core),
    getStrategyValues: strategies.getStrategyValues(core),
    getStrategyHistory: history.getStrategyHistory(core),
    getPositions: trades.getPositions(core),

    newStrategySubscription: subscriptions.newStrategySubscription(core),
    deleteStrategySubscription: subscriptions.deleteStrategySubscription(core),
    getStrategySubscriptions: subscriptions.getStrategySubscriptions(core),

    getOrders: trades.getOrders(core),
    newOrder: trades.newOrder(core),
    newOrderAllocations: trades.newOrderAllocations(core),
    previewOrderAllocations: trades.previewOrderAllocations(core),
    deleteOrder: trades.deleteOrder(core),
    getMaxOrderSize: trades.getMaxOrderSize(core),
    getTrades: trades.getTrades(core),

    newOrderWebhook: webhooks.newOrderWebhook(core),
    previewOrderWebhook: webhooks.previewOrderWebhook(core),

    getStocks: stocks.getStocks(core),
    findStocks: stocks.findStocks(core),
    newQuotes: stocks.newQuotes(core, intake),
    updateStocks: stocks.updateStocks(core),

    /** The strategy's value is published as `value_changed` until the returned function is called. */
    watchValue: (strategyId: StrategyId): (() => void) => watch.watch(strategyId),
    /** An order of an event as a read would show it now. */
    presentableOrder: (order: Order): OrderView =>
      viewOrder(order, floor.market(ports.clock.now())),
    /** getPositions' answer holding only what the fills of the event changed; undefined when it had none. */
    changedPositions({
      before,
      after,
      changes,
      at,
    }: Event & { kind: 'book_changed' }): PositionsView | undefined {
      const traded = changes.flatMap((change) =>
        change.kind === 'filled' ? change.trade.stockId : [],
      );
      if (traded.length === 0) return undefined;
      return viewPositions(after, floor.market(at), { before, stockIds: [...new Set(traded)] });
    },
    /** Quotes refused since the start because they were unusable or late. */
    droppedQuotes: (): number => floor.quotes.dropped,
  };
}

export type Application = ReturnType<typeof createApplication>;
