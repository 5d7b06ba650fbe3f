import { connect } from '#live-connection';
import type { ChannelKind } from '@slipstream/wire';
import {
  AUTHENTICATION_FAILED,
  MAX_CHANNELS,
  type ToldEvents,
  secondsToWait,
  toldEvents,
} from '@slipstream/wire/routes';
import type { Closed, LiveConnection } from './live-connection.js';
import type { ChannelName, Listener, StreamEvent } from './stream-events.js';
import { type Timers, backoff } from './timers.js';

/** Options of the live streams of a client. */
export interface StreamsOptions {
  /** False ends the streams with their first connection; by default they reconnect. */
  readonly reconnect?: boolean | undefined;
  /** Called when the connection opens, and when it was lost and reconnects. */
  readonly onConnection?: ((state: 'open' | 'lost', reason: string) => void) | undefined;
}

/**
 * Live streams (contract 6) that outlive their connection: it is opened again, and every channel begins with a snapshot again;
 * but orders go on after the last event, without one, while the service still knows what came since.
 */
export interface Streams {
  /** Gives the channel's events to the listener, one listener per channel; returns a function that ends this. */
  subscribe<Kind extends ChannelKind>(
    channel: ChannelName<Kind>,
    listener: Listener<Kind>,
  ): () => void;
  /** Goes on with another token of the same user, on the same connection: a session ends after an hour. */
  authenticate(token: string): void;
  /** Resolves with the reason when it is over for good: closed, or the token no longer counts. */
  readonly closed: Promise<string>;
  close(): void;
}

interface Subscription {
  readonly listener: Listener;
  /** Of the snapshot; undefined until it came. */
  version?: number;
  readonly told: ToldEvents;
}

interface Frame {
  readonly id?: string | null;
  readonly success?: boolean;
  readonly response?: unknown;
  readonly channel?: ChannelName;
  readonly event?: string;
  readonly version?: number;
  readonly data?: unknown;
}

/** What the service sends is always an object. */
function frameOf(text: string): Frame | undefined {
  try {
    return (JSON.parse(text) as Frame | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether the frame is not in the snapshot already. Values are of the book's present version, which the snapshot may have. */
const isNews = ({ event, version = 0 }: Frame, snapshot: number | undefined): boolean =>
  snapshot !== undefined && (event === 'valued' ? version >= snapshot : version > snapshot);

/**
 * A refused request is split into parts of so many channels, and such a part into single ones, each time after a second: in one
 * a connection may send 250 frames and channels.
 */
const PART = 25;
const SECOND = 1_000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;

export function openStreams(
  options: {
    readonly url: string;
    readonly token: string | undefined;
    readonly timers: Timers;
  } & StreamsOptions,
): Streams {
  const { url, timers, onConnection, reconnect = true } = options;
  let { token } = options;
  const subscriptions = new Map<string, Subscription>();
  const asked = new Map<string, readonly string[]>();
  const over = new AbortController();
  let connection: LiveConnection | undefined;
  /** Connections that ended since the service last sent something. */
  let losses = 0;
  let isRunning = false;
  let lastId = 0;
  /** What was told of the channel whose event came last; undefined once something else came. */
  let latest: ToldEvents | undefined;
  /** The id of the latest frame that authenticates: an earlier answer no longer matters. */
  let renewal: string | undefined;
  let finish: (reason: string) => void = () => undefined;
  const closed = new Promise<string>((resolve) => (finish = resolve));

  /**
   * Sends the requests of the channels. The service accepts all channels of a request or none, so after a refusal they are
   * requested in smaller parts.
   */
  function ask(action: 'subscribe' | 'unsubscribe', channels: readonly string[]): void {
    if (channels.length === 0) return;
    const id = String(++lastId);
    if (action === 'unsubscribe') return connection?.send({ id, action, channels });
    asked.set(id, channels);
    const after = Object.fromEntries(
      channels.map((name) => [name, subscriptions.get(name)?.told.after()]),
    );
    connection?.send({ id, action, channels, after });
  }

  function renew(): void {
    renewal = String(++lastId);
    connection?.send({ id: renewal, action: 'authenticate', token });
  }

  function receive(text: string): void {
    const frame = frameOf(text);
    // Not the service speaks: another connection may reach it, after a pause.
    if (!frame) return connection?.close();
    losses = 0;
    latest = undefined;
    if (frame.channel !== undefined) dispatch(frame.channel, frame);
    else if (typeof frame.id === 'string') take(frame.id, frame);
  }

  function take(id: string, { success, response }: Frame): void {
    const channels = asked.get(id) ?? [];
    asked.delete(id);
    if (success === true) return;
    if (id !== renewal) return lose(channels, String(response));
    // If it could not be checked, another connection begins with it.
    if (response === AUTHENTICATION_FAILED) stop(response);
    connection?.close();
  }

  /** The service sends none of the channels. If only for now, or one of several is to blame, they are requested again. */
  function lose(channels: readonly string[], reason: string): void {
    const seconds = secondsToWait(reason);
    if (seconds === undefined && channels.length === 1) end(channels[0] as ChannelName, reason);
    else void askLater(channels, seconds);
  }

  /** Requests what is still wanted then, in parts, unless another connection has requested all of it. */
  async function askLater(channels: readonly string[], seconds = 1): Promise<void> {
    const current = connection;
    await timers.wait(seconds * SECOND, over.signal);
    if (connection !== current) return;
    const wanted = channels.filter((channel) => subscriptions.has(channel));
    while (wanted.length > 0) ask('subscribe', wanted.splice(0, channels.length > PART ? PART : 1));
  }

  function dispatch(channel: ChannelName, frame: Frame): void {
    const subscription = subscriptions.get(channel);
    if (!subscription) return;
    const { event, version = 0, data } = frame;
    if (event === 'ended') return lose([channel], (data as { reason: string }).reason);
    if (event === 'snapshot') subscription.version = version;
    else if (!isNews(frame, subscription.version)) return;
    latest = subscription.told;
    if (latest.take(String(event), version)) subscription.listener(frame as StreamEvent);
  }

  function end(channel: ChannelName, reason: string): void {
    const subscription = subscriptions.get(channel);
    subscriptions.delete(channel);
    subscription?.listener({ channel, event: 'ended', data: { reason } });
  }

  /** One connection from its beginning to its end. */
  async function connected(): Promise<Closed> {
    asked.clear();
    const used = token;
    connection = connect({ url, token, timers, receive, pinged: () => (latest = undefined) });
    void connection.opened.then(() => {
      if (token !== used) renew();
      onConnection?.('open', url);
      ask('subscribe', [...subscriptions.keys()]);
    });
    const left = await connection.closed;
    connection = undefined;
    for (const { told } of subscriptions.values()) told.cut(told === latest);
    latest = undefined;
    return left;
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (!over.signal.aborted) {
      const { isFinal, reason } = await connected();
      if (over.signal.aborted) break;
      if (isFinal || !reconnect) return stop(reason);
      onConnection?.('lost', reason);
      // The service would close it again (1008) until there is a token or a channel.
      if (!token && subscriptions.size === 0) break;
      await timers.wait(backoff(++losses, FIRST_WAIT, LONGEST_WAIT), over.signal);
    }
    isRunning = false;
  }

  function stop(reason: string): void {
    over.abort();
    for (const channel of subscriptions.keys()) end(channel as ChannelName, reason);
    finish(reason);
  }

  return {
    closed,
    subscribe(channel, listener) {
      if (over.signal.aborted) throw new Error('the streams are closed');
      if (subscriptions.has(channel)) throw new Error(`${channel} has a listener already`);
      if (subscriptions.size >= MAX_CHANNELS) throw new Error(`at most ${MAX_CHANNELS} channels`);
      const subscription: Subscription = {
        listener: listener as unknown as Listener,
        told: toldEvents(),
      };
      subscriptions.set(channel, subscription);
      if (!isRunning) void run();
      else if (connection?.isOpen()) ask('subscribe', [channel]);
      return () => {
        if (subscriptions.get(channel) !== subscription) return;
        subscriptions.delete(channel);
        if (connection?.isOpen()) ask('unsubscribe', [channel]);
      };
    },
    authenticate(given) {
      token = given.trim();
      if (connection?.isOpen()) renew();
    },
    close() {
      subscriptions.clear();
      stop('closed');
      connection?.close();
    },
  };
}
