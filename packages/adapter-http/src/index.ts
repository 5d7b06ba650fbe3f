export {
  type ConnectionLimits,
  DEFAULT_CONNECTION_LIMITS,
  DROP_REASONS,
  type DropReason,
} from './connections/connection-guard.js';
export * from './http-handler.js';
export { type HttpServer, type HttpServerOptions, httpServer } from './connections/http-server.js';
export { clientAddress } from './requests/client-address.js';
export { type AnswersTo, answersTo } from './requests/host-names.js';
export { networkOf } from './connections/network.js';
export { type Lanes, lanes } from './limits/lanes.js';
export {
  DEFAULT_RATE_LIMITS,
  type Limiter,
  type RateLimits,
  callerOf,
  createLimiter,
} from './limits/rate-limits.js';
export type { Metrics } from './pages/service-pages.js';
export { type LinkServer, type LocalService, linkServer } from './nodes/link-server.js';
export { type NodeFront, type NodeFrontOptions, nodeFront } from './nodes/node-front.js';
export type { NodeAddress } from './nodes/peer.js';
export { ServingNode } from './nodes/serving-node.js';
export { type LinkHost, linkHost } from './link/link-host.js';
