import type { CountStore } from './count-store.js';
import type { BotHistoryStore } from '../mirroring/bot-history-store.js';
import type { AlertStore } from '../alerts/alert-store.js';
import type { AuditStore } from '../audit/audit-store.js';
import type { BookStore, OrderStore, TradeStore } from '../trading/book-store.js';
import type { Event, EventStore } from '../events.js';
import type { BotOrderStore, BotStore, BrokerAccountStore } from '../mirroring/bot-store.js';
import type { ConnectionStore } from '../mirroring/connection-store.js';
import type {
  DeliveryStore,
  EndpointEventStore,
  EndpointStore,
} from '../endpoints/endpoint-stores.js';
import type { HaltStore } from '../mirroring/halt-store.js';
import type { IdempotencyRecordStore } from './kept-answer-store.js';
import type { KeyProofStore } from './key-proof-store.js';
import type { AccountCodeStore } from '../accounts/account-code-store.js';
import type { PlanStore } from '../plans/plan-store.js';
import type { MailStore } from '../messages/mail.js';
import type { NotificationStore } from '../messages/notification-store.js';
import type {
  EarningStore,
  InvoiceStore,
  PaymentSourceStore,
  WithdrawalStore,
} from '../billing/payment-stores.js';
import type { LikeStore, PostStore } from '../social/post-store.js';
import type { DailyCloseStore } from '../market/daily-close-store.js';
import type { MarketRunStore } from '../market/market-run-store.js';
import type { AdjustmentStore, StockActionStore } from '../market/stock-action-store.js';
import type { AnnouncedActionStore, QuoteFeedStore } from '../market/announced-actions.js';
import type { MarketDayStore } from '../market/market-calendar.js';
import type { QuoteStore, StockStore } from '../market/stock-store.js';
import type { StrategyStore, SubscriptionStore } from '../strategies/strategy-store.js';
import type { TallyStore } from '../accounts/tally-store.js';
import type { AnchorStore } from '../performance/anchor-store.js';
import type { TrackStore } from '../performance/track-store.js';
import type { TokenStore, UserStore } from '../accounts/user-store.js';
import type { ClaimedHistoryStore } from '../performance/claimed-history-store.js';
import type { ValueDayStore } from '../performance/value-day-store.js';
import type { ValueHistoryStore } from '../performance/value-history-store.js';

/** All stores, inside one transaction. */
export interface Stores {
  readonly users: UserStore;
  readonly tokens: TokenStore;
  readonly strategies: StrategyStore;
  readonly subscriptions: SubscriptionStore;
  readonly books: BookStore;
  readonly orders: OrderStore;
  readonly trades: TradeStore;
  readonly valueHistory: ValueHistoryStore;
  readonly valueDays: ValueDayStore;
  readonly claimedHistories: ClaimedHistoryStore;
  readonly stocks: StockStore;
  readonly quotes: QuoteStore;
  readonly dailyCloses: DailyCloseStore;
  readonly marketRuns: MarketRunStore;
  readonly bots: BotStore;
  readonly botOrders: BotOrderStore;
  readonly botHistory: BotHistoryStore;
  readonly brokerAccounts: BrokerAccountStore;
  readonly halts: HaltStore;
  readonly connections: ConnectionStore;
  readonly stockActions: StockActionStore;
  readonly adjustments: AdjustmentStore;
  readonly announcedActions: AnnouncedActionStore;
  readonly quoteFeed: QuoteFeedStore;
  readonly marketDays: MarketDayStore;
  readonly track: TrackStore;
  readonly anchors: AnchorStore;
  readonly audit: AuditStore;
  readonly alerts: AlertStore;
  readonly keptAnswers: IdempotencyRecordStore;
  readonly keyProof: KeyProofStore;
  readonly tallies: TallyStore;
  readonly plans: PlanStore;
  readonly notifications: NotificationStore;
  readonly posts: PostStore;
  readonly likes: LikeStore;
  readonly mails: MailStore;
  readonly accountCodes: AccountCodeStore;
  readonly paymentSources: PaymentSourceStore;
  readonly invoices: InvoiceStore;
  readonly earnings: EarningStore;
  readonly withdrawals: WithdrawalStore;
  readonly endpoints: EndpointStore;
  readonly endpointEvents: EndpointEventStore;
  readonly deliveries: DeliveryStore;
  readonly counts: CountStore;
  readonly events: EventStore;
}

/** The methods that write: these three, and all that answer nothing. */
type WritesOf<Store> =
  | 'add'
  | 'save'
  | 'remove'
  | {
      [Name in keyof Store]: Store[Name] extends (...given: never[]) => Promise<void>
        ? Name
        : never;
    }[keyof Store];

/** The stores without the methods that write. */
export type ReadStores = {
  readonly [Name in keyof Stores]: Omit<Stores[Name], WritesOf<Stores[Name]>>;
};

/** Options of a transaction. */
export interface TransactionOptions<T> {
  /** Rejects with `StorageUnavailable` if this returns false before the transaction starts. A transaction that has started goes on. */
  readonly isWanted?: (() => boolean) | undefined;
  /**
   * Called with the answer when the writes are durable, in the order of the commits: before the transaction's events are
   * delivered, before `run` resolves, and before the callback of a later transaction. It must not throw.
   */
  readonly onCommit?: ((answer: T) => void) | undefined;
}

/**
 * Stores are reached only through a unit of work, so no write escapes its transaction. Transactions run one after another, in
 * the order of the calls of `run`. A callback awaits nothing but stores. It may run again, so it changes nothing outside
 * before `run` has resolved. It calls neither method: a transaction that waits for another is aborted.
 */
export interface UnitOfWork {
  /** All writes become durable together before it resolves. If the callback throws, none do, and `run` rejects with the same error. */
  run<T>(work: (stores: Stores) => Promise<T>, options?: TransactionOptions<T>): Promise<T>;
  /** Sees only committed state, all of it from one moment. */
  read<T>(work: (stores: ReadStores) => Promise<T>): Promise<T>;
  /**
   * Calls `listener` with each event of later commits, until the returned function is called: once each, in the order of the
   * commits and, in one, of `events.add`; after `onCommit`, before `run` resolves. A transaction that throws or cannot be
   * committed has no events. A listener that throws hinders nobody: neither the transaction nor the other listeners.
   */
  subscribe(listener: (event: Event) => void): () => void;
}

/** A unit of work that can be closed, as an adapter opens it. */
export interface Storage extends UnitOfWork {
  /** Resolves when the transactions in progress or waiting are done. Later ones reject with `StorageUnavailable`. May be called twice. */
  close(): Promise<void>;
}

/** The storage could not do it (full, locked, gone) and nothing was changed. The caller may try again. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
