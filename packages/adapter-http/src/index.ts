export {
  type ConnectionLimits,
  DEFAULT_CONNECTION_LIMITS,
  DROP_REASONS,
  type DropReason,
} from './connection-guard.js';
export * from './http-handler.js';
export {
  type HttpServer,
  type HttpServerOptions,
  clientAddress,
  httpServer,
} from './http-server.js';
export { type AnswersTo, answersTo } from './host-names.js';
export { networkOf } from './network.js';
export {
  DEFAULT_RATE_LIMITS,
  type Limiter,
  type RateLimits,
  createLimiter,
} from './rate-limits.js';
export type { Metrics } from './service-pages.js';
