import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import type { Clock, Event, Events, Log } from '@slipstream/ports';
import { tokenOf } from '@slipstream/wire';
import { type WebSocket, WebSocketServer } from 'ws';
import { Connection } from './connection.js';
import { gatheredWrites } from './gathered-writes.js';
import { UpgradeRefused, refuse } from './refused-upgrade.js';
import { type FailedAuthentications, type Session, type Streams, serveSession } from './session.js';
import type { StreamedApplication } from './streamed-application.js';
import { tellDenied } from './tell-denied.js';
import { type Timers, hostTimers } from './timers.js';
import { Topics } from './topics.js';

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
  /** Failed authentications, counted with those of the operations; none are counted unless told. */
  readonly failures?: FailedAuthentications;
  /** Origins of pages that may connect, beside those of this server. */
  readonly origins?: readonly string[];
  /** More connections are refused; half of them may be of clients that have not authenticated yet. */
  readonly maxConnections?: number;
}

/** The live streams of contract 6, to be attached to the server that serves the operations. */
export interface LiveStreams {
  /** Takes over upgrades; only those to /ws are accepted. */
  attach(server: Server): void;
  /** Serves a client whose socket is open already; throws when the token is not valid. */
  accept(socket: WebSocket, token: string | undefined): Promise<void>;
  /** How many clients are connected. */
  connections(): number;
  /** Tells every client to go (1001) and resolves when all have gone. */
  close(): Promise<void>;
}

export function liveStreams(options: LiveStreamsOptions): LiveStreams {
  const { application, events, clock, log, timers = hostTimers, maxConnections = 10_000 } = options;
  const { newId, addressOf = addressOfSocket, failures = notCounted } = options;
  const origins = new Set(options.origins);
  const topics = new Topics(application, timers);
  const streams: Streams = { application, topics, clock, log, failures };
  const writes = gatheredWrites();
  const sessions = new Map<Connection, Session>();
  /** Connections that came without a token; those that authenticated since are let go of when there are too many. */
  const strangers = new Set<Connection>();
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
    for (const [connection, session] of sessions) beat(connection, session);
  });

  const stopExpiring = timers.every(EXPIRY_CHECK, () => {
    for (const session of sessions.values()) void session.expire();
  });

  function tell(event: Event): void {
    if (event.kind === 'access_changed') checkAccess(event);
    else if (event.kind === 'bot_deleted') {
      for (const subscription of topics.listeners('wsBot', event.botId)) {
        sessions.get(subscription.connection)?.end(subscription, 'the bot was deleted');
      }
    } else topics.tell(event);
  }

  /** Everyone concerned is asked again; until the answer nothing private goes out to them. */
  function checkAccess(event: Event & { kind: 'access_changed' }): void {
    for (const [connection, session] of sessions) {
      const { caller } = connection;
      if (event.userId !== null && !(caller.kind === 'user' && caller.userId === event.userId)) {
        continue;
      }
      const concerned = [...connection.subscriptions.values()].filter(
        ({ channel }) =>
          event.strategyId === null || channel.kind === 'wsBot' || channel.id === event.strategyId,
      );
      if (concerned.length > 0 || event.strategyId === null) {
        void session.check(concerned, event.reason);
      }
    }
  }

  function beat(connection: Connection, session: Session): void {
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
    const connection = new Connection(socket, timers, address, to && { to, writes });
    connection.caller = caller;
    connection.token = token;
    const session = serveSession(streams, connection);
    sessions.set(connection, session);
    if (token === undefined) strangers.add(connection);
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
      sessions.delete(connection);
      strangers.delete(connection);
      if (sessions.size === 0) allGone?.();
    });
  }

  function tooManyStrangers(): boolean {
    const most = Math.ceil(maxConnections / 2);
    if (strangers.size < most) return false;
    for (const connection of strangers) {
      if (connection.token !== undefined) strangers.delete(connection);
    }
    return strangers.size >= most;
  }

  function requireRoom(request: IncomingMessage): void {
    if (request.url?.split('?')[0] !== '/ws') {
      throw new UpgradeRefused(404, 'unknown_path', 'there is no such path');
    }
    const isStranger = request.headers.authorization === undefined;
    if (draining || sessions.size >= maxConnections || (isStranger && tooManyStrangers())) {
      throw new UpgradeRefused(503, 'unavailable', 'no further connection, try again later');
    }
    const { origin, host } = request.headers;
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
      requireRoom(request);
      const address = addressOf(request);
      const token = tokenOf(request.headers.authorization);
      const caller = await identify(token, address);
      requestIds.set(request, requestId);
      sockets.handleUpgrade(request, socket, head, (client) =>
        welcome(client, socket, address, caller, token),
      );
    } catch (error) {
      const asked = { caller: ANONYMOUS, address: addressOf(request), requestId };
      if (error instanceof Refusal) tellDenied(application, asked, error);
      refuse(socket, error, requestId, log);
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
    connections: () => sessions.size,
    async close() {
      draining = true;
      unsubscribe();
      stopBeating();
      stopExpiring();
      if (sessions.size === 0) return;
      const gone = new Promise<void>((resolve) => {
        allGone = resolve;
      });
      for (const connection of sessions.keys()) connection.close(1001, 'the server is stopping');
      await gone;
    },
  };
}

/** Pages of this very server may always connect. */
function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

const addressOfSocket = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? 'unknown';

const ANONYMOUS: Caller = { kind: 'anonymous' };

const notCounted: FailedAuthentications = { failed: async () => undefined };
