import type { LiveStreams } from '@slipstream/adapter-ws';
import type { Application } from '@slipstream/application';
import type { Decimal } from '@slipstream/domain';
import type { Client } from './client.js';
import type { HandTimers } from '../world/hand-timers.js';
import type { Life } from './life.js';

/** One life of the core, from a start to a crash. */
export interface Process extends Life {
  readonly application: Application;
  readonly streams: LiveStreams;
  readonly timers: HandTimers;
  readonly clients: Client[];
  /** The running core's value of the strategy; null if it has none. */
  valueOf(strategyId: string): Decimal | null;
  /** True while a split of the stock is in progress. */
  hidesQuotesOf(stockId: string): boolean;
  /** Lets the process that will be the next one read the books; between two calls it knows old ones. */
  follow(): Promise<void>;
  kill(): void;
}
