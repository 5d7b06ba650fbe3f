import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aesSecretBox, uuidV7Ids } from '@slipstream/adapter-crypto';
import {
  type LocalService,
  ServingNode,
  httpServer,
  linkServer,
  nodeFront,
} from '@slipstream/adapter-http';
import { type PostgresNode, drainPostgresNode, joinPostgres } from '@slipstream/adapter-sql';
import type { Application } from '@slipstream/application';
import { SECOND } from '@slipstream/domain';
import type { Log, SecretBox, Storage } from '@slipstream/ports';
import { type Adapters, closeAdapters, requireAdapters } from '../composition/adapters.js';
import { compose, once } from '../composition/compose.js';
import { createDrops } from '../monitoring/drops.js';
import { migratedTo } from '../composition/storage.js';
import { masterKeys } from '../composition/secret-key.js';
import { drained, hostOf, listen } from '../listening.js';
import { addressOf, connectionsOf } from '../serve.js';
import { type Service, openService, requireMarketNamed } from '../service.js';
import { SettingError } from '../settings/setting-error.js';
import type { ServerSettings } from '../settings/settings.js';
import { systemClock, systemTimers } from '../system.js';
import { comparedClock } from './compared-clock.js';
import { FollowedBooks } from './follow-books.js';
import { ownedBrokers } from './owned-brokers.js';

/** How long a request that has not come whole, or an answer from outside, may hold up the next node, in milliseconds. */
const PATIENCE = 300;
/** So long after the lease of a node that ended another one serves, in milliseconds. */
const TAKEN_OVER = 10_000;
/** How often dropped connections are logged, in milliseconds. */
const DROPS_LOGGED = 10_000;

/** One of several servers over a database, which listens. */
export interface RunningNode {
  /** The address on which it listens for clients. */
  readonly url: string;
  /** Resolves with the core when it owns the database and answers for all. */
  readonly serves: Promise<Application>;
  /** Lets another node serve, and ends. May be called twice. */
  close(): Promise<void>;
}

/** The settings of a node, and the database that they name. */
function databaseOf({ DATABASE_URL: url, NODE_URL: nodeUrl }: ServerSettings, adapters: Adapters) {
  if (url.kind !== 'postgres' || nodeUrl === undefined)
    throw new SettingError('NODE_URL needs a DATABASE_URL of PostgreSQL');
  if (adapters.unitOfWork)
    throw new SettingError('NODE_URL: several nodes share PostgreSQL, no storage of your own');
  return { database: url.url, nodeUrl: new URL(nodeUrl) };
}

/** Secrets as the running nodes seal them: a missing key file is not made. */
const secretBoxOf = async (settings: ServerSettings, log: Log): Promise<SecretBox> =>
  aesSecretBox(
    await masterKeys(settings, { isForeign: true, isUsed: () => Promise.resolve(true) }, log),
  );

/** Why nobody can listen there: the same codes of the server's own port are about HOST and PORT. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'its port is in use, by another server perhaps',
  EADDRNOTAVAIL: 'its host is not an address of this machine',
  EACCES: 'this user may not listen on its port',
};

async function listenForNodes(server: Server, nodeUrl: URL, host: string): Promise<void> {
  try {
    await listen(server, Number(nodeUrl.port), hostOf(nodeUrl) ?? host);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = REASONS[code];
    throw reason === undefined ? error : new SettingError(`NODE_URL: ${reason} (${code})`);
  }
}

/**
 * Opens one of several servers over a database. Each takes every request; the one that owns the database answers, and when
 * it ends another one does. `onEnded` is called when this one must end, with whether
 * that is a fault. The database is used through what `through` makes of
 * its storage.
 */
export async function openNode(
  settings: ServerSettings,
  log: Log,
  adapters: Adapters,
  onEnded: (isFault: boolean) => void,
  through: (storage: Storage) => Storage = (storage) => storage,
): Promise<RunningNode> {
  await requireAdapters(adapters, settings);
  const ids = uuidV7Ids(systemClock);
  let isStopping = false;
  let isOwner = (): boolean => false;
  let tellServes: (application: Application) => void = () => undefined;
  const serves = new Promise<Application>((resolve) => (tellServes = resolve));
  let service: Service | undefined;
  let local: LocalService | undefined;
  const localNow = (): LocalService | undefined => (isOwner() ? local : undefined);

  /** Joins the others. What was opened for it is closed where that fails. */
  const enter = async () => {
    const { database, nodeUrl } = databaseOf(settings, adapters);
    const secretBox = adapters.secretBox ?? (await secretBoxOf(settings, log));
    const link = linkServer(secretBox, () => (isStopping ? undefined : localNow()));
    await listenForNodes(link.server, nodeUrl, settings.HOST);
    nodeUrl.port = String((link.server.address() as AddressInfo).port);
    let joined: PostgresNode | undefined;
    try {
      joined = await joinPostgres({
        ...{ url: database, nodeUrl: nodeUrl.origin, lease: settings.LEASE_SECONDS * SECOND },
        onMigrated: migratedTo(log),
        onEnded: () => {
          log.error({}, 'another node took over, or the database has lost commits: this one ends');
          onEnded(true);
        },
        onDrained: () => {
          log.info({}, 'asked to end, so that another node serves');
          onEnded(false);
        },
      });
      // One that could not serve would be known when all others have ended.
      const lastRun = await joined.read(({ marketRuns }) => marketRuns.last());
      requireMarketNamed(lastRun, settings);
    } catch (error) {
      link.server.close();
      await joined?.end();
      throw error;
    }
    return { database, nodeUrl, secretBox, link, joined };
  };
  const { database, nodeUrl, secretBox, link, joined } = await enter().catch(
    async (error: unknown) => {
      // What one of them has open would keep a process that is at its end.
      await closeAdapters(adapters).catch(() => undefined);
      throw error;
    },
  );
  isOwner = () => joined.isOwner();
  let letting: Promise<unknown> | undefined;
  /** Ends as if it was drained, if it serves by a clock that jumped, and another node could serve. */
  const letAnotherServe = (): void => {
    if (service?.isSureOfTime() !== false) return;
    letting ??= drainPostgresNode(database, joined.id, 0)
      .catch((error: unknown) => log.warn({ error }, 'could not let another node serve'))
      .finally(() => (letting = undefined));
  };
  // A clock of the host's own need not show the time of day.
  const compared = adapters.clock
    ? undefined
    : comparedClock({
        ...{ clock: systemClock, timers: systemTimers, log },
        databaseTime: () => joined.databaseTime(),
        onFarApart: letAnotherServe,
      });
  const serving = new ServingNode({
    ...{ proofs: secretBox, isRemote: true, log, onStranger: () => onEnded(true) },
    owner: () => joined.owner(),
    self: joined.id,
    missedAfter: settings.LEASE_SECONDS * SECOND + TAKEN_OVER,
    onLeft: () => joined.look(),
  });
  const front = nodeFront({
    ...{ local: localNow, serving, log, newId: () => ids.next() },
    mayStream: () => joined.isLeased(),
    unready: () => compared?.fault() ?? null,
    wasDone: (...asked) => joined.wasDone(...asked),
    ...{ trustProxy: settings.TRUST_PROXY, hasHealth: true, carriesStreams: true },
  });
  const drops = createDrops(log, (reason) => service?.metrics.dropped(reason));
  const { server, drain } = httpServer(front.app, {
    ...connectionsOf(settings),
    dropped: (...drop) => drops.count(...drop),
  });
  front.attach(server);
  const stopLogging = systemTimers.every(DROPS_LOGGED, () => drops.logCounts());

  const followed = new FollowedBooks(joined, systemTimers, log);

  /** Serves over the storage that this node owns now. */
  const takeOver = async (storage: Storage): Promise<void> => {
    const unitOfWork = through(storage);
    const composition = await compose(
      settings,
      log,
      { ...adapters, secretBox, unitOfWork },
      { books: await followed.end(), brokers: (made) => ownedBrokers(made, isOwner) },
    );
    try {
      service = await openService(composition, {
        ...{ settings, log, ownsFile: false, patience: PATIENCE },
        listeningAt: () => addressOf(server),
        told: () => joined.toldOrders(),
      });
    } catch (error) {
      await composition.close();
      throw error;
    }
    if (settings.PORT === 0) service.listensAt((server.address() as AddressInfo).port);
    const upgrades = new EventEmitter();
    service.attach(upgrades);
    local = {
      ...{ id: joined.id, handler: service.handler, upgrades },
      deliveries: service.application.requests,
    };
    log.info({ node: joined.id }, 'this node serves');
    tellServes(service.application);
  };

  const close = once(async (): Promise<void> => {
    isStopping = true;
    stopLogging();
    compared?.stop();
    await Promise.all([taking, followed.end()]);
    front.endForwarded();
    await Promise.all([drained(server, () => drain(PATIENCE)), service?.retire(), link.leave()]);
    drops.logCounts();
    try {
      if (service) await service.close();
      else await closeAdapters(adapters);
    } finally {
      await joined.end();
      front.close();
      serving.stop();
      await link.close();
    }
    log.info({}, 'stopped');
  });

  let taking: Promise<void> = Promise.resolve();
  await listen(server, settings.PORT, settings.HOST).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const url = addressOf(server);
  log.info({ url, node: joined.id, nodeUrl: nodeUrl.origin }, 'listening');
  void joined.storage().then(
    (storage) => {
      if (isStopping) return;
      taking = takeOver(storage).catch((error: unknown) => {
        log.error({ error }, 'this node cannot serve: it ends');
        onEnded(true);
      });
    },
    (error: unknown) => {
      log.error({ error }, 'this node cannot join the others: it ends');
      onEnded(true);
    },
  );
  return { url, serves, close };
}
