import type { IncomingMessage } from 'node:http';
import type { Clock, Events, Log, Pause } from '@slipstream/ports';
import type { StreamLimits } from './connections/roster.js';
import type { StreamedApplication } from './streamed-application.js';
import type { CountedReads, FailedAuthentications } from './streams.js';
import type { StreamTimers } from './timers.js';

/** The streamed core, and the options of the streams. */
export interface LiveStreamsOptions {
  readonly application: StreamedApplication;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  readonly timers?: StreamTimers;
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
