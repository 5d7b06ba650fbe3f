import type { Caller } from '@slipstream/application';
import type { Clock, Log, Pause } from '@slipstream/ports';
import type { Connection } from './connections/connection.js';
import { eventFrame } from './connections/frames.js';
import type { StreamedApplication } from './streamed-application.js';
import type { Subscription } from './channels/subscription.js';
import type { Topics } from './channels/topics.js';

/** Shared by the sessions of all connections. */
export interface Streams {
  readonly application: StreamedApplication;
  readonly topics: Topics;
  readonly clock: Clock;
  readonly log: Log;
  readonly failures: FailedAuthentications;
  readonly reads: CountedReads;
  /** Lets checks of access through a few at a time, those of all connections together. */
  readonly turn: () => Promise<void>;
  /** Assigns the connection to its caller; refuses a caller with too many. */
  readonly authenticated: (connection: Connection, caller: Caller, token: string) => void;
}

/** The reads of streams among those of the caller. */
export interface CountedReads {
  /** Counts them; returns for how many seconds the caller is over the limit. */
  count(caller: Caller, address: string, reads: number): Promise<number | undefined>;
  /**
   * Reads after all that the caller asked for earlier; whoever reads much rests between, so that others go first. `over`: for how
   * many seconds the caller is over the limit when its turn comes.
   */
  inTurn<Found>(
    caller: Caller,
    address: string,
    read: (rest: Pause, over: number | undefined) => Promise<Found>,
  ): Promise<Found>;
}

/** Counts failed authentications of an address; returns for how many seconds it is over the limit, undefined within it. */
export interface FailedAuthentications {
  failed(address: string): Promise<number | undefined>;
}

/** Close codes: 1008 a rule was broken, 1003 a kind of frame that is not taken, 1013 come again later. */
export const POLICY = 1008;
export const TRY_AGAIN = 1013;
export const UNACCEPTABLE = 1003;

export function dropSubscription(
  { topics }: Pick<Streams, 'topics'>,
  subscription: Subscription,
): void {
  subscription.connection.subscriptions.delete(subscription.channel.name);
  topics.leave(subscription);
}

/** Sends the client the reason why nothing more comes, then drops the subscription. */
export function endSubscription(
  streams: Pick<Streams, 'topics' | 'clock'>,
  subscription: Subscription,
  reason: string,
): void {
  if (subscription.isOver) return;
  const { channel, version, connection } = subscription;
  dropSubscription(streams, subscription);
  connection.send(
    eventFrame(channel.name, 'ended', version, streams.clock.now(), { reason }).bytes,
  );
}
