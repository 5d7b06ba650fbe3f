import { type Decimal, ZERO, max } from '../numbers/decimal.js';
import type {
  InvoiceId,
  PaymentSourceId,
  StrategyId,
  SubscriptionId,
  Timestamp,
  UserId,
} from '../ids.js';

/** `failed` may be retried; a `chargeback` is a dispute that the payer won (spec 2.8). */
export const INVOICE_STATUSES = ['pending', 'paid', 'failed', 'chargeback'] as const;
/** The status of an invoice for its payer (spec 2.8). */
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** A paid charge, with the total of its refunds. */
interface Charged {
  /** The gateway's name of the charge. */
  readonly chargeRef: string;
  readonly refunded: Decimal;
}

/** A refund that is not made yet. */
export interface OwedRefund {
  /** The total of all refunds after this one: more than has been refunded so far. */
  readonly total: Decimal;
  /** Whether the gateway was asked for it and has not answered. */
  readonly inFlight: boolean;
}

/** Each state holds exactly the facts that it needs. */
export type InvoiceState =
  /** To be charged for the first time at `dueAt`. */
  | { readonly kind: 'due'; readonly dueAt: Timestamp }
  /**
   * The current attempt was sent to the gateway and has no answer: the gateway is asked again at `dueAt`. `reason` is why
   * the attempt before was declined.
   */
  | { readonly kind: 'charging'; readonly reason: string | null; readonly dueAt: Timestamp }
  /** Declined; the next attempt is made at `dueAt`, or at once by retryInvoice. */
  | { readonly kind: 'retrying'; readonly reason: string | null; readonly dueAt: Timestamp }
  /** Not charged any more. `reason` is why the last attempt was declined; null without one. */
  | { readonly kind: 'failed'; readonly reason: string | null }
  /** Paid; at `checkAt` the gateway is asked how the charge stands, null when nothing can change any more. */
  | (Charged & { readonly kind: 'paid'; readonly checkAt: Timestamp | null })
  /** Paid, with an owed refund, for which the gateway is asked at `dueAt`. */
  | (Charged & {
      readonly kind: 'refunding';
      readonly owed: OwedRefund;
      readonly dueAt: Timestamp;
    })
  /** The bank took money back; a won dispute makes it paid again, and a refund owed before is owed again. */
  | (Charged & {
      readonly kind: 'charged_back';
      /** What the bank took; refunds are beside it. */
      readonly disputed: Decimal;
      readonly owed: OwedRefund | null;
      readonly checkAt: Timestamp | null;
    });

/** The name of a state. */
export type InvoiceStateKind = InvoiceState['kind'];
type StateOf<Kind extends InvoiceStateKind> = Extract<InvoiceState, { readonly kind: Kind }>;

/** One month of a subscription, charged or to be charged (spec 2.8). All amounts in USD, whole cents. */
export interface Invoice {
  readonly id: InvoiceId;
  readonly userId: UserId;
  readonly subscriptionId: SubscriptionId;
  readonly strategyId: StrategyId;
  readonly description: string;
  readonly amount: Decimal;
  /** The payment source; of a failed invoice, that of the last attempt. */
  readonly sourceId: PaymentSourceId;
  /** The number of the paid month; 1 is the first. */
  readonly month: number;
  /** The time from which the subscription's months are counted; null until the first is paid. */
  readonly anchorAt: Timestamp | null;
  /** The number of attempts so far; each has its own key at the gateway. */
  readonly attempts: number;
  readonly firstAttemptAt: Timestamp | null;
  readonly state: InvoiceState;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** An invoice in one of these states. */
export type InvoiceIn<Kind extends InvoiceStateKind> = Invoice & { readonly state: StateOf<Kind> };

/** Whether the invoice is in one of these states. */
export const isInvoiceIn = <Kind extends InvoiceStateKind>(
  invoice: Invoice,
  ...kinds: readonly Kind[]
): invoice is InvoiceIn<Kind> =>
  (kinds as readonly InvoiceStateKind[]).includes(invoice.state.kind);

/** An event that cannot happen in an invoice's state: a bug of the program, never a caller's mistake. */
export class ImpossibleEvent extends Error {
  override readonly name = 'ImpossibleEvent';
}

/**
 * The invoice, known to be in one of these states.
 * @throws ImpossibleEvent in any other state; its message names `event`.
 */
export function requireInvoiceIn<Kind extends InvoiceStateKind>(
  invoice: Invoice,
  event: string,
  ...kinds: readonly Kind[]
): InvoiceIn<Kind> {
  if (isInvoiceIn(invoice, ...kinds)) return invoice;
  throw new ImpossibleEvent(
    `invoice ${invoice.id} is ${invoice.state.kind}: ${event} is impossible`,
  );
}

const STATUS_OF = {
  due: 'pending',
  charging: 'pending',
  retrying: 'failed',
  failed: 'failed',
  paid: 'paid',
  refunding: 'paid',
  charged_back: 'chargeback',
} as const satisfies Record<InvoiceStateKind, InvoiceStatus>;

/** All states. */
export const INVOICE_STATES = Object.keys(STATUS_OF) as readonly InvoiceStateKind[];

/** Its status for the payer. */
export const statusOf = ({ state }: Invoice): InvoiceStatus => STATUS_OF[state.kind];

/** Another attempt may follow, by time or by retryInvoice. */
export const isRetryable = ({ state }: Invoice): boolean => state.kind === 'retrying';

/** Why the last attempt was declined; null if none was declined or the invoice is paid. */
export const declineReasonOf = ({ state }: Invoice): string | null =>
  'reason' in state ? state.reason : null;

/** The total of refunds, including an owed one. */
export function refundedOf({ state }: Invoice): Decimal {
  if (state.kind === 'refunding') return state.owed.total;
  return 'refunded' in state ? state.refunded : ZERO;
}

/** What is left of a paid amount after refunds, owed ones too, and what the bank took back; zero when it was never paid. */
export function remainderOf(invoice: Invoice): Decimal {
  const { state, amount } = invoice;
  if (chargeRefOf(invoice) === null) return ZERO;
  if (state.kind !== 'charged_back') return amount.minus(refundedOf(invoice));
  const given = state.refunded.plus(state.disputed);
  return max(ZERO, amount.minus(max(given, state.owed?.total ?? ZERO)));
}

/** The paid charge. */
export const chargeRefOf = ({ state }: Invoice): string | null =>
  'chargeRef' in state ? state.chargeRef : null;

/** When the gateway is asked next (to charge, refund or check the charge); null when nothing remains to do. */
export function dueAtOf({ state }: Invoice): Timestamp | null {
  if ('dueAt' in state) return state.dueAt;
  return 'checkAt' in state ? state.checkAt : null;
}

/** The request to the gateway when an invoice is due. */
export type InvoiceTask = 'charge' | 'refund' | 'check';

/** The task of a due invoice; null when nothing remains to do. */
export function taskOf({ state }: Invoice): InvoiceTask | null {
  switch (state.kind) {
    case 'due':
    case 'charging':
    case 'retrying':
      return 'charge';
    case 'failed':
      return null;
    case 'refunding':
      return 'refund';
    case 'paid':
    case 'charged_back':
      return state.checkAt === null ? null : 'check';
  }
}
