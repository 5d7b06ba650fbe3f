import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller } from '@slipstream/application';
import { Refusal, type StrategyId, type UserId } from '@slipstream/domain';
import type { Clock, Event, Events, Log, Pause } from '@slipstream/ports';
import { tokenOf } from '@slipstream/wire';
import { type WebSocket, WebSocketServer } from 'ws';
import { Connection } from './connection.js';
import { gatheredWrites } from './gathered-writes.js';
import { UpgradeRefused, refuse } from './refused-upgrade.js';
import { DEFAULT_STREAM_LIMITS, Roster, type StreamLimits } from './roster.js';
import {
  type CountedReads,
  type FailedAuthentications,
  type Session,
  type Streams,
  serveSession,
} from './session.js';
import type { StreamedApplication } from './streamed-application.js';
import { tellDenied } from './tell-denied.js';
import type { Subscription } from './subscription.js';
import { type Timers, hostPause, hostTimers } from './timers.js';
import { Topics } from './topics.js';
import { turnstile } from './turnstile.js';

const HEARTBEAT = 30_000;
/** How often it is looked whose token has expired; the look asks nobody. */
const EXPIRY_CHECK = 1_000;
/** A client's frame (contract 6). */
const MAX_FRAME = 16 * 1024;
/** A frame may come in so many fragments; each piece costs memory beside what is in it. */
const MAX_PIECES = 64;

export interface LiveStreamsOptions {
  readonly application: StreamedApplication;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  readonly timers?: Timers;
  /** Makes the id of each upgrade. */
  readonly newId: () => string;
  /** The client's address; the socket's unless told. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** The network that an address counts for; the address itself unless told. */
  readonly networkOf?: (address: string) => string;
  /** Failed authentications, counted with those of the operations; none are counted unless told. */
  readonly failures?: FailedAuthentications;
  /** What streams read, counted with the reads of the operations; nothing is counted unless told. */
  readonly reads?: CountedReads;
  /** By which names the server goes; any unless told. */
  readonly answersTo?: (host: string) => boolean;
  /** Origins of pages that may connect, beside those of this server. */
  readonly origins?: readonly string[];
  /** Further connections are refused. */
  readonly limits?: Partial<StreamLimits>;
  /** Told the status of each upgrade that is refused. */
  readonly refused?: (status: number) => void;
  /** Lets everything else go first; the host's next turn unless told. */
  readonly pause?: Pause;
}

type AccessChanged = Event & { readonly kind: 'access_changed' };

/** The live streams of contract 6, to be attached to the server that serves the operations. */
export interface LiveStreams {
  /** Takes over upgrades; only those that ask for streams are accepted. */
  attach(server: Server): void;
  /** Serves a client whose socket is open already; throws when the token is not valid. */
  accept(socket: WebSocket, token: string | undefined): Promise<void>;
  /** How many clients are connected. */
  connections(): number;
  /** Tells every client to go (1001) and resolves when all have gone. */
  close(): Promise<void>;
}

export function liveStreams(options: LiveStreamsOptions): LiveStreams {
  const { application, events, clock, log, timers = hostTimers, pause = hostPause } = options;
  const { newId, addressOf = addressOfSocket, networkOf = (address) => address } = options;
  const { failures = notCounted.failures, reads = notCounted.reads } = options;
  const origins = new Set(options.origins);
  const topics = new Topics(application, timers);
  const roster = new Roster({ ...DEFAULT_STREAM_LIMITS, ...options.limits });
  const turn = turnstile(pause);
  const streams: Streams = {
    ...{ application, topics, clock, log, failures, reads, turn, pause },
    authenticated: (...who) => roster.authenticated(...who),
  };
  const writes = gatheredWrites();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    maxFragments: MAX_PIECES,
    maxBufferedChunks: 16 * MAX_PIECES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const requestIds = new WeakMap<IncomingMessage, string>();
  sockets.on('headers', (headers, request) => {
    headers.push(`X-Request-Id: ${requestIds.get(request) ?? ''}`);
  });
  // Thrown within `handleUpgrade`: by itself it answers with HTML.
  sockets.on('wsClientError', ({ message }) => {
    throw new UpgradeRefused(400, 'invalid_request', `this is no WebSocket: ${message}`);
  });
  let draining = false;
  let allGone: (() => void) | undefined;

  const unsubscribe = events.subscribe((event) => {
    try {
      tell(event);
    } catch (error) {
      log.error({ error: String(error), event: event.kind }, 'an event could not be streamed');
    }
  });
  const stopBeating = timers.every(HEARTBEAT, () => {
    for (const [connection, session] of roster.entries())
      void turn().then(() => beat(connection, session));
  });

  const stopExpiring = timers.every(EXPIRY_CHECK, () => {
    for (const [, session] of roster.entries()) void session.expire();
  });

  function tell(event: Event): void {
    if (event.kind === 'access_changed') checkAccess(event);
    else if (event.kind === 'bot_deleted') {
      for (const subscription of topics.listeners('wsBot', event.botId)) {
        roster.sessionOf(subscription.connection)?.end(subscription, 'the bot was deleted');
      }
    } else topics.tell(event);
  }

  /** Those concerned are asked again, a few at a time; until the answer nothing private goes out to them. */
  function checkAccess({ userId, strategyId, reason }: AccessChanged): void {
    for (const [connection, subscriptions] of concernedBy(userId, strategyId))
      void roster.sessionOf(connection)?.check(subscriptions, reason);
  }

  /** Which channels of whom show what somebody's rights may have shrunk to: bots and messages are no strategy's. */
  function concernedBy(
    userId: UserId | null,
    strategyId: StrategyId | null,
  ): ReadonlyMap<Connection, readonly Subscription[]> {
    const showing = strategyId === null ? undefined : new Set(topics.listenersOf(strategyId));
    const everybody = userId === null ? roster.connections() : roster.ofUser(userId);
    const concerned = new Map<Connection, readonly Subscription[]>();
    for (const connection of showing ? connectionsOf(showing) : everybody) {
      if (userId !== null && !isOf(connection, userId)) continue;
      const all = [...connection.subscriptions.values()];
      concerned.set(connection, showing ? all.filter((one) => showing.has(one)) : all);
    }
    return concerned;
  }

  function beat(connection: Connection, session: Session): void {
    if (connection.isOver) return;
    if (!connection.alive) {
      connection.terminate();
      return;
    }
    connection.alive = false;
    connection.ping();
    void session.beat();
  }

  function welcome(
    socket: WebSocket,
    to: Duplex | undefined,
    address: string,
    caller: Caller,
    token: string | undefined,
  ): void {
    const from = { address, network: networkOf(address) };
    const connection = new Connection(socket, timers, from, to && { to, writes });
    connection.caller = caller;
    connection.token = token;
    const session = serveSession(streams, connection);
    roster.enter(connection, session);
    socket.on('message', (data: Buffer, isBinary) => {
      session.receive(isBinary ? undefined : data.toString());
    });
    socket.on('pong', () => {
      connection.alive = true;
    });
    // Nothing is wrong here: the client broke off, or broke the protocol.
    socket.on('error', (error) => log.info({ error: error.message }, 'a live stream broke'));
    socket.on('close', () => {
      session.leave();
      roster.leave(connection);
      if (roster.size === 0) allGone?.();
    });
  }

  function requireOpen(request: IncomingMessage): void {
    if (!asksForStreams(request)) {
      throw new UpgradeRefused(404, 'unknown_path', 'there is no such path');
    }
    if (draining || roster.isFull) {
      throw new UpgradeRefused(503, 'unavailable', 'no further connection, try again later');
    }
    const { origin, host } = request.headers;
    if (host !== undefined && options.answersTo?.(host) === false) {
      throw new UpgradeRefused(400, 'invalid_request', 'this server does not go by this name');
    }
    if (origin !== undefined && !origins.has(origin) && !isOwn(origin, host)) {
      throw new UpgradeRefused(400, 'invalid_request', 'this origin may not connect');
    }
  }

  /** Who asks to connect. An address that guesses tokens is slowed down. */
  async function identify(token: string | undefined, address: string): Promise<Caller> {
    try {
      return await application.authenticate(token);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const seconds = await failures.failed(address);
      if (seconds === undefined) throw error;
      throw new UpgradeRefused(429, 'rate_limited', 'too many requests, slow down', seconds);
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const requestId = newId();
    try {
      requireOpen(request);
      const address = addressOf(request);
      const token = tokenOf(request.headers.authorization);
      const caller = await identify(token, address);
      if (roster.isFull)
        throw new UpgradeRefused(503, 'unavailable', 'no further connection, try again later');
      roster.requireRoom(caller, networkOf(address));
      requestIds.set(request, requestId);
      sockets.handleUpgrade(request, socket, head, (client) =>
        welcome(client, socket, address, caller, token),
      );
    } catch (error) {
      const asked = { caller: ANONYMOUS, address: addressOf(request), requestId };
      if (error instanceof Refusal) tellDenied(application, asked, error);
      const status = refuse(socket, error, requestId, { log, timers });
      options.refused?.(status);
    }
  }

  return {
    attach(server) {
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        socket.on('error', () => socket.destroy());
        void upgrade(request, socket, head);
      });
    },
    async accept(socket, token) {
      welcome(socket, undefined, 'none', await application.authenticate(token), token);
    },
    connections: () => roster.size,
    async close() {
      draining = true;
      unsubscribe();
      stopBeating();
      stopExpiring();
      if (roster.size === 0) return;
      const gone = new Promise<void>((resolve) => {
        allGone = resolve;
      });
      for (const connection of roster.connections())
        connection.close(1001, 'the server is stopping');
      await gone;
    },
  };
}

/** True for the upgrades that are taken over here; all others are not this package's to answer. */
export const asksForStreams = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url?.split('?')[0] === '/ws' &&
  headers.upgrade?.trim().toLowerCase() === 'websocket';

const connectionsOf = (subscriptions: Iterable<Subscription>): Set<Connection> =>
  new Set([...subscriptions].map(({ connection }) => connection));

const isOf = ({ caller }: Connection, userId: UserId): boolean =>
  caller.kind === 'user' && caller.userId === userId;

/** Pages of this very server may always connect. */
function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

const addressOfSocket = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? 'unknown';

const ANONYMOUS: Caller = { kind: 'anonymous' };

const notCounted: { readonly failures: FailedAuthentications; readonly reads: CountedReads } = {
  failures: { failed: async () => undefined },
  reads: { count: async () => undefined },
};
