/** A branded string: an order's id does not fit where a strategy's id is required. */
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
export type HaltId = Id<'halt'>;
export type ConnectionId = Id<'connection'>;
export type PaymentSourceId = Id<'payment_source'>;
export type InvoiceId = Id<'invoice'>;
export type EarningId = Id<'earning'>;
export type WithdrawalId = Id<'withdrawal'>;
export type NotificationId = Id<'notification'>;
export type PlanId = Id<'plan'>;
export type PostId = Id<'post'>;
export type MailId = Id<'mail'>;
export type EndpointId = Id<'endpoint'>;
export type EndpointEventId = Id<'endpoint_event'>;
export type DeliveryId = Id<'delivery'>;

/** Brands a text that is known to be an id of that kind. */
export const id = <Kind extends string>(text: string): Id<Kind> => text as Id<Kind>;

/** Makes new ids: each call returns another one, of any kind. */
export type NextId = <Kind extends string>() => Id<Kind>;

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number;
