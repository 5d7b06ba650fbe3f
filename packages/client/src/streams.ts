import { connect } from '#live-connection';
import type { ChannelKind } from '@slipstream/wire';
import { MAX_CHANNELS, secondsToWait } from '@slipstream/wire/routes';
import type { Closed, LiveConnection } from './live-connection.js';
import type { ChannelName, Listener, StreamEvent } from './stream-events.js';
import { type Timers, backoff } from './timers.js';

/** Options of the live streams of a client. */
export interface StreamsOptions {
  /** False ends the streams with their first connection; by default they reconnect. */
  readonly reconnect?: boolean;
  /** Called when the connection opens, and when it was lost and reconnects. */
  readonly onConnection?: (state: 'open' | 'lost', reason: string) => void;
}

/** Live streams (contract 6) that outlive their connection: it is opened again, and every channel begins with a snapshot again. */
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

/** Whether the frame is not in the snapshot already. Values are of the book's present version, which the snapshot may have. */
const isNews = ({ event, version = 0 }: Frame, snapshot: number | undefined): boolean =>
  snapshot !== undefined && (event === 'valued' ? version >= snapshot : version > snapshot);

/** Into how many parts a refused request is split. */
const PARTS = 4;
/** With more channels the parts wait a second: the service ends a connection with more than 250 frames and channels in one. */
const AT_ONCE = 25;
const SECOND = 1_000;
/** The service counts by the minute. */
const LONGEST_PAUSE = 60 * SECOND;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;

/** Milliseconds after which the same request may succeed; undefined if it will not. */
function waitSaidBy(sentence: string): number | undefined {
  const seconds = secondsToWait(sentence);
  return seconds === undefined ? undefined : Math.min(seconds * SECOND, LONGEST_PAUSE);
}

const partsOf = (channels: readonly string[]): string[][] => {
  const length = Math.ceil(channels.length / PARTS);
  const starts = Array.from({ length: PARTS }, (_, part) => part * length);
  return starts.map((start) => channels.slice(start, start + length));
};

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
  let isServed = false;
  let isRunning = false;
  let lastId = 0;
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
    if (action === 'subscribe') asked.set(id, channels);
    connection?.send({ id, action, channels });
  }

  function renew(): void {
    renewal = String(++lastId);
    connection?.send({ id: renewal, action: 'authenticate', token });
  }

  function receive(text: string): void {
    isServed = true;
    const frame = JSON.parse(text) as Frame;
    if (frame.channel !== undefined) dispatch(frame.channel, frame);
    else if (typeof frame.id === 'string') take(frame.id, frame);
  }

  function take(id: string, { success, response }: Frame): void {
    if (id === renewal && success !== true) return refuse(String(response));
    const channels = asked.get(id) ?? [];
    asked.delete(id);
    if (success === true) return;
    const wait = waitSaidBy(String(response));
    const [first, ...others] = channels;
    if (wait !== undefined) void askLater(partsOf(channels), wait);
    else if (first !== undefined && others.length === 0)
      end(first as ChannelName, String(response));
    else void askLater(partsOf(channels), subscriptions.size > AT_ONCE ? SECOND : 0);
  }

  /** Requests what is still wanted then, unless another connection has requested all of it. */
  async function askLater(parts: readonly (readonly string[])[], wait: number): Promise<void> {
    const current = connection;
    if (wait > 0) await timers.wait(wait, over.signal);
    if (connection !== current || !current?.isOpen()) return;
    for (const part of parts) {
      const wanted = part.filter((channel) => subscriptions.has(channel));
      ask('subscribe', wanted);
    }
  }

  function dispatch(channel: ChannelName, frame: Frame): void {
    const subscription = subscriptions.get(channel);
    if (!subscription) return;
    const { event, version = 0, data } = frame;
    if (event === 'ended') return leave(channel, subscription, (data as { reason: string }).reason);
    if (event === 'snapshot') subscription.version = version;
    else if (!isNews(frame, subscription.version)) return;
    subscription.listener(frame as StreamEvent);
  }

  /** The service sends no more of the channel; if only for now, it is requested again. */
  function leave(channel: ChannelName, subscription: Subscription, reason: string): void {
    const wait = waitSaidBy(reason);
    if (wait === undefined) return end(channel, reason);
    delete subscription.version;
    void askLater([[channel]], wait);
  }

  function end(channel: ChannelName, reason: string): void {
    const subscription = subscriptions.get(channel);
    subscriptions.delete(channel);
    subscription?.listener({ channel, event: 'ended', data: { reason } });
  }

  /** One connection from its beginning to its end. */
  async function connected(): Promise<Closed> {
    asked.clear();
    for (const subscription of subscriptions.values()) delete subscription.version;
    const used = token;
    connection = connect({ url, token, timers, receive });
    void connection.opened.then(() => {
      if (token !== used) renew();
      onConnection?.('open', url);
      ask('subscribe', [...subscriptions.keys()]);
    });
    const ended = await connection.closed;
    connection = undefined;
    return ended;
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let attempt = 1; !over.signal.aborted; attempt += 1) {
      isServed = false;
      const { isFinal, reason } = await connected();
      if (over.signal.aborted) break;
      if (isFinal || !reconnect) return stop(reason);
      if (isServed) attempt = 1;
      onConnection?.('lost', reason);
      await timers.wait(backoff(attempt, FIRST_WAIT, LONGEST_WAIT), over.signal);
    }
  }

  /** The token no longer counts. */
  function refuse(reason: string): void {
    stop(reason);
    connection?.close();
  }

  function stop(reason: string): void {
    over.abort();
    for (const channel of [...subscriptions.keys()]) end(channel as ChannelName, reason);
    finish(reason);
  }

  return {
    closed,
    subscribe(channel, listener) {
      if (over.signal.aborted) throw new Error('the streams are closed');
      if (subscriptions.has(channel)) throw new Error(`${channel} has a listener already`);
      if (subscriptions.size >= MAX_CHANNELS) throw new Error(`at most ${MAX_CHANNELS} channels`);
      const subscription: Subscription = { listener: listener as unknown as Listener };
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
      token = given;
      if (connection?.isOpen()) renew();
    },
    close() {
      subscriptions.clear();
      stop('closed');
      connection?.close();
    },
  };
}
