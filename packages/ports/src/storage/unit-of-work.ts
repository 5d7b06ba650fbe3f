import type { AlertStore } from '../alerts/alert-store.js';
import type { AuditStore } from '../audit/audit-store.js';
import type { BookStore, OrderStore, TradeStore } from '../trading/book-store.js';
import type { BotOrderStore, BotStore, BrokerAccountStore } from '../mirroring/bot-store.js';
import type { IdempotencyRecordStore } from './kept-answer-store.js';
import type { KeyProofStore } from './key-proof-store.js';
import type { AccountCodeStore } from '../accounts/account-code-store.js';
import type { MailStore } from '../messages/mail.js';
import type { NotificationStore } from '../messages/notification-store.js';
import type {
  EarningStore,
  InvoiceStore,
  PaymentSourceStore,
  WithdrawalStore,
} from '../billing/payment-stores.js';
import type { LikeStore, PostStore } from '../social/post-store.js';
import type { AdjustmentStore, StockActionStore } from '../market/stock-action-store.js';
import type { QuoteStore, StockStore } from '../market/stock-store.js';
import type { StrategyStore, SubscriptionStore } from '../strategies/strategy-store.js';
import type { TallyStore } from '../accounts/tally-store.js';
import type { TrackStore } from '../performance/track-store.js';
import type { TokenStore, UserStore } from '../accounts/user-store.js';
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
  readonly stocks: StockStore;
  readonly quotes: QuoteStore;
  readonly bots: BotStore;
  readonly botOrders: BotOrderStore;
  readonly brokerAccounts: BrokerAccountStore;
  readonly stockActions: StockActionStore;
  readonly adjustments: AdjustmentStore;
  readonly track: TrackStore;
  readonly audit: AuditStore;
  readonly alerts: AlertStore;
  readonly keptAnswers: IdempotencyRecordStore;
  readonly keyProof: KeyProofStore;
  readonly tallies: TallyStore;
  readonly notifications: NotificationStore;
  readonly posts: PostStore;
  readonly likes: LikeStore;
  readonly mails: MailStore;
  readonly accountCodes: AccountCodeStore;
  readonly paymentSources: PaymentSourceStore;
  readonly invoices: InvoiceStore;
  readonly earnings: EarningStore;
  readonly withdrawals: WithdrawalStore;
}

/** The stores without what writes. */
export type ReadStores = {
  readonly [Name in keyof Stores]: Omit<Stores[Name], 'add' | 'save' | 'remove'>;
};

/** On what terms a work is done. */
export interface Terms<T> {
  /** When false as the work is to begin, it is refused as `StorageUnavailable`; one that has begun ends. */
  readonly wanted?: (() => boolean) | undefined;
  /**
   * Called with the answer when the writes are durable, in the order of the commits: before the work resolves, and before
   * this is called for a later one. It does not throw.
   */
  readonly committed?: ((answer: T) => void) | undefined;
}

/**
 * Stores are reached only through a unit of work, so no write escapes its transaction. Works run one after another, in
 * the order of `run`. Nothing inside awaits anything but stores; a work may be run again, so it changes nothing outside
 * before `run` has resolved. Neither method may be called inside a work: one that waits for another is given up.
 */
export interface UnitOfWork {
  /** All of the work's writes become durable together before it resolves, or none when the work throws (with what it threw). */
  run<T>(work: (stores: Stores) => Promise<T>, terms?: Terms<T>): Promise<T>;
  /** Sees committed state only, all of one moment. */
  read<T>(work: (stores: ReadStores) => Promise<T>): Promise<T>;
}

/** What an adapter opens: a unit of work, and its end. */
export interface Storage extends UnitOfWork {
  /** Resolves when the works that were asked for are done; later ones are refused as `StorageUnavailable`. May be called twice. */
  close(): Promise<void>;
}

/** Nothing was done because the storage could not (full, locked, gone): try again. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
