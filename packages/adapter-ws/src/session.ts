import type { Caller } from '@slipstream/application';
import { Refusal, SECOND } from '@slipstream/domain';
import {
  AUTHENTICATION_FAILED,
  type Channel,
  type ClientFrame,
  MAX_CHANNELS,
  NOTHING_DONE,
  clientFrame,
  parseChannel,
  parseJson,
  readRequest,
  requestFailed,
  tooManyRequests,
} from '@slipstream/wire';
import { AccessCheck } from './channels/access-check.js';
import type { Connection } from './connections/connection.js';
import { answerFrame } from './connections/frames.js';
import { requireScope, requireSight } from './channels/rights.js';
import { SnapshotQueue } from './channels/snapshot-queue.js';
import {
  POLICY,
  type Streams,
  UNACCEPTABLE,
  dropSubscription,
  endSubscription,
} from './streams.js';
import { Subscription } from './channels/subscription.js';
import { recordDenial } from './channels/record-denial.js';

/** Frames that may wait while earlier ones are served. */
const MAX_WAITING_FRAMES = 100;
/** A client's limits per second: frames, and subscribed channels, because each needs a snapshot. */
const MAX_A_SECOND = 250;

/** Serves one connection's frames, one after another. */
export class StreamSession {
  private readonly access: AccessCheck;
  private readonly snapshots: SnapshotQueue;
  private frames = Promise.resolve();
  private waiting = 0;
  /** The second that `requested` counts. */
  private second = 0;
  private requested = 0;

  constructor(
    private readonly streams: Streams,
    private readonly connection: Connection,
  ) {
    this.access = new AccessCheck(streams, connection);
    this.snapshots = new SnapshotQueue(streams, connection, this.access);
  }

  /** Takes a frame of the client; undefined when it was not text. */
  receive(data: string | undefined): void {
    if (data === undefined) {
      this.connection.close(UNACCEPTABLE, 'frames are JSON text');
    } else if (++this.waiting > MAX_WAITING_FRAMES) {
      this.connection.close(POLICY, 'too many frames at once');
    } else {
      this.enforceFrameRate(1);
      if (this.connection.isOver) return;
      this.frames = this.frames.then(() => this.serve(data)).finally(() => this.waiting--);
    }
  }

  /** Holds the channels back until it is certain that the caller may still see them. */
  check(subscriptions: readonly Subscription[], reason: string): Promise<void> {
    return this.access.check(subscriptions, reason);
  }

  end(subscription: Subscription, reason: string): void {
    endSubscription(this.streams, subscription, reason);
  }

  /** Drops every subscription, when the socket has closed. */
  leave(): void {
    for (const subscription of [...this.connection.subscriptions.values()])
      dropSubscription(this.streams, subscription);
  }

  /** Ends a connection whose token has expired, or that has neither a token nor a channel. */
  async heartbeat(): Promise<void> {
    this.connection.beats += 1;
    if (this.connection.token !== undefined) await this.access.endIfLost();
    else if (this.connection.beats > 1 && this.connection.subscriptions.size === 0)
      this.connection.close(POLICY, 'authenticate first, or subscribe to an open channel');
  }

  /** Ends a connection whose token has just expired. Use may have put its end off, so the token is checked first. */
  async expire(): Promise<void> {
    const { caller } = this.connection;
    const end = caller.kind === 'user' ? caller.expiresAt : null;
    if (end !== null && end <= this.streams.clock.now()) await this.access.endIfLost();
  }

  /** Counts the client's requests; ends the connection when there are too many. */
  private enforceFrameRate(requests: number): void {
    const now = Math.floor(this.streams.clock.now() / SECOND);
    if (now !== this.second) [this.second, this.requested] = [now, 0];
    this.requested += requests;
    if (this.requested > MAX_A_SECOND)
      this.connection.close(POLICY, 'too many frames or channels a second');
  }

  private async serve(text: string): Promise<void> {
    const { connection } = this;
    let id: string | null = null;
    let frame: ClientFrame | undefined;
    try {
      const given = parseJson(text);
      id = idOf(given);
      frame = readRequest(clientFrame, given);
      const response = await this.perform(frame);
      connection.send(answerFrame(id, true, response));
    } catch (error) {
      const { caller, address } = connection;
      if (frame && error instanceof Refusal)
        recordDenial(this.streams.application, { caller, address, frame }, error);
      connection.send(answerFrame(id, false, this.sentenceFor(error)));
    }
    void this.snapshots.start();
  }

  /** The sentence for the client; a fault goes to the log. */
  private sentenceFor(error: unknown): string {
    if (error instanceof Refusal) {
      return error.code === 'unauthenticated'
        ? AUTHENTICATION_FAILED
        : requestFailed(error.message);
    }
    this.streams.log.error({ error: String(error) }, 'could not handle a frame');
    return requestFailed(NOTHING_DONE);
  }

  private async perform(frame: ClientFrame): Promise<{ readonly channels: readonly string[] }> {
    const { subscriptions } = this.connection;
    switch (frame.action) {
      case 'ping':
        return { channels: [...subscriptions.keys()] };
      case 'authenticate': {
        const caller = await this.identify(frame.token);
        this.streams.authenticated(this.connection, caller, frame.token);
        await this.check([...subscriptions.values()], 'the token was changed');
        return { channels: [...subscriptions.keys()] };
      }
      case 'subscribe':
        await this.subscribe([...new Set(frame.channels)], frame.after ?? {});
        return { channels: frame.channels };
      case 'unsubscribe':
        for (const name of frame.channels) {
          const subscription = subscriptions.get(name);
          if (subscription) dropSubscription(this.streams, subscription);
        }
        return { channels: frame.channels };
    }
  }

  /** Disconnects a client that guesses tokens, and counts it against its address. */
  private async identify(token: string): Promise<Caller> {
    const { application, failures } = this.streams;
    try {
      return await application.requests.authenticate(token);
    } catch (error) {
      const isGuess = error instanceof Refusal;
      if (isGuess && (await failures.failed(this.connection.address)) !== undefined)
        this.connection.close(POLICY, 'too many failed authentications');
      throw error;
    }
  }

  /** Subscribes to all of the channels or to none. `after`: the versions that the client has of some of them. */
  private async subscribe(
    names: readonly string[],
    after: Readonly<Record<string, number>>,
  ): Promise<void> {
    const { connection, streams } = this;
    const other = Object.keys(after).find((name) => !names.includes(name));
    if (other !== undefined)
      throw new Refusal('invalid_field', `after names ${JSON.stringify(other)}, channels does not`);
    const fresh = names.filter((name) => !connection.subscriptions.has(name)).map(channelNamed);
    if (connection.subscriptions.size + fresh.length > MAX_CHANNELS) {
      throw new Refusal('too_many', `a connection may have ${MAX_CHANNELS} channels`);
    }
    for (const channel of fresh) requireScope(connection.caller, channel);
    this.enforceFrameRate(fresh.length);
    if (connection.isOver) return;
    await this.countReads(fresh.length);
    for (const channel of fresh) {
      await streams.turn();
      await requireSight(streams.application, connection.caller, channel);
    }
    if (connection.isOver) return;
    for (const channel of fresh) {
      const subscription = new Subscription(connection, channel, after[channel.name]);
      connection.subscriptions.set(channel.name, subscription);
      streams.topics.join(subscription);
      this.snapshots.add(subscription);
    }
  }

  /** Each channel is a snapshot to read. Refuses a caller that reads too much. */
  private async countReads(snapshots: number): Promise<void> {
    const { caller, address } = this.connection;
    const seconds = await this.streams.reads.count(caller, address, snapshots);
    if (seconds !== undefined) throw new Refusal('too_many', tooManyRequests(seconds));
  }
}

function channelNamed(name: string): Channel {
  const channel = parseChannel(name);
  if (!channel) throw new Refusal('invalid_field', `unknown channel ${JSON.stringify(name)}`);
  return channel;
}

/** The id to answer to, even when the rest of the frame is wrong. */
const idOf = (given: unknown): string | null =>
  typeof given === 'object' && given !== null && 'id' in given && typeof given.id === 'string'
    ? given.id.slice(0, 100)
    : null;
