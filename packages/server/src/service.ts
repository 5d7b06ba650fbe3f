import type { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import {
  type HttpHandler,
  answersTo,
  callerOf,
  clientAddress,
  createLimiter,
  httpHandler,
  lanes,
  networkOf,
} from '@slipstream/adapter-http';
import { instruments } from '@slipstream/adapter-market';
import { LiveStreams } from '@slipstream/adapter-ws';
import { type Application, acceptMasterKey } from '@slipstream/application';
import { dashboardFiles } from '@slipstream/dashboard';
import { guideFolder } from '@slipstream/guide';
import { basisOfKind, disclosureOf, segmentKind } from '@slipstream/domain';
import type { Log, MarketRun, OrdersChanged } from '@slipstream/ports';
import { archivesOf } from './audit/audit-archives.js';
import { auditKeptSince, nightlyRotation, rotateAudit } from './audit/rotate-audit.js';
import { DISK_IS_SHORT } from './monitoring/disk.js';
import { startBeats } from './beats.js';
import type { Composition } from './composition/compose.js';
import {
  APPLICATION,
  BROKERS,
  CLOCK,
  DISK,
  EVENTS,
  HOST_CLOCK,
  IDS,
  LIVE_STATE,
  MARKET_FEED,
  OUTSIDE_CALLS,
  PAYMENT_GATEWAY,
  PUBLIC_ADDRESS,
  SECRET_BOX,
  TIMERS,
  TRADING_HOURS,
  UNIT_OF_WORK,
} from './composition/tokens.js';
import { publicUrl } from './composition/mail.js';
import { anyInstrument } from './any-instrument.js';
import { type ServerMetrics, serverMetrics } from './monitoring/metrics.js';
import { noticesPath } from './composition/payments.js';
import { forgottenMarket } from './settings/forgotten-market.js';
import { SettingError } from './settings/setting-error.js';
import type { ServerSettings } from './settings/settings.js';
import { INTERFACE_VERSION } from './version.js';

/** Everything behind the socket: the started core, its operations, streams and due work. */
export interface Service {
  readonly application: Application;
  /** A notice about the prices; null when they are the market's own. */
  readonly notice: string | null;
  readonly handler: HttpHandler;
  readonly metrics: ServerMetrics;
  /** Whether the clock of the machine is in no doubt. */
  isSureOfTime(): boolean;
  /** Takes over the upgrades that `server` emits. */
  attach(server: EventEmitter): void;
  /** Called once when the server listens. */
  listensAt(port: number): void;
  /**
   * Is not ready any more, begins no due work, and resolves when the streams are closed. What waits for an answer from outside, a
   * client's request too, waits for the patience of the options and no longer; so do the streams of clients that are gone.
   */
  retire(): Promise<void>;
  /** Waits for work under way, stores what is unsaved and closes everything. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Whether the storage is the file of the settings. */
  readonly ownsFile: boolean;
  /** Where clients reach the server, known once it listens. */
  readonly listeningAt: () => string;
  /** How long brokers, gateways, mail servers, receivers and clients of streams may still answer when it stops, in milliseconds. */
  readonly patience: number;
  /** What other servers told of orders before this one serves; absent when there are none. */
  readonly told?: () => Promise<readonly OrdersChanged[]>;
}

/** Archives are written beside the database file; a storage without such a file keeps its whole log. */
async function auditArchives(
  container: Composition['container'],
  { settings, log, ownsFile }: ServiceOptions,
  goesOn: () => boolean,
): Promise<() => Promise<void>> {
  const { DATABASE_URL: url } = settings;
  if (!ownsFile || url.kind !== 'sqlite') return async () => undefined;
  const unitOfWork = await container.getAsync(UNIT_OF_WORK);
  const secretBox = container.get(SECRET_BOX);
  const clock = container.get(CLOCK);
  const rotate = (): Promise<number> =>
    rotateAudit(
      { unitOfWork, secretBox },
      archivesOf(url.file),
      auditKeptSince(settings, clock.now()),
      goesOn,
    );
  return nightlyRotation(rotate, clock, log);
}

/** A mistyped DATABASE_URL or a volume that is not mounted looks like a first start, which is no news where nobody else uses it. */
function tellOfEmpty({ hadKey }: Composition, { settings, log, ownsFile }: ServiceOptions): void {
  const { DATABASE_URL: url, PUBLIC_URL } = settings;
  if (ownsFile && url.kind === 'memory') return;
  const level = hadKey || PUBLIC_URL !== undefined ? 'warn' : 'info';
  log[level](
    { database: ownsFile && url.kind === 'sqlite' ? resolve(url.file) : url.kind },
    'the database was empty: everything begins anew. If there should be data, stop, and check DATABASE_URL and its volume',
  );
}

/** Who forgot MARKET would have orders meet the quotes of the demo, in strategies of real prices. */
export function requireMarketNamed(lastRun: MarketRun | undefined, settings: ServerSettings): void {
  const forgotten = forgottenMarket(lastRun, settings);
  if (forgotten) throw new SettingError(`${forgotten.says}: ${forgotten.mend}`);
}

/** Starts the composed core with all that it serves; nothing listens yet. The service closes the composition. */
export async function openService(
  composition: Composition,
  options: ServiceOptions,
): Promise<Service> {
  const { container, close: closeAll } = composition;
  if (composition.wasEmpty) tellOfEmpty(composition, options);
  const { settings, log, listeningAt, patience } = options;
  const application = await container.getAsync(APPLICATION);
  const [clock, ids, events, timers, live, feed] = [
    container.get(CLOCK),
    container.get(IDS),
    container.get(EVENTS),
    container.get(TIMERS),
    container.get(LIVE_STATE),
    container.get(MARKET_FEED),
  ];
  const hours = container.get(TRADING_HOURS);
  const unitOfWork = await container.getAsync(UNIT_OF_WORK);
  const hostClock = container.get(HOST_CLOCK);
  const watched = clock === hostClock ? hostClock : undefined;
  const lastRun = await unitOfWork.read(({ marketRuns }) => marketRuns.last());
  requireMarketNamed(lastRun, settings);
  if (lastRun) watched?.knewOf(lastRun.at);
  const clockDoubt = (): string | null => watched?.doubt() ?? null;
  await application.lifecycle.start(instruments());
  try {
    // Not before: a large file is checked while it is read, and each transaction waits for that.
    await acceptMasterKey({ unitOfWork, secretBox: container.get(SECRET_BOX) });
  } catch (error) {
    await application.lifecycle.stop().catch(() => undefined);
    throw error;
  }

  let isReady = true;
  const disk = await container.getAsync(DISK);
  const metrics = serverMetrics({
    droppedQuotes: () => live.quotes.dropped,
    sources: () => feed.health(),
    connections: () => streams.connections(),
    diskFree: disk.free,
    clockDoubt,
    halts: async () => (await application.lifecycle.standingHalts()).counts,
    eventAttempts: () => application.background.eventAttempts(),
    isOpen: (type) => hours.sessionAt(anyInstrument(type), clock.now()) !== undefined,
    unitOfWork,
    outsideCalls: container.get(OUTSIDE_CALLS),
  });
  const stopCounting = events.subscribe(metrics.event);
  const limiter = createLimiter(settings.RATE_LIMITS);
  const costly = lanes();
  const goesBy = answersTo([
    settings.HOST,
    new URL(publicUrl(settings)).hostname,
    ...settings.ALLOWED_HOSTS,
  ]);
  const handler = httpHandler({
    application,
    log,
    version: INTERFACE_VERSION,
    brokers: [...container.get(BROKERS).values()],
    disclosure: disclosureOf(basisOfKind(segmentKind(settings.MARKET)), settings.DISCLOSURE),
    baseUrl: () => settings.PUBLIC_URL ?? listeningAt(),
    newId: () => ids.next(),
    limiter,
    lanes: costly,
    operatorToken: settings.OPERATOR_TOKEN,
    corsOrigins: settings.CORS_ORIGINS,
    answersTo: goesBy,
    trustProxy: settings.TRUST_PROXY,
    metricsToken: settings.METRICS_TOKEN,
    paymentNotices: noticesPath(await container.getAsync(PAYMENT_GATEWAY)),
    ready: () => isReady,
    unready: () => (disk.hasRoom() ? null : DISK_IS_SHORT),
    halts: async () => (await application.lifecycle.standingHalts()).shared,
    sources: () => feed.health(),
    heldStocks: () => application.lifecycle.heldStocks(),
    clockDoubt,
    metrics,
    dashboard: dashboardFiles,
    guide: guideFolder,
  });
  const { address: ofAddress, streams: inAll, user, anonymous } = settings.CONNECTION_LIMITS;
  const streams = new LiveStreams({
    application,
    events,
    clock,
    log,
    newId: () => ids.next(),
    addressOf: clientAddress,
    answersTo: goesBy,
    networkOf,
    failures: limiter,
    reads: {
      count: (...read) => limiter.count('reads', ...read),
      inTurn: (caller, address, read) =>
        costly.enter(callerOf(caller, address), async (rest) =>
          read(rest, await limiter.over('reads', caller, address)),
        ),
    },
    // Its own page too: a proxy may name another host than the one of the page.
    origins: [...settings.CORS_ORIGINS, new URL(publicUrl(settings)).origin],
    limits: { total: inAll, user, address: ofAddress, anonymous },
    refused: (status) => metrics.upgradeRefused(status),
  });
  // What this one has committed is heard already, so nothing is missed between. Both at once: nobody is answered while a server takes over.
  const [told] = await Promise.all([options.told?.() ?? [], metrics.start()]);
  streams.goOn(told);
  const archive = await auditArchives(container, options, () => isReady);
  const { background } = application;
  const beats = startBeats({ background, archive, timers, metrics, log });
  let stopLeaving = (): void => {};

  return {
    application,
    notice: feed.notice,
    handler,
    metrics,
    isSureOfTime: () => clockDoubt() === null,
    attach: (server) => streams.attach(server),
    listensAt(port) {
      container.get(PUBLIC_ADDRESS).url = publicUrl({ ...settings, PORT: port });
      live.stocks.addressChanged();
    },
    async retire() {
      isReady = false;
      beats.stop();
      stopLeaving = timers.every(patience, () => background.leave());
      await streams.close(patience);
    },
    async close() {
      await beats.idle();
      stopLeaving();
      try {
        await application.lifecycle.stop();
        stopCounting();
      } finally {
        await closeAll();
      }
    },
  };
}
