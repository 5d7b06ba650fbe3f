import type { Bot, BotNotification, Order, Stock, StrategyId } from '@slipstream/domain';
import type { Event, Ports } from '@slipstream/ports';
import type { Core } from './core.js';
import { Floor } from './floor/floor.js';
import { ValueWatch } from './floor/value-watch.js';
import { viewOrder, viewPositions } from './presentation.js';
import { quoteIntake } from './quote-intake.js';
import { DEFAULT_SETTINGS, type Settings } from './settings.js';
import { upkeep } from './upkeep.js';
import { createBotEngine } from './bots/index.js';
import * as authentication from './use-cases/authentication.js';
import { botOperations } from './use-cases/bots.js';
import * as stocks from './use-cases/stocks.js';
import * as strategies from './use-cases/strategies.js';
import * as subscriptions from './use-cases/subscriptions.js';
import * as trades from './use-cases/trades.js';
import * as history from './use-cases/value-history.js';
import * as webhooks from './use-cases/webhooks.js';
import type { OrderView, PositionsView } from './views.js';

/**
 * The whole core as functions of its ports; no container is needed. Each operation is a method of its name. A host whose
 * brokers fill at the market's quotes makes the `floor` itself and shares it with them.
 */
export function createApplication(
  ports: Ports,
  settings: Settings = DEFAULT_SETTINGS,
  floor = new Floor(ports.tradingHours, settings.quoteFreshFor),
) {
  const watch = new ValueWatch(floor, ports.clock, ports.events);
  const core: Core = { ...ports, settings, floor, watch };
  const intake = quoteIntake(core);
  const housekeeping = upkeep(core);
  const botDeps = {
    ...ports,
    market: () => floor.market(ports.clock.now()),
    notify: async (bot: Bot, kind: BotNotification, message: string) =>
      ports.log.info({ botId: bot.id, kind }, message),
  };
  const engine = createBotEngine(botDeps);
  /** A fill of a mirrored strategy makes its bots due at once; one that is missed is found by their own check. */
  const wakeBots = (event: Event): void => {
    if (event.kind !== 'book_changed' || !event.changes.some(({ kind }) => kind === 'filled'))
      return;
    engine
      .wakeBots(event.strategyId)
      .catch((error: unknown) =>
        ports.log.warn({ strategyId: event.strategyId, error }, 'bots were not woken'),
      );
  };
  let sleep = (): void => {};

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
      sleep = ports.events.subscribe(wakeBots);
      await ports.marketFeed.start(
        kept.stocks,
        kept.quotes,
        (quotes) => void intake.receive(quotes),
      );
    },
    /** Stops the market and keeps what is not kept yet. */
    async stop(): Promise<void> {
      sleep();
      await ports.marketFeed.stop();
      await housekeeping.tick();
    },
    /** What is due by now; the host calls it about once a second, never twice at once. */
    async tick(): Promise<void> {
      await intake.retry();
      await housekeeping.tick();
    },
    /** Brings on the bots that are due by now. Apart from `tick`, because brokers may take their time; calls may overlap. */
    runBots: (): Promise<void> => engine.runDueBots(),
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

    issueToken: authentication.issueToken(core),

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

    ...botOperations(botDeps),

    getStocks: stocks.getStocks(core),
    findStocks: stocks.findStocks(core),
    newQuotes: stocks.newQuotes(core, intake),
    updateStocks: stocks.updateStocks(core),

    /** The strategy's value is published as `value_changed` until the returned function is called. */
    watchValue: (strategyId: StrategyId): (() => void) => watch.watch(strategyId),
    /** An order of an event as a read would show it now. */
    presentableOrder: (order: Order): OrderView => {
      const book = floor.book(order.strategyId);
      if (!book) throw new Error(`strategy ${order.strategyId} has no book`);
      return viewOrder(order, floor.market(ports.clock.now()), book);
    },
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
  };
}

export interface Application extends ReturnType<typeof createApplication> {}
