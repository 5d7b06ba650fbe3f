export * from './client.js';
export type { CallOptions, Method, Methods, Request } from './requests.js';
export * from './request-failed.js';
export * from './server-url.js';
export * from './stream-events.js';
export type { Streams, StreamsOptions } from './streams.js';
export type { Timers } from './timers.js';
