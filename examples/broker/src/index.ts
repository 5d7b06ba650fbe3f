export { type Ask, type Brokerage, brokerage } from './brokerage.js';
export { deskBroker } from './desk-broker.js';
