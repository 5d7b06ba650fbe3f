import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidV7Ids } from '@slipstream/adapter-crypto';
import { type HttpServerOptions, httpServer } from '@slipstream/adapter-http';
import { asksForStreams } from '@slipstream/adapter-ws';
import type { Application } from '@slipstream/application';
import type { Log, Timers } from '@slipstream/ports';
import type { Adapters } from './composition/adapters.js';
import { type Composition, compose, once } from './composition/compose.js';
import { openFronts } from './fronts/open-fronts.js';
import { SERVER } from './fronts/words.js';
import { TIMERS } from './composition/tokens.js';
import { type Listening, drained, listen, urlOf } from './listening.js';
import { createDrops } from './monitoring/drops.js';
import { type Service, openService } from './service.js';
import { SETTING_NAMES, type ServerSettings } from './settings/settings.js';
import { systemClock } from './system.js';

/** How often dropped connections are logged, in milliseconds. */
const DROPS_LOGGED = 10_000;

/** How long others may still answer when it stops, in milliseconds: nobody waits for it to end but its own supervisor. */
const PATIENCE = 2_000;

/** A server that has started. */
export interface RunningServer {
  /** The address on which it listens. */
  readonly url: string;
  readonly application: Application;
  /** A notice about the prices, for example that they are simulated; null when they are the market's own. */
  readonly notice: string | null;
  /** Stops accepting requests, finishes the running ones, and closes streams and storage. May be called twice. */
  close(): Promise<void>;
}

/** The address at which the server listens. */
export const addressOf = (server: Server): string => urlOf(server.address() as AddressInfo);

/** The most connections of one process of a server; behind a proxy all come from one address. */
const limitsOf = ({ CONNECTION_LIMITS: { total, address }, TRUST_PROXY }: ServerSettings) => ({
  ...{ total, address: TRUST_PROXY > 0 ? Infinity : address },
});

/** Which connections of clients a server takes. */
export function connectionsOf(
  settings: ServerSettings,
): Pick<HttpServerOptions, 'upgrades' | 'limits' | 'isBehindProxy' | 'newId'> {
  const ids = uuidV7Ids(systemClock);
  return {
    ...{ upgrades: asksForStreams, limits: limitsOf(settings), newId: () => ids.next() },
    isBehindProxy: settings.TRUST_PROXY > 0,
  };
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

/** Takes the connections in this process. */
async function listenHere(
  service: Service,
  settings: ServerSettings,
  log: Log,
  timers: Timers,
): Promise<Listening> {
  const drops = createDrops(log, (reason) => service.metrics.dropped(reason));
  const { server, drain } = httpServer(service.handler.app, {
    ...connectionsOf(settings),
    dropped: (...drop) => drops.count(...drop),
  });
  service.attach(server);
  await listen(server, settings.PORT, settings.HOST);
  const stopLogging = timers.every(DROPS_LOGGED, () => drops.logCounts());
  return {
    at: server.address() as AddressInfo,
    async drain() {
      await drained(server, drain);
      stopLogging();
      drops.logCounts();
    },
  };
}

/** Lets processes of their own take them (contract 17, `FRONTS`). */
async function listenAtFronts(
  { handler, application, metrics, attach }: Service,
  settings: ServerSettings,
  log: Log,
): Promise<Listening> {
  const { FRONTS: count, HOST: host, PORT: port, TRUST_PROXY, LOG_LEVEL } = settings;
  const upgrades = new EventEmitter();
  attach(upgrades);
  const { total, address } = limitsOf(settings);
  return openFronts({
    ...{ count, log, withheld: SETTING_NAMES },
    front: {
      ...{ host, port, trustProxy: TRUST_PROXY, logLevel: LOG_LEVEL },
      limits: { total: Math.ceil(total / count), address },
    },
    service: { id: SERVER, handler, upgrades, deliveries: application.requests },
    dropped: (reason) => metrics.dropped(reason),
  });
}

async function openWith(
  composition: Composition,
  settings: ServerSettings,
  log: Log,
  ownsFile: boolean,
): Promise<RunningServer> {
  let listening: Listening | undefined;
  const service = await openService(composition, {
    ...{ settings, log, ownsFile, patience: PATIENCE },
    listeningAt: () => (listening ? urlOf(listening.at) : ''),
  });
  const shutDown = async (): Promise<void> => {
    await Promise.all([listening?.drain(), service.retire()]);
    await service.close();
    log.info({}, 'stopped');
  };

  try {
    const through = settings.FRONTS > 0 ? listenAtFronts : listenHere;
    listening = await through(service, settings, log, composition.container.get(TIMERS));
  } catch (error) {
    await shutDown();
    throw error;
  }
  const url = urlOf(listening.at);
  if (settings.PORT === 0) service.listensAt(listening.at.port);
  log.info({ url, market: settings.MARKET, tradingHours: settings.TRADING_HOURS }, 'listening');
  const { application, notice } = service;
  return { url, application, notice, close: once(shutDown) };
}
