import type {
  Decimal,
  InvoiceId,
  PaymentDirection,
  PaymentSourceId,
  StrategyId,
  Timestamp,
  UserId,
} from '@slipstream/domain';

/** What newPaymentSource was given to link a payment source. */
export interface PaymentLink {
  /** What the core calls it; the gateway's notices name it. */
  readonly sourceId: PaymentSourceId;
  readonly userId: UserId;
  readonly direction: PaymentDirection;
  /** What the gateway's own form, or its test cards, gave the user; never kept. */
  readonly token: string;
}

/** A linked payment source. */
export interface LinkedSource {
  /** What the gateway reads to use it; no card number, never logged. */
  readonly ref: string;
  /** For example `card`. */
  readonly type: string;
  /** How its owner recognizes it. */
  readonly description: string;
}

/** What the payer does next so that a source can be used: opens `url`, or finishes in an app with `clientSecret`. */
export interface NextAction {
  readonly url: string | null;
  readonly clientSecret: string | null;
}

/** Linked, or known and to be confirmed by its owner first: then `confirmation` of its ref tells how it went. */
export type LinkAnswer =
  | (LinkedSource & { readonly kind: 'linked' })
  | (LinkedSource & { readonly kind: 'to_confirm'; readonly nextAction: NextAction });

/** How the confirmation of a source stands. */
export type ConfirmationAnswer =
  | (LinkedSource & { readonly kind: 'linked' })
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly reason: string };

interface Request {
  /** Names what is asked for: asked again with the same key, at any later time, it happens once. */
  readonly key: string;
  /** USD, whole cents. */
  readonly amount: Decimal;
  /** It was asked for before, and the answer did not come. */
  readonly isAgain: boolean;
}

/** One attempt to charge an invoice. */
export interface ChargeRequest extends Request {
  readonly sourceRef: string;
  readonly invoiceId: InvoiceId;
  /** How many charges of the invoice there were before. */
  readonly attemptsBefore: number;
  readonly description: string;
  readonly product: { readonly id: string; readonly name: string };
}

/** `amount` is what is to have been given back of the charge in all, by whomever. */
export interface RefundRequest extends Request {
  readonly chargeRef: string;
}

/** A payout to a source of direction `out`. */
export interface PayOutRequest extends Request {
  readonly sourceRef: string;
}

/** A decline is an answer, not an error. */
export type ChargeAnswer =
  | {
      readonly kind: 'paid';
      readonly ref: string;
      /** When `standing` is to be asked; null when nothing can change any more. */
      readonly checkAgainAt: Timestamp | null;
    }
  /** `reason` is a word for the payer; it betrays nothing that the bank wants kept. */
  | { readonly kind: 'declined'; readonly reason: string };

/** The answer to a refund or a payout; `reason` is for its owner. */
export type DoneAnswer =
  { readonly kind: 'done' } | { readonly kind: 'refused'; readonly reason: string };

/** How a charge stands now. A dispute that was won makes it `paid` again. */
export interface ChargeStanding {
  readonly kind: 'paid' | 'charged_back';
  /** USD that were given back of it in all, by whomever; zero where the gateway keeps no account of it. */
  readonly refunded: Decimal;
  /** When to ask again, also when it tells changes by itself: what it posts can be lost. Null when nothing can change any more. */
  readonly checkAgainAt: Timestamp | null;
}

/** What the gateway told by itself. */
export type PaymentNotice =
  /** A charge was disputed, won back or given back: ask how it stands. */
  | { readonly kind: 'charge_changed'; readonly chargeRef: string }
  /** The confirmation of this source is decided: ask for it now. */
  | { readonly kind: 'source_decided'; readonly sourceId: PaymentSourceId }
  /** Something about the charge of this invoice is decided: ask for it now. */
  | { readonly kind: 'charge_decided'; readonly invoiceId: InvoiceId };

/**
 * Who moves the money. Answers are values; a throw other than `PaymentSourceRefused` and `NoticeRefused` means that nothing
 * is known, and the same is asked again with the same key.
 */
export interface PaymentGateway {
  readonly name: string;
  /** The billing product of a strategy (spec 2.4): the same for the same strategy, without asking anybody. */
  productId(strategyId: StrategyId): string;
  /** @throws {PaymentSourceRefused} with the correction that its owner must make. */
  link(request: PaymentLink): Promise<LinkAnswer>;
  /** How the confirmation of what `link` answered `to_confirm` stands; the ref may be another one once it is linked. */
  confirmation(sourceRef: string): Promise<ConfirmationAnswer>;
  /** Lets go of a source; of one that is gone already it does nothing. */
  unlink(sourceRef: string): Promise<void>;
  charge(request: ChargeRequest): Promise<ChargeAnswer>;
  /** Gives a charge back, in full or in part; what was given back before counts. */
  refund(request: RefundRequest): Promise<DoneAnswer>;
  standing(chargeRef: string): Promise<ChargeStanding>;
  payOut(request: PayOutRequest): Promise<DoneAnswer>;
  /**
   * Reads a request that was posted to the path of its name; undefined when it is of no concern.
   * @throws {NoticeRefused} when the gateway did not send it.
   */
  readNotice?(
    body: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): Promise<PaymentNotice | undefined>;
}

/** No answer, or one that says nothing: what was asked for may have happened. */
export class PaymentUnreachable extends Error {
  override readonly name = 'PaymentUnreachable';
}

/** The payment source cannot be used as it was given; nothing was linked. */
export class PaymentSourceRefused extends Error {
  override readonly name = 'PaymentSourceRefused';
}

/** What was posted is not the gateway's. */
export class NoticeRefused extends Error {
  override readonly name = 'NoticeRefused';
}
