export type { StripeAccess } from './new-stripe.js';
export { type StripeOptions, stripeGateway } from './stripe-gateway.js';
export { keepsDollars } from './ask-balance.js';
export { type StripeWebhook, type WebhooksAnswer, askWebhooks } from './ask-webhooks.js';
export { NOTICED_EVENTS } from './read-notice.js';
