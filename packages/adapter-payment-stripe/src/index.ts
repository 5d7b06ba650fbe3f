export { type StripeOptions, stripeGateway } from './stripe-gateway.js';
