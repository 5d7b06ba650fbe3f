import {
  type Order,
  type Position,
  RESEND_WINDOW,
  type Stock,
  type StockId,
  type StrategyId,
  type UserId,
} from '@slipstream/domain';
import type { Event, Ports } from '@slipstream/ports';
import { type Denial, createDenials } from './audit/denials.js';
import { type Actor, type RequestSource, actorOf, systemActor, within } from './audit/actor.js';
import type { Caller } from './caller.js';
import type { Core } from './core.js';
import { requestUnitOfWork } from './transaction.js';
import { LiveState } from './market/live-state.js';
import { ValueWatch } from './market/value-watch.js';
import { endUnconfirmed } from './accounts/end-unconfirmed.js';
import { purgeExcess } from './purge-excess.js';
import { purgeExpired } from './purge-expired.js';
import { createGuesses } from './accounts/guesses.js';
import { BelowZeroCounts } from './strategies/below-zero.js';
import { strategyEnds } from './strategies/ends.js';
import { watchBelowZero } from './strategies/watch-below-zero.js';
import { type RequestRecord, idempotency } from './idempotency.js';
import { viewOrder, viewPositions } from './trading/order-views.js';
import { type Operations, operationTable, requestOperationsOf } from './operations.js';
import { quoteIntake } from './market/quote-intake.js';
import { DEFAULT_SETTINGS, type Settings } from './settings.js';
import { PerformanceCache } from './performance/performance-cache.js';
import { rankStrategies } from './performance/rank-strategies.js';
import { Ranking } from './performance/ranking.js';
import { stockActions } from './market/apply-stock-actions.js';
import { TokenUse } from './accounts/token-use.js';
import { unansweredAlerts } from './alerts/unanswered-alerts.js';
import { createHousekeeping } from './housekeeping.js';
import { createBilling } from './billing/billing.js';
import { BotReconciler } from './mirroring/index.js';
import { sendMails } from './messages/send-mails.js';
import { authenticate, issueToken } from './accounts/authentication.js';
import { botDeps } from './mirroring/bot-operations.js';
import { handlePaymentWebhook } from './billing/invoices.js';
import type { OrderView, PositionsView } from './views.js';

/**
 * The whole core as functions of its ports; no container is needed. Each operation is a method of its name. A host whose
 * brokers fill at the market's quotes makes the `live` itself and shares it with them.
 */
export function createApplication(
  ports: Ports,
  settings: Settings = DEFAULT_SETTINGS,
  live = new LiveState(ports.tradingHours, settings.quoteFreshFor, () => settings.publicUrl),
) {
  const watch = new ValueWatch(live, ports.clock, ports.events);
  const { clock, fingerprints } = ports;
  const unitOfWorkOf = (actor: Actor, idempotency?: RequestRecord) =>
    requestUnitOfWork(ports.unitOfWork, { audit: { clock, fingerprints, actor }, idempotency });
  /** Every field of a core: each request copies it, and an object is copied faster than it grows. */
  const shared = {
    ...ports,
    settings,
    live,
    watch,
    belowZero: new BelowZeroCounts({ clock: ports.clock, live, settings }),
    ends: strategyEnds({ ...ports, unitOfWork: unitOfWorkOf(systemActor('settleFollowers')) }),
    performances: new PerformanceCache(),
    ranking: new Ranking(),
    unansweredAlerts: unansweredAlerts(),
    senders: new Set<UserId>(),
    notified: new Set<UserId>(),
    tokenUse: new TokenUse(),
    guesses: createGuesses(ports),
    source: within('core'),
  };
  /** The core for somebody who acts: the audit log names them. */
  const coreFor = (
    actor: Actor,
    source: Core['source'] = within(actor.action),
    record?: RequestRecord,
  ): Core => ({ ...shared, source, unitOfWork: unitOfWorkOf(actor, record) });
  const systemCore = (action: string): Core => coreFor(systemActor(action));
  /** Whoever runs the process or its command line is the operator. */
  const operatorCore = (action: string): Core =>
    coreFor(actorOf({ kind: 'operator' }, within(action)));

  const denials = createDenials(ports);
  const intake = quoteIntake(systemCore('settle'));
  const actions = stockActions(systemCore('stockAction'), intake);
  const housekeeping = createHousekeeping(systemCore('upkeep'));
  const depletion = watchBelowZero(systemCore('watchBelowZero'));
  const forgetOld = purgeExpired(systemCore('forgetExpired'));
  const forgetMore = purgeExcess(systemCore('forgetExpired'));
  const endAccounts = endUnconfirmed(systemCore('endUnconfirmed'));
  const reconciler = new BotReconciler(botDeps(systemCore('runBots')));
  const billing = createBilling(systemCore('runBilling'));
  const table = operationTable({ billing, intake, actions });
  const requestOperations = requestOperationsOf(table, coreFor);
  const operations = requestOperations() as unknown as Readonly<
    Record<string, (...given: unknown[]) => unknown>
  >;
  const brought = (event: Event): Promise<void> | undefined => {
    if (event.kind === 'access_changed') return reconciler.stopBots(event);
    if (event.kind !== 'book_changed') return undefined;
    const hasTraded = event.changes.some(({ kind }) => kind === 'filled');
    return hasTraded ? reconciler.wakeBots(event.strategyId) : undefined;
  };
  /** A fill of a mirrored strategy makes its bots due at once, access that ends stops them; what is missed their own check finds. */
  const wakeBots = (event: Event): void => {
    if (event.kind === 'notification_added') shared.notified.add(event.notification.userId);
    const woken = brought(event);
    woken?.catch((error: unknown) =>
      ports.log.warn({ event: event.kind, error }, 'bots were not woken'),
    );
  };
  let sleep = (): void => {};
  const stopPublishing = ports.unitOfWork.subscribe((event) => {
    ports.events.publish(event);
    // A split does not change the value; the quotes stay hidden until every book has it.
    if (event.kind === 'book_changed' && event.adjusted?.kind !== 'split')
      watch.tell(event.strategyId);
  });

  return {
    /** Loads what is kept and starts the market: open orders wait again, values are there. */
    async start(): Promise<void> {
      const kept = await ports.unitOfWork.read(async (stores) => ({
        stocks: await stores.stocks.all(),
        quotes: await stores.quotes.all(),
        splits: await stores.stockActions.lastSplits(),
        books: await stores.books.all(),
        alerts: await stores.alerts.answeredSince(ports.clock.now() - RESEND_WINDOW),
      }));
      live.stocks.put(kept.stocks);
      live.quotes.restore(kept.quotes);
      for (const { stockId, createdAt } of kept.splits) live.quotes.wasSplit(stockId, createdAt);
      for (const book of kept.books) live.load(book);
      const now = ports.clock.now();
      for (const { id, fingerprint, createdAt: at } of kept.alerts)
        if (fingerprint !== null) shared.unansweredAlerts.taken({ id, fingerprint, at }, now);
      await depletion.start();
      await actions.resume();
      sleep = ports.events.subscribe(wakeBots);
      await ports.marketFeed.start(
        kept.stocks,
        kept.quotes.map((quote) => live.quotes.get(quote.stockId) ?? quote),
        (quotes) => void intake.receive(quotes.map((quote) => live.quotes.rescaled(quote))),
      );
      actions.marketStarted();
    },
    /** Stops the market and keeps what is not kept yet. */
    async stop(): Promise<void> {
      sleep();
      await ports.marketFeed.stop();
      await denials.idle();
      await housekeeping.tick();
      await shared.tokenUse.write(ports.unitOfWork, ports.clock.now(), true);
      stopPublishing();
    },
    /** What is due by now; the host calls it about once a second, never twice at once. */
    async tick(): Promise<void> {
      await intake.retry();
      await actions.retry();
      await housekeeping.tick();
      await depletion.tick();
      await shared.tokenUse.write(ports.unitOfWork, ports.clock.now());
      await forgetMore();
      await forgetOld();
      await endAccounts();
      await denials.tick();
    },
    /** Brings on the bots that are due by now. Apart from `tick`, because brokers may take their time; calls may overlap. */
    runBots: (): Promise<void> => reconciler.runDueBots(),
    /** Charges, renews, refunds and pays out what is due by now. Apart from `tick`, because the gateway may take its time. */
    runBilling: (): Promise<void> => billing.run(),
    /** What the payment gateway posted by itself; throws `NoticeRefused` when it is not the gateway's. */
    handlePaymentWebhook: handlePaymentWebhook(systemCore('takePaymentNotice'), billing),
    /** Sends the mails that are due by now. Apart from `tick`, because mail servers take their time; never twice at once. */
    sendMails: sendMails(systemCore('sendMails')),
    /** Works out the ranks when a minute has passed. Apart from `tick`, because it takes its time; never twice at once. */
    rankStrategies: rankStrategies(systemCore('rankStrategies')),
    /** Adds the instruments that are not known yet; answers how many. */
    async importStocks(instruments: readonly Stock[]): Promise<number> {
      const known = await operatorCore('importStocks').unitOfWork.run(async (stores) => {
        const ids = new Set((await stores.stocks.all()).map((stock) => stock.id));
        const fresh = instruments.filter((stock) => !ids.has(stock.id));
        await stores.stocks.save(fresh);
        return fresh;
      });
      live.stocks.put(known);
      return known.length;
    },

    issueToken: issueToken(operatorCore('issueToken')),
    authenticate: authenticate(systemCore('authenticate')),
    ...(Object.fromEntries(
      Object.keys(table).map((name) => [
        name,
        (...given: unknown[]) => operations[name]?.(...given),
      ]),
    ) as unknown as Operations),
    /** The operations as one request calls them: the audit log tells where it came from. */
    requestedBy: (source: RequestSource): Operations => requestOperations(source),
    /** Performs a request under an Idempotency-Key: once, however often it is sent (contract 1). */
    idempotently: idempotency(shared, (record, source?: RequestSource) =>
      requestOperations(source, record),
    ),
    /** Tells the audit log that a caller was kept from what is not theirs. */
    denied(caller: Caller, source: RequestSource, denial: Pick<Denial, 'code' | 'objects'>): void {
      denials.tell({ ...actorOf(caller, source), ...denial });
    },
    /** The response to an alert was sent to its end; `delivery` is the id it came with. */
    alertAnswered: (delivery: string): void => shared.unansweredAlerts.answered(delivery),
    /** The connection broke before anything showed that the response had arrived. */
    alertLost: (delivery: string): void => shared.unansweredAlerts.lost(delivery),

    /** The strategy's value is published as `value_changed` until the returned function is called. */
    watchValue: (strategyId: StrategyId): (() => void) => watch.watch(strategyId),
    /** An order of an event as a read would show it now. */
    presentableOrder: (order: Order): OrderView => {
      const book = live.book(order.strategyId);
      if (!book) throw new Error(`strategy ${order.strategyId} has no book`);
      return viewOrder(order, live.market(ports.clock.now()), book);
    },
    /** getPositions' answer holding only what the fills (or the corporate action) of the event changed; undefined when it had none. */
    changedPositions({
      before,
      after,
      changes,
      at,
      adjusted,
    }: Event & { kind: 'book_changed' }): PositionsView | undefined {
      const left = new Map(
        changes.flatMap((change): [StockId, Position][] =>
          change.kind === 'filled' ? [[change.position.stockId, change.position]] : [],
        ),
      );
      const moved =
        adjusted && (left.get(adjusted.stockId) ?? before.positions.get(adjusted.stockId));
      if (moved) left.set(moved.stockId, moved);
      if (left.size === 0) return undefined;
      return viewPositions(after, live.market(at), [...left.values()]);
    },
  };
}

/** The core as its hosts see it. */
export interface Application extends ReturnType<typeof createApplication> {}
