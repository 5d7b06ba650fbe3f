export * from './clock.js';
export * from './events.js';
export * from './ids.js';
export * from './outbox.js';
export * from './ports.js';
export * from './secrets.js';
export * from './unit-of-work.js';
export * from './willing-gateway.js';
