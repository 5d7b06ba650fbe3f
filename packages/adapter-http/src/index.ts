export * from './http-handler.js';
export * from './http-server.js';
export {
  DEFAULT_RATE_LIMITS,
  type Limiter,
  type RateLimits,
  createLimiter,
} from './rate-limits.js';
export type { Metrics } from './service-pages.js';
