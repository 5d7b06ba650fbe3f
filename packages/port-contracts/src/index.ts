export * from './builders/index.js';
export * from './clock-and-ids.js';
export * from './events.js';
export type { FillableStorage, OpenStorage, StorageFixture } from './storage/storage.js';
export * from './storage/unit-of-work.js';
export type { BrokerFixture, BrokerTrouble } from './mirroring/broker/fixture.js';
export { brokerContract } from './mirroring/broker/index.js';
export {
  type MovedMoney,
  type PaymentGatewayFixture,
  paymentGatewayContract,
} from './billing/payment-gateway.js';
export { type AnnouncementsFixture, announcementsContract } from './market/announcements.js';
export * from './outside.js';
export * from './secrets.js';
export { type TestRunner, useRunner } from './runner.js';
export { failuresOf } from './storage/failures.js';
