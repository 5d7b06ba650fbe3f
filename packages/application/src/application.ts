import type { Order, Stock, StrategyId } from '@slipstream/domain';
import type { Event, Ports } from '@slipstream/ports';
import { answeredAlerts } from './answered-alerts.js';
import type { Core } from './core.js';
import { Floor } from './floor/floor.js';
import { ValueWatch } from './floor/value-watch.js';
import { forgetExpired } from './forget-expired.js';
import { idempotency } from './idempotency.js';
import { getAlerts, keepRefusedAlert } from './inbox.js';
import { viewOrder, viewPositions } from './presentation.js';
import { quoteIntake } from './quote-intake.js';
import { DEFAULT_SETTINGS, type Settings } from './settings.js';
import { Performances } from './ranking/performances.js';
import { rankStrategies } from './ranking/rank-strategies.js';
import { Ranking } from './ranking/ranking.js';
import { stockActions } from './stock-actions.js';
import { upkeep } from './upkeep.js';
import { createBilling } from './billing/billing.js';
import { createBotEngine } from './bots/index.js';
import { sendMails } from './messages/outgoing-mail.js';
import { notifyOfBot } from './messages/notify.js';
import * as authentication from './use-cases/authentication.js';
import { botOperations } from './use-cases/bots.js';
import { deleteUser } from './use-cases/delete-user.js';
import { confirmEmail } from './use-cases/email-confirmation.js';
import * as notifications from './use-cases/notifications.js';
import { takePaymentNotice } from './use-cases/invoices.js';
import * as passwords from './use-cases/passwords.js';
import { paymentOperations } from './use-cases/payments.js';
import * as stocks from './use-cases/stocks.js';
import * as strategies from './use-cases/strategies.js';
import * as calculations from './use-cases/calculations.js';
import { getRecommendedStrategies } from './use-cases/recommendations.js';
import * as stockActionCases from './use-cases/stock-actions.js';
import { getAlertTemplate } from './use-cases/alert-template.js';
import * as subscriptions from './use-cases/subscriptions.js';
import * as timelines from './use-cases/timelines.js';
import { getTrackRecord } from './use-cases/track-record.js';
import * as trades from './use-cases/trades.js';
import { getUserExport } from './use-cases/user-export.js';
import * as users from './use-cases/users.js';
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
  const core: Core = {
    ...ports,
    settings,
    floor,
    watch,
    performances: new Performances(),
    ranking: new Ranking(),
    answeredAlerts: answeredAlerts(),
  };
  const intake = quoteIntake(core);
  const actions = stockActions(core, intake);
  const housekeeping = upkeep(core);
  const forget = forgetExpired(core);
  const botDeps = {
    ...ports,
    market: () => floor.market(ports.clock.now()),
    notify: notifyOfBot(core),
  };
  const engine = createBotEngine(botDeps);
  const billing = createBilling(core);
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
  /** The operations, over the ports or over a unit of work that keeps what is answered. */
  const operationsOf = (core: Core) => ({
    issueToken: authentication.issueToken(core),

    authenticate: authentication.authenticate(core),
    verifyToken: authentication.verifyToken(core),
    newUser: authentication.newUser(core),
    newSession: authentication.newSession(core),
    newToken: authentication.newToken(core),
    deleteToken: authentication.deleteToken(core),
    getTokens: authentication.getTokens(core),
    updatePassword: passwords.updatePassword(core),
    newPasswordReset: passwords.newPasswordReset(core),
    /** Marks the e-mail address that a code was mailed to as confirmed; false when the code is not good. */
    confirmEmail: confirmEmail(core),

    getUsers: users.getUsers(core),
    getUserInfo: users.getUserInfo(core),
    updateUserInfo: users.updateUserInfo(core),
    updateUserNotifications: users.updateUserNotifications(core),
    getUserExport: getUserExport(core),
    deleteUser: deleteUser(core),
    getNotifications: notifications.getNotifications(core),
    readNotifications: notifications.readNotifications(core),

    getTimeline: timelines.getTimeline(core),
    newPost: timelines.newPost(core),
    deletePost: timelines.deletePost(core),
    newLike: timelines.newLike(core),
    deleteLike: timelines.deleteLike(core),

    newStrategy: strategies.newStrategy(core),
    updateStrategy: strategies.updateStrategy(core),
    deleteStrategy: strategies.deleteStrategy(core),
    getStrategies: strategies.getStrategies(core),
    getStrategyValues: strategies.getStrategyValues(core),
    getRecommendedStrategies: getRecommendedStrategies(core),
    getStrategyHistory: history.getStrategyHistory(core),
    getPositions: trades.getPositions(core),
    getTrackRecord: getTrackRecord(core),

    newStrategySubscription: subscriptions.newStrategySubscription(core, billing),
    deleteStrategySubscription: subscriptions.deleteStrategySubscription(core),
    getStrategySubscriptions: subscriptions.getStrategySubscriptions(core),
    getStrategyCalculation: calculations.getStrategyCalculation(core),
    updateStrategyCalculation: calculations.updateStrategyCalculation(core),

    getOrders: trades.getOrders(core),
    newOrder: trades.newOrder(core),
    newOrderAllocations: trades.newOrderAllocations(core),
    previewOrderAllocations: trades.previewOrderAllocations(core),
    deleteOrder: trades.deleteOrder(core),
    getMaxOrderSize: trades.getMaxOrderSize(core),
    getTrades: trades.getTrades(core),
    getStockActions: stockActionCases.getStockActions(core),

    newOrderWebhook: webhooks.newOrderWebhook(core),
    /** Puts an alert into the inbox that could not even be read. */
    keepRefusedAlert: keepRefusedAlert(core),
    getAlerts: getAlerts(core),
    previewOrderWebhook: webhooks.previewOrderWebhook(core),
    getAlertTemplate: getAlertTemplate(core),

    ...paymentOperations(core, billing),
    ...botOperations({ ...botDeps, unitOfWork: core.unitOfWork }),

    getStocks: stocks.getStocks(core),
    findStocks: stocks.findStocks(core),
    newQuotes: stocks.newQuotes(core, intake),
    updateStocks: stocks.updateStocks(core, actions),
    newStockAction: stockActionCases.newStockAction(core, actions),
  });
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
      await actions.resume();
      sleep = ports.events.subscribe(wakeBots);
      await ports.marketFeed.start(
        kept.stocks,
        kept.quotes.map((quote) => floor.quotes.get(quote.stockId) ?? quote),
        (quotes) => void intake.receive(quotes.map((quote) => floor.quotes.rescaled(quote))),
      );
      actions.marketStarted();
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
      await actions.retry();
      await housekeeping.tick();
      await forget();
    },
    /** Brings on the bots that are due by now. Apart from `tick`, because brokers may take their time; calls may overlap. */
    runBots: (): Promise<void> => engine.runDueBots(),
    /** Charges, renews, refunds and pays out what is due by now. Apart from `tick`, because the gateway may take its time. */
    runBilling: (): Promise<void> => billing.run(),
    /** What the payment gateway posted by itself; throws `NoticeRefused` when it is not the gateway's. */
    takePaymentNotice: takePaymentNotice(core, billing),
    /** Sends the mails that are due by now. Apart from `tick`, because mail servers take their time; never twice at once. */
    sendMails: sendMails(core),
    /** Works out the ranks when a minute has passed. Apart from `tick`, because it takes its time; never twice at once. */
    rankStrategies: rankStrategies(core),
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

    ...operationsOf(core),
    /** Performs a request under an Idempotency-Key: once, however often it is sent (contract 1). */
    idempotently: idempotency(core, (unitOfWork) => operationsOf({ ...core, unitOfWork })),
    /** The response to an alert was sent to its end; `delivery` is the id it came with. */
    alertAnswered: (delivery: string): void => core.answeredAlerts.answered(delivery),

    /** The strategy's value is published as `value_changed` until the returned function is called. */
    watchValue: (strategyId: StrategyId): (() => void) => watch.watch(strategyId),
    /** An order of an event as a read would show it now. */
    presentableOrder: (order: Order): OrderView => {
      const book = floor.book(order.strategyId);
      if (!book) throw new Error(`strategy ${order.strategyId} has no book`);
      return viewOrder(order, floor.market(ports.clock.now()), book);
    },
    /** getPositions' answer holding only what the fills (or the corporate action) of the event changed; undefined when it had none. */
    changedPositions({
      before,
      after,
      changes,
      at,
      adjusted,
    }: Event & { kind: 'book_changed' }): PositionsView | undefined {
      const traded = changes.flatMap((change) =>
        change.kind === 'filled' ? change.trade.stockId : [],
      );
      if (adjusted) traded.push(adjusted);
      if (traded.length === 0) return undefined;
      return viewPositions(after, floor.market(at), { before, stockIds: [...new Set(traded)] });
    },
  };
}

export interface Application extends ReturnType<typeof createApplication> {}

/** The operations alone: what a request under an Idempotency-Key is given. */
export type Operations = Parameters<Parameters<Application['idempotently']>[1]>[0];
