import type { EventEmitter } from 'node:events';
import type { Event, OrdersChanged, Pause } from '@slipstream/ports';
import type { StrategyId, UserId } from '@slipstream/domain';
import type { WebSocket } from 'ws';
import { Connection } from './connections/connection.js';
import { corkedWrites } from './connections/corked-writes.js';
import { DEFAULT_STREAM_LIMITS, Roster } from './connections/roster.js';
import { type Client, Upgrades } from './connections/upgrades.js';
import type { LiveStreamsOptions } from './options.js';
import { StreamSession } from './session.js';
import type { CountedReads, FailedAuthentications, Streams } from './streams.js';
import type { Subscription } from './channels/subscription.js';
import { type StreamTimers, hostPause, hostTimers } from './timers.js';
import { Topics } from './channels/topics.js';
import { turnstile } from './channels/turnstile.js';

const HEARTBEAT = 30_000;
/** How often expired tokens are searched for, in memory. */
const EXPIRY_CHECK = 1_000;

type AccessChanged = Event & { readonly kind: 'access_changed' };

/** The live streams of contract 6, to be attached to the server that serves the operations. */
export class LiveStreams {
  private readonly topics: Topics;
  private readonly roster: Roster;
  private readonly streams: Streams;
  private readonly turn: () => Promise<void>;
  private readonly timers: StreamTimers;
  private readonly writes = corkedWrites();
  private readonly upgrades: Upgrades;
  private readonly stops: readonly (() => void)[];
  private allGone: (() => void) | undefined;
  private revocations = 0;

  constructor(private readonly options: LiveStreamsOptions) {
    const { application, events, clock, log, timers = hostTimers, pause = hostPause } = options;
    const { failures = notCounted, reads = readAtOnce(pause) } = options;
    this.timers = timers;
    this.roster = new Roster({ ...DEFAULT_STREAM_LIMITS, ...options.limits });
    this.turn = turnstile(pause);
    this.topics = new Topics(application, timers, clock, this.turn, log);
    this.streams = {
      ...{ application, topics: this.topics, clock, log, failures, reads, turn: this.turn },
      authenticated: (...who) => this.roster.authenticated(...who),
    };
    this.upgrades = new Upgrades(options, {
      ...{ roster: this.roster, timers, failures },
      revocations: () => this.revocations,
      accepted: (client) => this.openConnection(client),
    });
    this.stops = [
      events.subscribe((event) => this.onEvent(event)),
      timers.every(HEARTBEAT, () => this.heartbeats()),
      timers.every(EXPIRY_CHECK, () => {
        for (const [, session] of this.roster.entries()) void session.expire();
      }),
    ];
  }

  /**
   * Goes on with what other servers told before this one, in the order of each strategy, so that clients go on here after the
   * last event that they have. To be called before anybody is connected.
   */
  goOn(told: readonly OrdersChanged[]): void {
    this.topics.goOn(told);
  }

  /** Takes over upgrades; only those that ask for streams are accepted. */
  attach(server: EventEmitter): void {
    this.upgrades.attach(server);
  }

  /** Serves a client whose socket is open already; throws when the token is not valid. */
  async accept(socket: WebSocket, token: string | undefined): Promise<void> {
    const { revocations } = this;
    const caller = await this.options.application.requests.authenticate(token);
    const address = 'none';
    const from = { address, network: this.options.networkOf?.(address) ?? address };
    this.openConnection({ socket, to: undefined, from, caller, token, revocations });
  }

  /** How many clients are connected. */
  connections(): number {
    return this.roster.size;
  }

  /** Closes every connection (1001) and resolves when all have gone; one that does not answer is cut off after `patience` milliseconds. */
  async close(patience?: number): Promise<void> {
    this.upgrades.stop();
    for (const stop of this.stops) stop();
    if (this.roster.size === 0) return;
    const gone = new Promise<void>((resolve) => {
      this.allGone = resolve;
    });
    for (const connection of this.roster.connections())
      connection.close(1001, 'the server is stopping', patience);
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
    } else this.topics.publish(event);
  }

  /** Checks the access of the users concerned, a few at a time. They get nothing private before. */
  private checkAccess({ userId, strategyId, reason }: AccessChanged): void {
    if (strategyId === null) this.revocations += 1;
    for (const [connection, subscriptions] of this.concernedBy(userId, strategyId))
      void this.roster.sessionOf(connection)?.check(subscriptions, reason);
  }

  /** The channels to check, by connection: those of the strategy, or else all channels of the user. */
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
      void this.turn().then(() => heartbeat(connection, session, this.options.newId()));
  }

  private openConnection({ socket, to, from, caller, token, revocations }: Client): void {
    const { roster, timers, writes } = this;
    const connection = new Connection(socket, timers, from, to && { to, writes });
    connection.caller = caller;
    connection.token = token;
    const session = new StreamSession(this.streams, connection);
    roster.enter(connection, session);
    // It was told to nobody who was not connected yet.
    if (token !== undefined && revocations !== this.revocations)
      void session.check([], 'the token was revoked');
    socket.on('message', (data: Buffer, isBinary) => {
      session.receive(isBinary ? undefined : data.toString());
    });
    socket.on('pong', (word: Buffer) => connection.ponged(word.toString('latin1')));
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

function heartbeat(connection: Connection, session: StreamSession, word: string): void {
  if (connection.isOver) return;
  if (connection.ping(word)) void session.heartbeat();
  else connection.terminate();
}

const connectionsOf = (subscriptions: Iterable<Subscription>): Set<Connection> =>
  new Set([...subscriptions].map(({ connection }) => connection));

const isOf = ({ caller }: Connection, userId: UserId): boolean =>
  caller.kind === 'user' && caller.userId === userId;

const notCounted: FailedAuthentications = { failed: async () => undefined };

const readAtOnce = (pause: Pause): CountedReads => ({
  count: async () => undefined,
  inTurn: (_, __, read) => read(pause, undefined),
});
