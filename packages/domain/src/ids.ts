/** A branded string: an order's id cannot stand where a strategy's is asked for. */
export type Id<Kind extends string> = string & { readonly kind: Kind };

export type UserId = Id<'user'>;
export type TokenId = Id<'token'>;
export type StrategyId = Id<'strategy'>;
export type StockId = Id<'stock'>;
export type OrderId = Id<'order'>;
export type TradeId = Id<'trade'>;
export type SubscriptionId = Id<'subscription'>;
export type BotId = Id<'bot'>;
export type BotOrderId = Id<'bot_order'>;
export type PaymentSourceId = Id<'payment_source'>;
export type InvoiceId = Id<'invoice'>;
export type EarningId = Id<'earning'>;
export type WithdrawalId = Id<'withdrawal'>;
export type NotificationId = Id<'notification'>;
export type PostId = Id<'post'>;
export type MailId = Id<'mail'>;

/** Brands text that is known to name a thing of that kind. */
export const id = <Kind extends string>(text: string): Id<Kind> => text as Id<Kind>;

/** Where new ids come from: each call gives another one, of whatever it is to name. */
export type NextId = <Kind extends string>() => Id<Kind>;

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number;
