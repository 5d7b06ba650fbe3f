import type { Quote } from '@slipstream/domain';
import type { BucketRow } from './invariants/rows.js';
import type { State } from './invariants/step.js';

/** What the simulation saw before, to tell what may not change any more. */
export interface Memory {
  /** Rows of orders that are closed. */
  readonly closed: Map<string, string>;
  /** What each open order waited for. */
  readonly waitsFor: Map<string, readonly string[]>;
  readonly versions: Map<string, number>;
  /** Rows of trades, which are never changed. */
  readonly trades: Map<string, string>;
  /** Status and condition of each bot. */
  readonly bots: Map<string, string>;
  /** What the bots' orders were filled by. */
  readonly botFills: Map<string, string>;
  /** Samples as they were read last, by strategy, start and length. */
  readonly buckets: Map<string, BucketRow>;
  /** What was answered, so that it must be there: each says what is missing. */
  readonly acknowledged: (() => string | undefined)[];
  /** Bots whose deletion was asked for. */
  readonly deletedBots: Set<string>;
  /** Orders in the bots' accounts that are not the bots'. */
  foreign: number;
  /** The quotes that the running core knows, by stock. */
  readonly knownQuotes: Map<string, Quote>;
  /** Which token could hear which channel as the step began. */
  readonly heard: Set<string>;
  /** What the books were when they were read last; undefined since one was written. */
  state: State | undefined;
  /** Errors that the core logged in this step. */
  readonly errors: string[];
}

export const newMemory = (): Memory => ({
  closed: new Map(),
  waitsFor: new Map(),
  versions: new Map(),
  trades: new Map(),
  bots: new Map(),
  botFills: new Map(),
  buckets: new Map(),
  acknowledged: [],
  deletedBots: new Set(),
  foreign: 0,
  knownQuotes: new Map(),
  heard: new Set(),
  state: undefined,
  errors: [],
});
