import type {
  Decimal,
  InvoiceId,
  Money,
  PaymentDirection,
  PaymentSourceId,
  StrategyId,
  SubscriptionId,
  Timestamp,
  UserId,
} from '@slipstream/domain';

/** The data with which newPaymentSource links a payment source. */
export interface PaymentLink {
  /** The id that the core gives it; the gateway's notices contain it. */
  readonly sourceId: PaymentSourceId;
  readonly userId: UserId;
  readonly direction: PaymentDirection;
  /** The token from the gateway's form, or a test card; never stored. */
  readonly token: string;
  /**
   * Called once before anything is linked, with a ref by which `unlink` removes it, by a gateway where it would stay if nobody heard
   * its answer. If this throws, nothing is linked.
   */
  readonly begun?: ((sourceRef: string) => Promise<void>) | undefined;
}

/** A linked payment source. */
export interface LinkedSource {
  /** The gateway's reference of the source. It is not a card number, and is never logged. */
  readonly ref: string;
  /** For example `card`. */
  readonly type: string;
  /** A text by which its owner recognizes it. */
  readonly description: string;
}

/** The payer's next step before a source can be used: open `url`, or finish in an app with `clientSecret`. */
export interface NextAction {
  readonly url: string | null;
  readonly clientSecret: string | null;
}

/** Linked, or waiting for its owner's confirmation: then `confirmation` with its ref returns the state. */
export type LinkAnswer =
  | (LinkedSource & { readonly kind: 'linked' })
  | (LinkedSource & { readonly kind: 'to_confirm'; readonly nextAction: NextAction });

/** The state of the confirmation of a source. */
export type ConfirmationAnswer =
  | (LinkedSource & { readonly kind: 'linked' })
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly reason: string };

interface Request {
  /** Identifies the request: repeated with the same key, at any later time, it takes effect once. */
  readonly key: string;
  /** USD, whole cents. */
  readonly amount: Decimal;
  /** True for a repeated request whose answer never arrived. */
  readonly isAgain: boolean;
}

/**
 * The month that a charge pays. It is paid once, whatever invoice asks: a database that was restored from a copy knows neither the
 * invoice nor the charge of a month that began after it.
 */
export interface ChargedMonth {
  readonly subscriptionId: SubscriptionId;
  /** 1 is the first. */
  readonly month: number;
  /** Nothing was charged for the month before. */
  readonly since: Timestamp;
}

/** One attempt to charge an invoice. */
export interface ChargeRequest extends Request {
  /** True for a request that comes too late to charge anything: the answer is what came of the earlier ones, if there were any. */
  readonly isLookup: boolean;
  readonly sourceRef: string;
  readonly invoiceId: InvoiceId;
  readonly paysFor: ChargedMonth;
  /** The number of earlier charges of the invoice. */
  readonly attemptsBefore: number;
  readonly description: string;
  readonly product: { readonly id: string; readonly name: string };
}

/** `amount` is the total to be refunded of the charge, including refunds made elsewhere. */
export interface RefundRequest extends Request {
  readonly chargeRef: string;
}

/** A payout to a source of direction `out`. */
export interface PayOutRequest extends Request {
  /** True for a repeated request that may pay nothing out any more: the answer is what came of the earlier ones. */
  readonly isLookup: boolean;
  readonly sourceRef: string;
}

/** A decline is an answer, not an error. */
export type ChargeAnswer =
  | {
      readonly kind: 'paid';
      readonly ref: string;
      /** When to call `standing`; null if the charge can no longer change. */
      readonly checkAgainAt: Timestamp | null;
    }
  /** `reason` is shown to the payer; it reveals nothing that the bank hides from payers. */
  | { readonly kind: 'declined'; readonly reason: string }
  /** Only to a lookup: none of the earlier requests arrived, and none that is still under way will charge anything. */
  | { readonly kind: 'not_made' };

/** The answer to a refund or a payout; `reason` is shown to its owner. */
export type DoneAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The answer to a payout. `not_made`: the gateway has no money for it yet, and no request for it is under way, nor was one made. It is
 * decided on anew, and asked for later with the same key. To a lookup: none was made, and none that is still under way will be.
 */
export type PayOutAnswer = DoneAnswer | { readonly kind: 'not_made' };

/** The present state of a charge. A dispute that was won makes it `paid` again. */
export interface ChargeStanding {
  readonly kind: 'paid' | 'charged_back';
  /** What the payer's bank took back of a `charged_back` one, in USD; without it all that was not refunded. */
  readonly disputed?: Decimal;
  /** True once the disputes of a `charged_back` one are lost: it can be refunded again, up to what they left. */
  readonly isLost?: boolean;
  /** The total refunded in USD, including refunds made elsewhere; zero if the gateway does not record it. */
  readonly refunded: Decimal;
  /** True if a refund failed after it was made, such as one to a closed card; `refunded` is without it. */
  readonly hasFailedRefund?: boolean;
  /** When to ask again, even if the gateway posts changes, because a notice can be lost. Null if nothing can change any more. */
  readonly checkAgainAt: Timestamp | null;
}

/** A notice that the gateway posted. */
export type PaymentNotice =
  /** A charge was disputed or refunded, its refund failed, or its dispute was won: ask for its state. */
  | { readonly kind: 'charge_changed'; readonly chargeRef: string }
  /** The confirmation of this source has ended: ask for its state now. */
  | { readonly kind: 'source_decided'; readonly sourceId: PaymentSourceId }
  /** The charge of this invoice has changed: ask for its state now. */
  | { readonly kind: 'charge_decided'; readonly invoiceId: InvoiceId };

/**
 * Moves money. Answers are values. An exception other than `PaymentSourceRefused`, `ChargeUnknown` and `NoticeRefused` means that the
 * result is unknown; the caller repeats the request with the same key.
 */
export interface PaymentGateway {
  readonly name: string;
  /** What it moves. Earnings of other money stay where they are, and are not paid out. */
  readonly money: Money;
  /** The id of a strategy's billing product (spec 2.4). It is derived from the strategy's id without a request. */
  productId(strategyId: StrategyId): string;
  /** @throws {PaymentSourceRefused} with the correction that the owner must make. */
  link(request: PaymentLink): Promise<LinkAnswer>;
  /** The state of a confirmation, after `link` answered `to_confirm`. The ref may change once the source is linked. */
  confirmation(sourceRef: string): Promise<ConfirmationAnswer>;
  /** Removes a source, also one that waits for its confirmation: it cannot be confirmed any more. Does nothing if it is removed already. */
  unlink(sourceRef: string): Promise<void>;
  charge(request: ChargeRequest): Promise<ChargeAnswer>;
  /** Refunds a charge in full or in part; earlier refunds count towards the amount. */
  refund(request: RefundRequest): Promise<DoneAnswer>;
  /** @throws {ChargeUnknown} if there is no such charge, and not only now. */
  standing(chargeRef: string): Promise<ChargeStanding>;
  payOut(request: PayOutRequest): Promise<PayOutAnswer>;
  /**
   * Reads a webhook request, posted to the path of the gateway's name; undefined if it needs no action.
   * @throws {NoticeRefused} if the gateway did not send it.
   */
  readNotice?(
    body: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): Promise<PaymentNotice | undefined>;
}

/** No answer, or an unusable one: the request may have taken effect. */
export class PaymentUnreachable extends Error {
  override readonly name = 'PaymentUnreachable';
}

/** The given payment source cannot be used; nothing was linked. */
export class PaymentSourceRefused extends Error {
  override readonly name = 'PaymentSourceRefused';
}

/** The gateway has no such charge: it is of another account, or of the account's test mode. */
export class ChargeUnknown extends Error {
  override readonly name = 'ChargeUnknown';
}

/** The request did not come from the gateway. */
export class NoticeRefused extends Error {
  override readonly name = 'NoticeRefused';
}
