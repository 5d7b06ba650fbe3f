export * from './always-paid-gateway.js';
export * from './clock.js';
export * from './ids.js';
export * from './outbox.js';
export * from './ports.js';
export * from './secrets.js';
