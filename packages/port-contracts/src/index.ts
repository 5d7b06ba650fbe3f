export * from './builders/index.js';
export * from './clock-and-ids.js';
export * from './events.js';
export { type OpenStorage } from './storage.js';
export * from './unit-of-work.js';
export { type BrokerFixture, brokerContract } from './broker.js';
export {
  type MovedMoney,
  type PaymentGatewayFixture,
  paymentGatewayContract,
} from './payment-gateway.js';
