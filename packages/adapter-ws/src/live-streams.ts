import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller } from '@slipstream/application';
import { Refusal, type StrategyId, type UserId } from '@slipstream/domain';
import type { Clock, Event, Events, Log, Pause } from '@slipstream/ports';
import { tokenOf } from '@slipstream/wire';
import { type WebSocket, WebSocketServer } from 'ws';
import { Connection } from './connections/connection.js';
import { corkedWrites } from './connections/corked-writes.js';
import { UpgradeRefused, refuse } from './connections/refused-upgrade.js';
import { DEFAULT_STREAM_LIMITS, Roster, type StreamLimits } from './connections/roster.js';
import { StreamSession } from './session.js';
import type { CountedReads, FailedAuthentications, Streams } from './streams.js';
import type { StreamedApplication } from './streamed-application.js';
import { tellDenied } from './channels/tell-denied.js';
import type { Subscription } from './channels/subscription.js';
import { type Timers, hostPause, hostTimers } from './timers.js';
import { Topics } from './channels/topics.js';
import { turnstile } from './channels/turnstile.js';

const HEARTBEAT = 30_000;
/** How often expired tokens are searched for, in memory. */
const EXPIRY_CHECK = 1_000;
/** A client's frame (contract 6). */
const MAX_FRAME = 16 * 1024;
/** A frame may come in so many fragments; each piece costs memory beside what is in it. */
const MAX_PIECES = 64;

/** The streamed core, and the options of the streams. */
export interface LiveStreamsOptions {
  readonly application: StreamedApplication;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  readonly timers?: Timers;
  /** Makes the id of each upgrade. */
  readonly newId: () => string;
  /** The client's address; by default the socket's. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** The network that an address counts for; by default the address itself. */
  readonly networkOf?: (address: string) => string;
  /** Counts failed authentications with those of the operations; by default none. */
  readonly failures?: FailedAuthentications;
  /** Counts the reads of streams with those of the operations; by default none. */
  readonly reads?: CountedReads;
  /** The host names of the server; by default any. */
  readonly answersTo?: (host: string) => boolean;
  /** Origins of pages that may connect, beside those of this server. */
  readonly origins?: readonly string[];
  /** The limits of connections. */
  readonly limits?: Partial<StreamLimits>;
  /** Called with the status of each refused upgrade. */
  readonly refused?: (status: number) => void;
  /** Gives other tasks a turn; by default the host's next turn. */
  readonly pause?: Pause;
}

type AccessChanged = Event & { readonly kind: 'access_changed' };

/** The live streams of contract 6, to be attached to the server that serves the operations. */
export class LiveStreams {
  private readonly topics: Topics;
  private readonly roster: Roster;
  private readonly streams: Streams;
  private readonly turn: () => Promise<void>;
  private readonly timers: Timers;
  private readonly writes = corkedWrites();
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    maxFragments: MAX_PIECES,
    maxBufferedChunks: 16 * MAX_PIECES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  private readonly requestIds = new WeakMap<IncomingMessage, string>();
  private readonly origins: ReadonlySet<string>;
  private readonly stops: readonly (() => void)[];
  private isDraining = false;
  private allGone: (() => void) | undefined;

  constructor(private readonly options: LiveStreamsOptions) {
    const { application, events, clock, log, timers = hostTimers, pause = hostPause } = options;
    const { failures = notCounted.failures, reads = notCounted.reads } = options;
    this.timers = timers;
    this.origins = new Set(options.origins);
    this.topics = new Topics(application, timers);
    this.roster = new Roster({ ...DEFAULT_STREAM_LIMITS, ...options.limits });
    this.turn = turnstile(pause);
    this.streams = {
      ...{ application, topics: this.topics, clock, log, failures, reads, turn: this.turn, pause },
      authenticated: (...who) => this.roster.authenticated(...who),
    };
    this.sockets.on('headers', (headers, request) => {
      headers.push(`X-Request-Id: ${this.requestIds.get(request) ?? ''}`);
    });
    // Thrown within `handleUpgrade`: by itself it answers with HTML.
    this.sockets.on('wsClientError', ({ message }) => {
      throw new UpgradeRefused(400, 'invalid_request', `this is no WebSocket: ${message}`);
    });
    this.stops = [
      events.subscribe((event) => this.onEvent(event)),
      timers.every(HEARTBEAT, () => this.heartbeats()),
      timers.every(EXPIRY_CHECK, () => {
        for (const [, session] of this.roster.entries()) void session.expire();
      }),
    ];
  }

  /** Takes over upgrades; only those that ask for streams are accepted. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      void this.upgrade(request, socket, head);
    });
  }

  /** Serves a client whose socket is open already; throws when the token is not valid. */
  async accept(socket: WebSocket, token: string | undefined): Promise<void> {
    const caller = await this.options.application.requests.authenticate(token);
    this.openConnection(socket, undefined, 'none', caller, token);
  }

  /** How many clients are connected. */
  connections(): number {
    return this.roster.size;
  }

  /** Closes every connection (1001) and resolves when all have gone. */
  async close(): Promise<void> {
    this.isDraining = true;
    for (const stop of this.stops) stop();
    if (this.roster.size === 0) return;
    const gone = new Promise<void>((resolve) => {
      this.allGone = resolve;
    });
    for (const connection of this.roster.connections())
      connection.close(1001, 'the server is stopping');
    await gone;
  }

  private onEvent(event: Event): void {
    try {
      this.stream(event);
    } catch (error) {
      const { log } = this.options;
      log.error(
        { error: String(error), event: event.kind },
        'could not publish an event to the live streams',
      );
    }
  }

  private stream(event: Event): void {
    if (event.kind === 'access_changed') this.checkAccess(event);
    else if (event.kind === 'bot_deleted') {
      for (const subscription of this.topics.listeners('wsBot', event.botId)) {
        this.roster.sessionOf(subscription.connection)?.end(subscription, 'the bot was deleted');
      }
    } else this.topics.tell(event);
  }

  /** Checks the access of the users concerned, a few at a time. They get nothing private before. */
  private checkAccess({ userId, strategyId, reason }: AccessChanged): void {
    for (const [connection, subscriptions] of this.concernedBy(userId, strategyId))
      void this.roster.sessionOf(connection)?.check(subscriptions, reason);
  }

  /** Which channels of whom show what somebody's rights may have shrunk to: bots and messages are no strategy's. */
  private concernedBy(
    userId: UserId | null,
    strategyId: StrategyId | null,
  ): ReadonlyMap<Connection, readonly Subscription[]> {
    const showing = strategyId === null ? undefined : new Set(this.topics.listenersOf(strategyId));
    const everybody = userId === null ? this.roster.connections() : this.roster.ofUser(userId);
    const concerned = new Map<Connection, readonly Subscription[]>();
    for (const connection of showing ? connectionsOf(showing) : everybody) {
      if (userId !== null && !isOf(connection, userId)) continue;
      const all = [...connection.subscriptions.values()];
      concerned.set(connection, showing ? all.filter((one) => showing.has(one)) : all);
    }
    return concerned;
  }

  private heartbeats(): void {
    for (const [connection, session] of this.roster.entries())
      void this.turn().then(() => heartbeat(connection, session));
  }

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { newId, application, log, addressOf = addressOfSocket } = this.options;
    const requestId = newId();
    try {
      this.requireOpen(request);
      const address = addressOf(request);
      const token = tokenOf(request.headers.authorization);
      const caller = await this.identify(token, address);
      if (this.roster.isFull) throw isFull();
      this.roster.requireRoom(caller, this.networkOf(address));
      this.requestIds.set(request, requestId);
      this.sockets.handleUpgrade(request, socket, head, (client) =>
        this.openConnection(client, socket, address, caller, token),
      );
    } catch (error) {
      const asked = { caller: ANONYMOUS, address: addressOf(request), requestId };
      if (error instanceof Refusal) tellDenied(application, asked, error);
      const status = refuse(socket, error, requestId, { log, timers: this.timers });
      this.options.refused?.(status);
    }
  }

  private requireOpen(request: IncomingMessage): void {
    if (!asksForStreams(request)) {
      throw new UpgradeRefused(404, 'unknown_path', 'there is no such path');
    }
    if (this.isDraining || this.roster.isFull) throw isFull();
    const { origin, host } = request.headers;
    if (host !== undefined && this.options.answersTo?.(host) === false) {
      throw new UpgradeRefused(400, 'invalid_request', 'this server does not go by this name');
    }
    if (origin !== undefined && !this.origins.has(origin) && !isOwn(origin, host)) {
      throw new UpgradeRefused(400, 'invalid_request', 'this origin may not connect');
    }
  }

  /** Authenticates the client of an upgrade. An address that guesses tokens is slowed down. */
  private async identify(token: string | undefined, address: string): Promise<Caller> {
    try {
      return await this.options.application.requests.authenticate(token);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const seconds = await this.streams.failures.failed(address);
      if (seconds === undefined) throw error;
      throw new UpgradeRefused(429, 'rate_limited', 'too many requests, slow down', seconds);
    }
  }

  private networkOf(address: string): string {
    return this.options.networkOf?.(address) ?? address;
  }

  private openConnection(
    socket: WebSocket,
    to: Duplex | undefined,
    address: string,
    caller: Caller,
    token: string | undefined,
  ): void {
    const { roster, timers, writes } = this;
    const from = { address, network: this.networkOf(address) };
    const connection = new Connection(socket, timers, from, to && { to, writes });
    connection.caller = caller;
    connection.token = token;
    const session = new StreamSession(this.streams, connection);
    roster.enter(connection, session);
    socket.on('message', (data: Buffer, isBinary) => {
      session.receive(isBinary ? undefined : data.toString());
    });
    socket.on('pong', () => {
      connection.alive = true;
    });
    // Nothing is wrong here: the client broke off, or broke the protocol.
    socket.on('error', (error) =>
      this.options.log.info({ error: error.message }, 'WebSocket error'),
    );
    socket.on('close', () => {
      session.leave();
      roster.leave(connection);
      if (roster.size === 0) this.allGone?.();
    });
  }
}

function heartbeat(connection: Connection, session: StreamSession): void {
  if (connection.isOver) return;
  if (!connection.alive) {
    connection.terminate();
    return;
  }
  connection.alive = false;
  connection.ping();
  void session.heartbeat();
}

const isFull = (): UpgradeRefused =>
  new UpgradeRefused(503, 'unavailable', 'no further connection, try again later');

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
