import type { Decimal } from '../numbers/decimal.js';
import type {
  EarningId,
  InvoiceId,
  PaymentSourceId,
  Timestamp,
  UserId,
  WithdrawalId,
} from '../ids.js';
import { HOUR, MINUTE } from '../time.js';

/** If the gateway does not answer, it is asked again after this time, in milliseconds. */
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

/** A user's means of payment or payout (spec 2.8). */
export interface PaymentSource {
  readonly id: PaymentSourceId;
  readonly userId: UserId;
  /** For example `card`, in the gateway's words. */
  readonly type: string;
  readonly direction: PaymentDirection;
  /** Whether it is the one in use; at most one per user and direction. */
  readonly primary: boolean;
  /** A label for its owner, for example `Visa ending in 4242`. */
  readonly description: string;
  /** `PaymentDetails`, encrypted; null once deleted. */
  readonly sealedDetails: string | null;
  readonly status: (typeof PAYMENT_SOURCE_STATUSES)[number];
  /** The gateway's name for it; only the gateway reads it. */
  readonly gatewayRef: string;
  /** When the gateway is asked whether a pending one was confirmed, or is to remove a deleted one; null if it has nothing to do. */
  readonly dueAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** When the gateway is asked again about a source with which it has had to do since then: each minute at first, later each hour. */
export const sourceAskedAgainAt = (since: Timestamp, now: Timestamp): Timestamp =>
  now + (now - since < HOUR ? MINUTE : HOUR);

/** When a payout is tried again for which the gateway has no money: each minute in the first hour after it could be made, later each hour. */
export const triedAgainAt = (
  { createdAt }: Pick<Withdrawal, 'createdAt'>,
  now: Timestamp,
): Timestamp => sourceAskedAgainAt(createdAt + PENDING_FOR, now);

/** How long a source may take to be linked, from the first request to its row. */
const LINKED_WITHIN = 10 * MINUTE;

/** A source that the gateway is about to link. Nobody sees it; it is removed there, unless it is stored as linked before it is due. */
export const begunSource = (
  named: Pick<PaymentSource, 'id' | 'userId' | 'direction' | 'gatewayRef'>,
  now: Timestamp,
): PaymentSource & { readonly dueAt: Timestamp } => ({
  ...named,
  type: '',
  primary: false,
  description: '',
  sealedDetails: null,
  status: 'deleted',
  dueAt: now + LINKED_WITHIN,
  createdAt: now,
  updatedAt: now,
});

/** Whether the source was never stored as linked. */
export const isOnlyBegun = ({ type }: Pick<PaymentSource, 'type'>): boolean => type === '';

/** The source without name and address, which the gateway is to remove, too. */
export const deletedSource = (source: PaymentSource, now: Timestamp): PaymentSource => ({
  ...source,
  sealedDetails: null,
  primary: false,
  status: 'deleted',
  dueAt: now,
  updatedAt: now,
});

/** What amounts are: of a simulation, of a gateway's test mode, or USD. What was earned in one is never paid out in another. */
export const MONEY = ['simulated', 'test', 'live'] as const;
export type Money = (typeof MONEY)[number];

/**
 * Why an owner's balance changed. A refund or chargeback takes all that remains of an invoice, `kept` adds the remainder of
 * a partial refund, and `reinstated` the amount of a won dispute.
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
  /** The user whose balance it changes. */
  readonly userId: UserId;
  readonly kind: (typeof EARNING_KINDS)[number];
  readonly invoiceId: InvoiceId | null;
  readonly withdrawalId: WithdrawalId | null;
  readonly money: Money;
  /** The owner's part. */
  readonly amount: Decimal;
  /** The service's part. */
  readonly commission: Decimal;
  /** From when it counts as settled. */
  readonly settlesAt: Timestamp;
  readonly createdAt: Timestamp;
}

/** The sums of a ledger in one money. */
export interface EarningTotals {
  readonly balance: Decimal;
  /** Of the rows that have settled. */
  readonly settled: Decimal;
}

/** `processing`: the gateway was asked, and has not answered. */
export const WITHDRAWAL_STATUSES = [
  'pending',
  'processing',
  'paid',
  'failed',
  'cancelled',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** How long a withdrawal can be deleted before it is paid out, in milliseconds. */
export const PENDING_FOR = HOUR;

/** A payout of earnings; reserved in the ledger unless it failed or was cancelled. */
export interface Withdrawal {
  readonly id: WithdrawalId;
  readonly userId: UserId;
  readonly money: Money;
  /** USD, whole cents. */
  readonly amount: Decimal;
  readonly status: WithdrawalStatus;
  /** The payout's destination; null in a pending withdrawal from before destinations were stored. */
  readonly sourceId: PaymentSourceId | null;
  /** Why it failed. */
  readonly reason: string | null;
  readonly dueAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}
