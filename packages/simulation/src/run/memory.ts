import type { Application } from '@slipstream/application';
import { CHAIN_BEGINNING, type ChainHead, type Decimal, type Quote } from '@slipstream/domain';
import type { AlertRow, BucketRow, IdempotencyRow, OrderRow } from '../world/rows.js';
import type { KeyedRequest } from './keyed-request.js';
import type { UserName } from '../story/story.js';

/** The fields of an alert. */
export type AlertInput = Parameters<Application['operations']['newOrderWebhook']>[1];

/** An alert as the charting platform sends it, and would send it again. */
export interface SentAlert {
  readonly by: UserName;
  readonly given: AlertInput;
  readonly body: string;
}

/** A strategy's book as its rows say. */
export interface BookState {
  readonly version: number;
  /** All its rows in one text. */
  readonly rows: string;
  readonly open: readonly string[];
  readonly orders: number;
  /** How many corporate actions it had: they may come to their end in any step. */
  readonly adjustments: number;
}

/** Every book, by strategy. */
export type BooksState = ReadonlyMap<string, BookState>;

/** What is known of alerts. */
export interface InboxMemory {
  /** What the charting platform sent, oldest first. */
  readonly sent: SentAlert[];
  /** Alerts whose answer arrived in this life of the core, their own or that of a repeat. */
  readonly heard: Set<string>;
  /** What had been heard when each was sent. */
  readonly heardBefore: Map<string, ReadonlySet<string>>;
  /** What each was answered, as text. */
  readonly answers: Map<string, string>;
  readonly rows: Map<string, AlertRow>;
  /** When each was stored, by a clock that is never set back. */
  readonly storedAt: Map<string, number>;
}

interface SentRequest {
  readonly name: string;
  readonly route: string;
  /** What was kept of it was sent. */
  readonly found: IdempotencyRow | undefined;
}

/** What is known of requests under Idempotency-Keys. */
export interface KeyMemory {
  /** All that were sent, oldest first. */
  readonly requests: KeyedRequest[];
  /** What was sent in this step, by what the core keeps it under. */
  readonly sent: SentRequest[];
  /** The answer to each that was answered, and when that was kept. */
  readonly answers: Map<string, { readonly text: string; readonly at: number }>;
}

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
  state: BooksState | undefined;
  readonly inbox: InboxMemory;
  readonly keys: KeyMemory;
  /** Status of each corporate action. */
  readonly actions: Map<string, string>;
  readonly adjustments: Set<string>;
  /** Ratios of the splits that the last commit brought, by strategy and stock. */
  readonly freshSplits: Map<string, readonly Decimal[]>;
  /** Open orders as they were seen last. */
  readonly figures: Map<string, OrderRow>;
  readonly withdrawals: Set<string>;
  /** How far the audit log was checked. */
  audited: ChainHead;
  /** Of each book, the version that the audit log was last asked about. */
  readonly auditedVersions: Map<string, number>;
  /** The tokens as they were at the last look, without their use. */
  auditedTokens: string | undefined;
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
  inbox: {
    sent: [],
    heard: new Set(),
    heardBefore: new Map(),
    answers: new Map(),
    rows: new Map(),
    storedAt: new Map(),
  },
  keys: { requests: [], sent: [], answers: new Map() },
  actions: new Map(),
  adjustments: new Set(),
  freshSplits: new Map(),
  figures: new Map(),
  withdrawals: new Set(),
  audited: CHAIN_BEGINNING,
  auditedVersions: new Map(),
  auditedTokens: undefined,
  errors: [],
});
