import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answersTo,
  clientAddress,
  createLimiter,
  httpHandler,
  httpServer,
  networkOf,
} from '@slipstream/adapter-http';
import { instruments } from '@slipstream/adapter-market';
import { asksForStreams, LiveStreams } from '@slipstream/adapter-ws';
import { dashboardFiles } from '@slipstream/dashboard';
import { basisOfKind, disclosureOf, segmentKind } from '@slipstream/domain';
import type { Application } from '@slipstream/application';
import type { Log } from '@slipstream/ports';
import type { Adapters } from './adapters.js';
import { type Composition, compose, once } from './compose.js';
import {
  APPLICATION,
  BROKERS,
  CLOCK,
  DISK,
  EVENTS,
  LIVE_STATE,
  IDS,
  MARKET_FEED,
  PUBLIC_ADDRESS,
  PAYMENT_GATEWAY,
  SECRET_BOX,
  TIMERS,
  UNIT_OF_WORK,
} from './container.js';
import { archivesOf } from './audit/audit-archives.js';
import { createDrops } from './monitoring/drops.js';
import { publicUrl } from './mail.js';
import { serverMetrics } from './monitoring/metrics.js';
import { noticesPath } from './payments.js';
import { auditKeptSince, nightlyRotation, rotateAudit } from './audit/rotate-audit.js';
import type { ServerSettings } from './settings/settings.js';
import { INTERFACE_VERSION } from './version.js';

/** How often due work is searched for, in milliseconds. */
const BEAT = 250;

/** How often dropped connections are logged, in milliseconds. */
const DROPS_LOGGED = 10_000;

/** How often the server checks whether to archive the audit log, in milliseconds. */
const ARCHIVES_LOOKED_AT = 60_000;

/** How long running requests may take to end when the server stops, in milliseconds. */
const DRAIN = 10_000;

export interface RunningServer {
  /** The address on which it listens. */
  readonly url: string;
  readonly application: Application;
  /** A notice about the prices, for example that they are simulated; null when they are the market's own. */
  readonly notice: string | null;
  /** Stops accepting requests, finishes the running ones, and closes streams and storage. May be called twice. */
  close(): Promise<void>;
}

/** A task that runs at each beat. A failure is logged, and the next beat tries again. */
interface Repeated {
  beat(): void;
  /** Resolves when none runs. */
  idle(): Promise<void>;
}

/** Runs `task` at each beat, also while it still runs from an earlier one. */
function overlapping(task: () => Promise<void>, failed: (error: unknown) => void): Repeated {
  const running = new Set<Promise<void>>();
  return {
    beat: () => {
      const run = task()
        .catch(failed)
        .finally(() => running.delete(run));
      running.add(run);
    },
    idle: async () => {
      await Promise.all(running);
    },
  };
}

/** Runs `task` at each beat, never twice at once. */
function repeatedly(task: () => Promise<void>, failed: (error: unknown) => void): Repeated {
  let running: Promise<void> | undefined;
  return {
    beat: () => {
      running ??= task()
        .catch(failed)
        .finally(() => {
          running = undefined;
        });
    },
    idle: async () => running,
  };
}

function listeningAt(server: Server): string {
  const { port, address, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Opens the assembled server: composed, migrated, started and listening. It closes the given adapters at its end. */
export async function openServer(
  settings: ServerSettings,
  log: Log,
  adapters: Adapters = {},
): Promise<RunningServer> {
  const composition = await compose(settings, log, adapters);
  try {
    return await openWith(composition, settings, log, adapters.unitOfWork === undefined);
  } catch (error) {
    await composition.close();
    throw error;
  }
}

/** Archives are written beside the database file; a storage without such a file keeps its whole log. */
async function auditArchives(
  container: Composition['container'],
  settings: ServerSettings,
  log: Log,
  goesOn: () => boolean,
): Promise<() => Promise<void>> {
  const { DATABASE_URL: url } = settings;
  if (url.kind !== 'sqlite') return async () => undefined;
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

async function openWith(
  { container, close: closeAll }: Composition,
  settings: ServerSettings,
  log: Log,
  ownsFile: boolean,
): Promise<RunningServer> {
  const application = await container.getAsync(APPLICATION);
  const [clock, ids, events, timers, live, feed] = [
    container.get(CLOCK),
    container.get(IDS),
    container.get(EVENTS),
    container.get(TIMERS),
    container.get(LIVE_STATE),
    container.get(MARKET_FEED),
  ];
  await application.lifecycle.importStocks(instruments());
  await application.lifecycle.start();

  let isReady = true;
  const disk = await container.getAsync(DISK);
  const metrics = serverMetrics({
    droppedQuotes: () => live.quotes.dropped,
    sources: () => feed.health(),
    connections: () => streams.connections(),
    diskFree: disk.free,
    halts: async () => (await application.lifecycle.standingHalts()).counts,
  });
  const limiter = createLimiter(settings.RATE_LIMITS);
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
    baseUrl: () => settings.PUBLIC_URL ?? listeningAt(server),
    newId: () => ids.next(),
    limiter,
    operatorToken: settings.OPERATOR_TOKEN,
    corsOrigins: settings.CORS_ORIGINS,
    answersTo: goesBy,
    trustProxy: settings.TRUST_PROXY,
    metricsToken: settings.METRICS_TOKEN,
    paymentNotices: noticesPath(container.get(PAYMENT_GATEWAY)),
    ready: () => isReady && disk.hasRoom(),
    halts: async () => (await application.lifecycle.standingHalts()).shared,
    sources: () => feed.health(),
    heldStocks: () => application.lifecycle.heldStocks(),
    metrics,
    dashboard: dashboardFiles,
  });
  const drops = createDrops(log, (reason) => metrics.dropped(reason));
  const { total, address: ofAddress, streams: inAll, user, anonymous } = settings.CONNECTION_LIMITS;
  const isBehindProxy = settings.TRUST_PROXY > 0;
  const { server, drain } = httpServer(handler, {
    upgrades: asksForStreams,
    limits: { total, address: isBehindProxy ? Infinity : ofAddress },
    dropped: (...drop) => drops.count(...drop),
  });
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
    reads: { count: (...read) => limiter.count('reads', ...read) },
    origins: settings.CORS_ORIGINS,
    limits: { total: inAll, user, address: ofAddress, anonymous },
    refused: (status) => metrics.upgradeRefused(status),
  });
  streams.attach(server);

  const failed = (what: string) => (error: unknown) => {
    metrics.tickFailed();
    log.error({ error }, `${what} failed; will retry`);
  };
  const upkeep = repeatedly(() => application.background.tick(), failed('housekeeping'));
  // A broker that does not answer keeps only its own bots waiting.
  const bots = overlapping(() => application.background.runBots(), failed('running bots'));
  // A receiver that does not answer keeps only its own messages waiting.
  const sending = overlapping(() => application.background.sendEvents(), failed('sending events'));
  const mails = repeatedly(() => application.background.sendMails(), failed('sending mails'));
  const ranks = repeatedly(
    () => application.background.rankStrategies(),
    failed('ranking strategies'),
  );
  const ownerTrades = repeatedly(
    () => application.background.measureOwnerTrades(),
    failed("measuring owners' trades"),
  );
  const anchors = repeatedly(() => application.background.makeAnchors(), failed('making anchors'));
  const market = repeatedly(
    () => application.background.followMarket(),
    failed('following the market'),
  );
  const billing = repeatedly(() => application.background.runBilling(), failed('billing'));
  const stopBeats = [
    upkeep,
    bots,
    sending,
    mails,
    ranks,
    ownerTrades,
    billing,
    market,
    anchors,
  ].map(({ beat }) => timers.every(BEAT, beat));
  const archives = ownsFile
    ? await auditArchives(container, settings, log, () => isReady)
    : async () => undefined;
  const archiving = repeatedly(archives, failed('archiving the audit log'));
  stopBeats.push(timers.every(ARCHIVES_LOOKED_AT, archiving.beat));
  stopBeats.push(timers.every(DROPS_LOGGED, () => drops.logCounts()));

  const shutDown = async (): Promise<void> => {
    isReady = false;
    for (const stop of stopBeats) stop();
    application.background.endBots();
    application.background.endEvents();
    const closed = new Promise<void>((resolve) => server.once('close', resolve));
    drain();
    await streams.close();
    const impatience = setTimeout(() => server.closeAllConnections(), DRAIN);
    await closed;
    clearTimeout(impatience);
    drops.logCounts();
    await Promise.all([
      upkeep.idle(),
      bots.idle(),
      sending.idle(),
      mails.idle(),
      ranks.idle(),
      billing.idle(),
    ]);
    await Promise.all([market.idle(), ownerTrades.idle(), anchors.idle()]);
    await archiving.idle();
    try {
      await application.lifecycle.stop();
    } finally {
      await closeAll();
    }
    log.info({}, 'stopped');
  };

  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(settings.PORT, settings.HOST, resolve);
    });
  } catch (error) {
    await shutDown();
    throw error;
  }
  const url = listeningAt(server);
  if (settings.PORT === 0) {
    const { port } = server.address() as AddressInfo;
    container.get(PUBLIC_ADDRESS).url = publicUrl({ ...settings, PORT: port });
    live.stocks.addressChanged();
  }
  log.info({ url, market: settings.MARKET, tradingHours: settings.TRADING_HOURS }, 'listening');

  return { url, application, notice: feed.notice, close: once(shutDown) };
}
