import { type Application, KnownBooks } from '@slipstream/application';
import {
  CHAIN_BEGINNING,
  type ChainHead,
  type Decimal,
  type FillMarket,
  type Quote,
} from '@slipstream/domain';
import type { AlertRow, BucketRow, IdempotencyRow, OrderRow } from '../world/rows.js';
import type { KeyedRequest } from './keyed-request.js';
import type { UserName } from '../story/story.js';
import type { SeenPace } from './seen-pace.js';

/** The fields of an alert. */
export type AlertInput = Parameters<Application['operations']['newOrderWebhook']>[1];

/** An alert as the charting platform sends it and may repeat it. */
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
  /** The number of its corporate actions: they may complete in any step. */
  readonly adjustments: number;
}

/** Every book, by strategy. */
export type BooksState = ReadonlyMap<string, BookState>;

/** What the simulation knows of alerts. */
export interface InboxMemory {
  /** The sent alerts, oldest first. */
  readonly sent: SentAlert[];
  /** Alerts whose answer, or that of a repeat, arrived in this life of the core. */
  readonly heard: Set<string>;
  /** For each alert, the ones heard before it was sent. */
  readonly heardBefore: Map<string, ReadonlySet<string>>;
  /** The answer to each, as text. */
  readonly answers: Map<string, string>;
  readonly rows: Map<string, AlertRow>;
  /** When each was stored, by a clock that is never set back. */
  readonly storedAt: Map<string, number>;
}

interface SentRequest {
  readonly name: string;
  readonly route: string;
  /** The stored answer when it was sent. */
  readonly found: IdempotencyRow | undefined;
}

/** What the simulation knows of requests under Idempotency-Keys. */
export interface KeyMemory {
  /** All sent requests, oldest first. */
  readonly requests: KeyedRequest[];
  /** The requests of this step, by the name under which the core stores the answer. */
  readonly sent: SentRequest[];
  /** The answer to each answered request, and when it was stored. */
  readonly answers: Map<string, { readonly text: string; readonly at: number }>;
}

/** What the simulation has seen, to recognise changes that are not allowed. */
export interface Memory {
  /** Rows of closed orders. */
  readonly closed: Map<string, string>;
  /** The prerequisites of each open order. */
  readonly waitsFor: Map<string, readonly string[]>;
  readonly versions: Map<string, number>;
  /** Rows of trades, which are never changed. */
  readonly trades: Map<string, string>;
  /** Status and condition of each bot. */
  readonly bots: Map<string, string>;
  /** The breach of each bot, as it is stored. */
  readonly breaches: Map<string, string>;
  /** Bots whose breach somebody asked to acknowledge since it was stored. */
  readonly acknowledgedBreaches: Set<string>;
  /** The trades of before each bot was started. */
  readonly tradesBefore: Map<string, ReadonlySet<string>>;
  /** The trades of before each order of a bot was planned. */
  readonly tradesAtPlan: Map<string, ReadonlySet<string>>;
  /** The pace of each active bot that has one. */
  readonly paces: Map<string, SeenPace>;
  /** The fills of the bots' orders. */
  readonly botFills: Map<string, string>;
  /** The last read samples, by strategy, start and length. */
  readonly buckets: Map<string, BucketRow>;
  /** The answered effects, which must be there: each function says what is missing. */
  readonly acknowledged: (() => string | undefined)[];
  /** Bots whose deletion was requested. */
  readonly deletedBots: Set<string>;
  /** Halts that were answered: from then on nothing that they hit is sent. */
  readonly answeredHalts: Set<string>;
  /** The number of orders in the bots' accounts that are not the bots'. */
  foreign: number;
  /** The quotes that the running core knows, by stock. */
  readonly knownQuotes: Map<string, Quote>;
  /** Which token could hear which channel at the beginning of the step. */
  readonly heard: Set<string>;
  /** The books when they were last read; undefined after one was written. */
  state: BooksState | undefined;
  readonly inbox: InboxMemory;
  readonly keys: KeyMemory;
  /** Status of each corporate action. */
  readonly actions: Map<string, string>;
  readonly adjustments: Set<string>;
  /** Status of each announced action. */
  readonly announced: Map<string, string>;
  /** The stocks that an announced action held at the last check. */
  readonly heldStocks: Set<string>;
  /** Ratios of the splits in the last commit, by strategy and stock. */
  readonly freshSplits: Map<string, readonly Decimal[]>;
  /** Open orders as last seen. */
  readonly figures: Map<string, OrderRow>;
  readonly withdrawals: Set<string>;
  /** Users who asked for the end of their account. */
  readonly leaving: Set<string>;
  /** The head of the checked part of the audit log. */
  audited: ChainHead;
  /** For each book, the version at the last check of the audit log. */
  readonly auditedVersions: Map<string, number>;
  /** The tokens at the last check, without their use. */
  auditedTokens: string | undefined;
  /** When this process computed owner_trades last; `failed` if it is not known when it tries again. */
  measuredAt: number | 'failed' | undefined;
  /** How often the core was started. */
  boots: number;
  /** What the process that waits for the end of this one knows of the books. */
  followed: KnownBooks;
  /** The kind of market of the running core. */
  market: FillMarket;
  /** Errors that the core logged in this step. */
  readonly errors: string[];
  /** Dividends that were paid to the last strategy in this step, also of a step before. */
  dividendsPaid: number;
  /** The strategies whose matching with a quote failed: the next command matches them first. */
  readonly behind: Set<string>;
}

export const newMemory = (): Memory => ({
  closed: new Map(),
  waitsFor: new Map(),
  versions: new Map(),
  trades: new Map(),
  bots: new Map(),
  tradesBefore: new Map(),
  tradesAtPlan: new Map(),
  paces: new Map(),
  breaches: new Map(),
  acknowledgedBreaches: new Set(),
  botFills: new Map(),
  buckets: new Map(),
  acknowledged: [],
  deletedBots: new Set(),
  answeredHalts: new Set(),
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
  announced: new Map(),
  heldStocks: new Set(),
  freshSplits: new Map(),
  figures: new Map(),
  withdrawals: new Set(),
  leaving: new Set(),
  audited: CHAIN_BEGINNING,
  auditedVersions: new Map(),
  auditedTokens: undefined,
  measuredAt: undefined,
  boots: 0,
  followed: newFollower(),
  market: 'push',
  errors: [],
  dividendsPaid: 0,
  behind: new Set(),
});

/** Nearly every book rests, so that each run meets what a large server meets. */
export const newFollower = (): KnownBooks => new KnownBooks(1);
