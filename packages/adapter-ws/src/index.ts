export * from './live-streams.js';
export type { LiveStreamsOptions } from './options.js';
export { asksForStreams } from './connections/upgrades.js';
export { DEFAULT_STREAM_LIMITS, type StreamLimits } from './connections/roster.js';
export type { CountedReads, FailedAuthentications } from './streams.js';
export type { StreamedApplication } from './streamed-application.js';
export * from './timers.js';
