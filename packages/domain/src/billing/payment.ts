import type { Decimal } from '../numbers/decimal.js';
import type {
  EarningId,
  InvoiceId,
  PaymentSourceId,
  Timestamp,
  UserId,
  WithdrawalId,
} from '../ids.js';

/** When the gateway is asked again for an answer that did not come, in milliseconds. */
export const ASK_AGAIN_AFTER = 60_000;

/** Money goes `in` (it pays invoices) or `out` (it receives withdrawals). */
export const PAYMENT_DIRECTIONS = ['in', 'out'] as const;
export type PaymentDirection = (typeof PAYMENT_DIRECTIONS)[number];
/** `pending` waits for its owner to confirm it with the bank. */
export const PAYMENT_SOURCE_STATUSES = ['active', 'pending', 'deleted'] as const;

/** The name and address of a payment source: personal data, kept sealed (spec 2.8). */
export interface PaymentDetails {
  readonly name: string;
  readonly city: string;
  readonly country: string;
  readonly lineOne: string;
  readonly lineTwo: string;
  readonly district: string;
  readonly postal: string;
}

/** What a user pays with or is paid to (spec 2.8). */
export interface PaymentSource {
  readonly id: PaymentSourceId;
  readonly userId: UserId;
  /** For example `card`; the gateway's word. */
  readonly type: string;
  readonly direction: PaymentDirection;
  /** The one that is used; at most one of a user and direction. */
  readonly primary: boolean;
  /** How its owner recognizes it, for example `Visa ending in 4242`. */
  readonly description: string;
  /** `PaymentDetails`, sealed; null once deleted. */
  readonly sealedDetails: string | null;
  readonly status: (typeof PAYMENT_SOURCE_STATUSES)[number];
  /** What the gateway calls it; only the gateway reads it. */
  readonly gatewayRef: string;
  /** When the gateway is asked whether a pending one was confirmed; null when it is not. */
  readonly dueAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/**
 * Why an owner's balance changed. A refund or chargeback takes all that an invoice has left, `kept` adds what remains of it
 * after a refund in part, `reinstated` what a dispute that was won gives back.
 */
export const EARNING_KINDS = [
  'sale',
  'refund',
  'chargeback',
  'kept',
  'reinstated',
  'withdrawal',
  'withdrawal_returned',
] as const;

/** A row of the ledger of earnings, never changed; the balance is the sum. In USD, whole cents, signed. */
export interface Earning {
  readonly id: EarningId;
  /** Whose balance it changes. */
  readonly userId: UserId;
  readonly kind: (typeof EARNING_KINDS)[number];
  readonly invoiceId: InvoiceId | null;
  readonly withdrawalId: WithdrawalId | null;
  /** The owner's part. */
  readonly amount: Decimal;
  /** The service's part. */
  readonly commission: Decimal;
  /** From when it counts as settled. */
  readonly settlesAt: Timestamp;
  readonly createdAt: Timestamp;
}

/** The sums of a ledger. */
export interface EarningTotals {
  readonly balance: Decimal;
  /** Of the rows that have settled. */
  readonly settled: Decimal;
}

/** `processing` was handed to the gateway; its answer is not known. */
export const WITHDRAWAL_STATUSES = [
  'pending',
  'processing',
  'paid',
  'failed',
  'cancelled',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Earnings that are paid out; reserved in the ledger as long as it is not failed or cancelled. */
export interface Withdrawal {
  readonly id: WithdrawalId;
  readonly userId: UserId;
  /** USD, whole cents. */
  readonly amount: Decimal;
  readonly status: WithdrawalStatus;
  /** Where it goes; null in a pending one that was made before it was pinned from the beginning. */
  readonly sourceId: PaymentSourceId | null;
  /** Why it failed. */
  readonly reason: string | null;
  readonly dueAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}
