import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpServerOptions, httpServer } from '@slipstream/adapter-http';
import { asksForStreams } from '@slipstream/adapter-ws';
import type { Application } from '@slipstream/application';
import type { Log } from '@slipstream/ports';
import type { Adapters } from './adapters.js';
import { type Composition, compose, once } from './compose.js';
import { TIMERS } from './container.js';
import { createDrops } from './monitoring/drops.js';
import { openService } from './service.js';
import type { ServerSettings } from './settings/settings.js';

/** How often dropped connections are logged, in milliseconds. */
const DROPS_LOGGED = 10_000;

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

/** The address at which the server listens. */
export function addressOf(server: Server): string {
  const { port, address, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Resolves when the server listens; rejects when it cannot. */
export const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

/** Resolves when every connection has ended; those that take too long are cut. */
export async function drained(server: Server, drain: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  drain();
  const impatience = setTimeout(() => server.closeAllConnections(), DRAIN);
  await closed;
  clearTimeout(impatience);
}

/** Which connections of clients a server takes. */
export function connectionsOf({
  CONNECTION_LIMITS: { total, address },
  TRUST_PROXY,
}: ServerSettings): Pick<HttpServerOptions, 'upgrades' | 'limits'> {
  return {
    upgrades: asksForStreams,
    limits: { total, address: TRUST_PROXY > 0 ? Infinity : address },
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

async function openWith(
  composition: Composition,
  settings: ServerSettings,
  log: Log,
  ownsFile: boolean,
): Promise<RunningServer> {
  const service = await openService(composition, {
    ...{ settings, log, ownsFile },
    listeningAt: () => addressOf(server),
  });
  const drops = createDrops(log, (reason) => service.metrics.dropped(reason));
  const { server, drain } = httpServer(service.handler.app, {
    ...connectionsOf(settings),
    dropped: (...drop) => drops.count(...drop),
  });
  service.attach(server);
  const timers = composition.container.get(TIMERS);
  const stopLogging = timers.every(DROPS_LOGGED, () => drops.logCounts());

  const shutDown = async (): Promise<void> => {
    stopLogging();
    await Promise.all([drained(server, drain), service.retire()]);
    drops.logCounts();
    await service.close();
    log.info({}, 'stopped');
  };

  try {
    await listen(server, settings.PORT, settings.HOST);
  } catch (error) {
    await shutDown();
    throw error;
  }
  const url = addressOf(server);
  if (settings.PORT === 0) service.listensAt((server.address() as AddressInfo).port);
  log.info({ url, market: settings.MARKET, tradingHours: settings.TRADING_HOURS }, 'listening');
  const { application, notice } = service;
  return { url, application, notice, close: once(shutDown) };
}
