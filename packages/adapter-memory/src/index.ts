export * from './clock.js';
export * from './ids.js';
export * from './messages/outbox.js';
export * from './ports.js';
export * from './secrets.js';
export * from './storage/unit-of-work.js';
export * from './billing/always-paid-gateway.js';
