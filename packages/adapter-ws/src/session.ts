import type { Caller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import type { Clock, Log, Pause } from '@slipstream/ports';
import {
  AUTHENTICATION_FAILED,
  type Channel,
  type ClientFrame,
  MAX_CHANNELS,
  clientFrame,
  parseChannel,
  parseJson,
  readRequest,
  requestFailed,
} from '@slipstream/wire';
import type { Connection } from './connection.js';
import { answerFrame, eventFrame } from './frames.js';
import { readSnapshot, requireScope, requireSight } from './rights.js';
import type { StreamedApplication } from './streamed-application.js';
import { Subscription } from './subscription.js';
import { tellDenied } from './tell-denied.js';
import type { Topics } from './topics.js';

/** What every session works with. */
export interface Streams {
  readonly application: StreamedApplication;
  readonly topics: Topics;
  readonly clock: Clock;
  readonly log: Log;
  readonly failures: FailedAuthentications;
  readonly reads: CountedReads;
  /** Lets checks of access through a few at a time, those of all connections together. */
  readonly turn: () => Promise<void>;
  /** Lets everybody else go first between two pages of a long list. */
  readonly pause: Pause;
  /** Notes who a connection is of from now on; refuses who has too many. */
  readonly authenticated: (connection: Connection, caller: Caller, token: string) => void;
}

/** Counts what streams read with the reads of the caller; answers for how many seconds there are too many. */
export interface CountedReads {
  count(caller: Caller, address: string, reads: number): Promise<number | undefined>;
}

/** Counts failed authentications of an address; answers for how many seconds there are too many, undefined within the limit. */
export interface FailedAuthentications {
  failed(address: string): Promise<number | undefined>;
}

/** Frames that may wait while earlier ones are served. */
const MAX_WAITING_FRAMES = 100;
/** What a client may ask for in one second: frames, and channels to subscribe to, for each is a snapshot to read. */
const MAX_A_SECOND = 250;
/** Close codes: 1008 a rule was broken, 1003 a kind of frame that is not taken, 1013 come again later. */
const POLICY = 1008;
const TRY_AGAIN = 1013;
const UNACCEPTABLE = 1003;
/** A snapshot counts as one read more for each so many bytes. */
const READ_BYTES = 64 * 1024;
const UNAVAILABLE = 'the server could not read it; subscribe again';

/** Serves one connection's frames, one after another, and its snapshots, one at a time. */
export function serveSession(streams: Streams, connection: Connection) {
  const { application, topics, clock, log, failures, reads, turn, pause } = streams;
  const snapshots: Subscription[] = [];
  let frames = Promise.resolve();
  let waiting = 0;
  let pumping = false;
  let checks = Promise.resolve();
  let second = 0;
  let asked = 0;

  /** Counts what the client asks for; ends the connection of one that asks for too much. */
  function requireCalm(things: number): void {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) [second, asked] = [now, 0];
    asked += things;
    if (asked > MAX_A_SECOND) connection.close(POLICY, 'too many frames or channels a second');
  }

  async function serve(text: string): Promise<void> {
    let id: string | null = null;
    let frame: ClientFrame | undefined;
    try {
      const given = parseJson(text);
      id = idOf(given);
      frame = readRequest(clientFrame, given);
      const response = await act(frame);
      connection.send(answerFrame(id, true, response));
    } catch (error) {
      const { caller, address } = connection;
      if (frame && error instanceof Refusal)
        tellDenied(application, { caller, address, frame }, error);
      connection.send(answerFrame(id, false, told(error)));
    }
    if (!pumping) void pumpSnapshots();
  }

  /** The sentence for the client; what is no refusal is for the log. */
  function told(error: unknown): string {
    if (error instanceof Refusal) {
      return error.code === 'unauthenticated'
        ? AUTHENTICATION_FAILED
        : requestFailed(error.message);
    }
    log.error({ error: String(error) }, 'a frame of a live stream failed');
    return requestFailed('nothing was done, try again');
  }

  async function act(frame: ClientFrame): Promise<{ readonly channels: readonly string[] }> {
    switch (frame.action) {
      case 'ping':
        return { channels: [...connection.subscriptions.keys()] };
      case 'authenticate':
        streams.authenticated(connection, await identify(frame.token), frame.token);
        await check([...connection.subscriptions.values()], 'the token was changed');
        return { channels: [...connection.subscriptions.keys()] };
      case 'subscribe':
        await subscribe([...new Set(frame.channels)]);
        return { channels: frame.channels };
      case 'unsubscribe':
        for (const name of frame.channels) drop(connection.subscriptions.get(name));
        return { channels: frame.channels };
    }
  }

  /** A client that guesses tokens is cut off, together with its address. */
  async function identify(token: string): Promise<Caller> {
    try {
      return await application.authenticate(token);
    } catch (error) {
      if (error instanceof Refusal && (await failures.failed(connection.address)) !== undefined)
        connection.close(POLICY, 'too many failed authentications');
      throw error;
    }
  }

  /** All of the channels or none. */
  async function subscribe(names: readonly string[]): Promise<void> {
    const fresh = names.filter((name) => !connection.subscriptions.has(name)).map(channelNamed);
    if (connection.subscriptions.size + fresh.length > MAX_CHANNELS) {
      throw new Refusal('too_many', `a connection may have ${MAX_CHANNELS} channels`);
    }
    for (const channel of fresh) requireScope(connection.caller, channel);
    requireCalm(fresh.length);
    if (connection.isOver) return;
    await requireWithin(fresh.length);
    for (const channel of fresh) {
      await turn();
      await requireSight(application, connection.caller, channel);
    }
    if (connection.isOver) return;
    for (const channel of fresh) {
      const subscription = new Subscription(connection, channel);
      connection.subscriptions.set(channel.name, subscription);
      topics.join(subscription);
      snapshots.push(subscription);
    }
  }

  /** Each channel is a snapshot to read. */
  async function requireWithin(snapshotsToRead: number): Promise<void> {
    const { caller, address } = connection;
    const seconds = await reads.count(caller, address, snapshotsToRead);
    if (seconds !== undefined)
      throw new Refusal('too_many', `too many requests, try again in ${seconds} s`);
  }

  function drop(subscription: Subscription | undefined): void {
    if (!subscription) return;
    connection.subscriptions.delete(subscription.channel.name);
    topics.leave(subscription);
  }

  /** Tells why nothing more comes, then lets go. */
  function end(subscription: Subscription, reason: string): void {
    if (subscription.isOver) return;
    const { channel, version } = subscription;
    drop(subscription);
    connection.send(eventFrame(channel.name, 'ended', version, clock.now(), { reason }).bytes);
  }

  async function pumpSnapshots(): Promise<void> {
    pumping = true;
    for (let next = snapshots.shift(); next; next = snapshots.shift()) {
      if (!next.isOver) await sendSnapshot(next);
    }
    pumping = false;
  }

  async function sendSnapshot(subscription: Subscription): Promise<void> {
    const { channel } = subscription;
    try {
      // A crowd that subscribes at once is served a few at a time.
      await turn();
      if (subscription.isOver) return;
      subscription.beginSnapshot();
      const counted = topics.counted(channel);
      const reader = { application, caller: connection.caller, turn: pause };
      const { version, data } = await readSnapshot(reader, channel, counted);
      await checked();
      if (subscription.isOver) return;
      const frame = eventFrame(channel.name, 'snapshot', version, clock.now(), data);
      const sent = connection.sendSnapshot(frame.bytes);
      subscription.endSnapshot(version);
      const { caller, address } = connection;
      await reads.count(caller, address, Math.floor(frame.bytes.length / READ_BYTES));
      await sent;
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ error: String(error) }, 'a snapshot failed');
      end(subscription, error instanceof Refusal ? error.message : UNAVAILABLE);
    }
  }

  /** Nothing goes out on the channels until it is known that the caller may still see them. */
  function check(subscriptions: readonly Subscription[], reason: string): Promise<void> {
    for (const subscription of subscriptions) subscription.hold();
    checks = checks.then(() => recheck(subscriptions, reason));
    return checks;
  }

  /** Resolves when no check is going on: what was read before one may no longer be told. */
  async function checked(): Promise<void> {
    for (let last; last !== checks;) {
      last = checks;
      await last;
    }
  }

  async function recheck(subscriptions: readonly Subscription[], reason: string): Promise<void> {
    await turn();
    const lost = await tokenIsLost();
    for (const subscription of subscriptions) {
      await turn();
      const seen = lost === false && (await isSeen(subscription));
      if (!seen) end(subscription, reason);
      subscription.release();
    }
    if (lost) connection.close(POLICY, 'the token is no longer valid');
    else if (lost === undefined) connection.close(TRY_AGAIN, 'the token could not be checked');
  }

  /** Asks again who the token stands for; its scope may have changed too. Undefined when that cannot be found out. */
  async function tokenIsLost(): Promise<boolean | undefined> {
    if (connection.token === undefined) return false;
    try {
      connection.caller = await application.authenticate(connection.token);
      return false;
    } catch (error) {
      if (error instanceof Refusal) return true;
      log.error({ error: String(error) }, 'a token could not be checked');
      return undefined;
    }
  }

  async function endIfLost(): Promise<void> {
    if (!(await tokenIsLost())) return;
    for (const subscription of [...connection.subscriptions.values()]) {
      end(subscription, 'the token is no longer valid');
    }
    connection.close(POLICY, 'the token is no longer valid');
  }

  /** False also when it cannot be found out: better a stream ends than that it tells too much. */
  async function isSeen({ channel }: Subscription): Promise<boolean> {
    try {
      requireScope(connection.caller, channel);
      await requireSight(application, connection.caller, channel);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ error: String(error) }, 'access check failed');
      return false;
    }
  }

  return {
    /** A frame of the client. */
    receive(data: string | undefined): void {
      if (data === undefined) {
        connection.close(UNACCEPTABLE, 'frames are JSON text');
      } else if (++waiting > MAX_WAITING_FRAMES) {
        connection.close(POLICY, 'too many frames at once');
      } else {
        requireCalm(1);
        if (connection.isOver) return;
        frames = frames.then(() => serve(data)).finally(() => waiting--);
      }
    },
    check,
    end,
    /** Lets go of everything, when the socket has closed. */
    leave(): void {
      for (const subscription of [...connection.subscriptions.values()]) drop(subscription);
    },
    /** Ends a connection whose token has expired, or that never had one. */
    async beat(): Promise<void> {
      connection.beats += 1;
      if (connection.token !== undefined) await endIfLost();
      else if (connection.beats > 1) connection.close(POLICY, 'authenticate first');
    },
    /** Ends a connection whose token has just expired: use may have put its end off, so it is asked. */
    async expire(): Promise<void> {
      const { caller } = connection;
      const end = caller.kind === 'user' ? caller.expiresAt : null;
      if (end !== null && end <= clock.now()) await endIfLost();
    },
  };
}

export type Session = ReturnType<typeof serveSession>;

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
