import type {
  Earning,
  EarningTotals,
  Invoice,
  InvoiceId,
  InvoiceStatus,
  Money,
  PaymentSource,
  PaymentSourceId,
  SubscriptionId,
  Timestamp,
  UserId,
  Withdrawal,
  WithdrawalId,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Stores payment sources, deleted ones too, because invoices show them. */
export interface PaymentSourceStore {
  find(sourceId: PaymentSourceId): Promise<PaymentSource | undefined>;
  /** Newest first, ties by the later id, deleted ones too. */
  listOf(userId: UserId): Promise<PaymentSource[]>;
  /** Whose `dueAt` is at or before `now`, longest due first, ties by id. */
  due(now: Timestamp, limit: number): Promise<PaymentSource[]>;
  save(source: PaymentSource): Promise<void>;
}

/** The filters of getInvoices; an absent one does not filter. */
export interface InvoiceFilter {
  readonly invoiceIds?: readonly InvoiceId[] | undefined;
  readonly sourceId?: PaymentSourceId | undefined;
  readonly status?: InvoiceStatus | undefined;
}

/** Stores invoices for ever. */
export interface InvoiceStore {
  find(invoiceId: InvoiceId): Promise<Invoice | undefined>;
  /** A user's invoices, newest first, ties by the later id. */
  list(userId: UserId, filter: InvoiceFilter, page: Page): Promise<Invoice[]>;
  /** Newest first, ties by the later id. */
  listOfSubscription(subscriptionId: SubscriptionId): Promise<Invoice[]>;
  /** The invoice that was paid by that charge. */
  findByCharge(chargeRef: string): Promise<Invoice | undefined>;
  /** Whose `dueAt` is at or before `now`, longest due first, ties by id. */
  due(now: Timestamp, limit: number): Promise<Invoice[]>;
  save(invoice: Invoice): Promise<void>;
}

/** The ledger of earnings: append-only. */
export interface EarningStore {
  /** Newest first, ties by the later id. */
  list(userId: UserId, page: Page): Promise<Earning[]>;
  /** Oldest first, ties by id. */
  ofInvoice(invoiceId: InvoiceId): Promise<Earning[]>;
  /** The sums of a user's rows in that money; `settled` sums the rows settled by `now`, and all of withdrawals. */
  totals(userId: UserId, money: Money, now: Timestamp): Promise<EarningTotals>;
  /**
   * Adds a row.
   * @throws if it exists already.
   */
  save(earning: Earning): Promise<void>;
}

/** Stores withdrawals for ever. */
export interface WithdrawalStore {
  find(withdrawalId: WithdrawalId): Promise<Withdrawal | undefined>;
  /** Newest first, ties by the later id. */
  list(userId: UserId, page: Page): Promise<Withdrawal[]>;
  /** A user's pending and processing withdrawals, newest first, ties by the later id. */
  listOpen(userId: UserId): Promise<Withdrawal[]>;
  /** Whose `dueAt` is at or before `now`, longest due first, ties by id. */
  due(now: Timestamp, limit: number): Promise<Withdrawal[]>;
  save(withdrawal: Withdrawal): Promise<void>;
}
