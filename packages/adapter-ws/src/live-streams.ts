import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import type { Clock, Event, Events, Log } from '@slipstream/ports';
import { AUTHENTICATION_FAILED, envelope, requestFailed, tokenOf } from '@slipstream/wire';
import { type WebSocket, WebSocketServer } from 'ws';
import { Connection } from './connection.js';
import { gatheredWrites } from './gathered-writes.js';
import { type Session, type Streams, serveSession } from './session.js';
import type { StreamedApplication } from './streamed-application.js';
import { type Timers, hostTimers } from './timers.js';
import { Topics } from './topics.js';

const HEARTBEAT = 30_000;
/** A client's frame (contract 6). */
const MAX_FRAME = 16 * 1024;

export interface LiveStreamsOptions {
  readonly application: StreamedApplication;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  readonly timers?: Timers;
  /** Origins of pages that may connect, beside those of this server. */
  readonly origins?: readonly string[];
  /** More connections are refused. */
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
  const origins = new Set(options.origins);
  const topics = new Topics(application, timers);
  const streams: Streams = { application, topics, clock, log };
  const writes = gatheredWrites();
  const sessions = new Map<Connection, Session>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    perMessageDeflate: false,
    clientTracking: false,
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
    caller: Caller,
    token: string | undefined,
  ): void {
    const connection = new Connection(socket, timers, to && { to, writes });
    connection.caller = caller;
    connection.token = token;
    const session = serveSession(streams, connection);
    sessions.set(connection, session);
    socket.on('message', (data: Buffer, isBinary) => {
      session.receive(isBinary ? undefined : data.toString());
    });
    socket.on('pong', () => {
      connection.alive = true;
    });
    socket.on('error', (error) => log.warn({ error: error.message }, 'a live stream broke'));
    socket.on('close', () => {
      session.leave();
      sessions.delete(connection);
      if (sessions.size === 0) allGone?.();
    });
  }

  /** Refuses the upgrade with the envelope; undefined when it may go on. */
  function refusal(request: IncomingMessage): [status: string, response: string] | undefined {
    if (request.url?.split('?')[0] !== '/ws') {
      return ['404 Not Found', requestFailed('there is no such path')];
    }
    if (draining || sessions.size >= maxConnections) {
      return ['503 Service Unavailable', requestFailed('no further connection, try again later')];
    }
    const { origin, host } = request.headers;
    if (origin !== undefined && !origins.has(origin) && !isOwn(origin, host)) {
      return ['400 Bad Request', requestFailed('this origin may not connect')];
    }
    return undefined;
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refused = refusal(request);
    if (refused) {
      refuse(socket, ...refused);
      return;
    }
    const token = tokenOf(request.headers.authorization);
    try {
      const caller = await application.authenticate(token);
      sockets.handleUpgrade(request, socket, head, (client) =>
        welcome(client, socket, caller, token),
      );
    } catch (error) {
      if (error instanceof Refusal) {
        refuse(socket, '401 Unauthorized', AUTHENTICATION_FAILED);
      } else {
        log.error({ error: String(error) }, 'an upgrade failed');
        refuse(socket, '503 Service Unavailable', requestFailed('nothing was done, try again'));
      }
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
      welcome(socket, undefined, await application.authenticate(token), token);
    },
    connections: () => sessions.size,
    async close() {
      draining = true;
      unsubscribe();
      stopBeating();
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

function refuse(socket: Duplex, status: string, response: string): void {
  const body = envelope(false, response);
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
