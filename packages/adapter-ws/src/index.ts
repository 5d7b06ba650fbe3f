export * from './live-streams.js';
export type { FailedAuthentications } from './session.js';
export type { StreamedApplication } from './streamed-application.js';
export * from './timers.js';
