export type { Allowed, Resolve } from './addresses.js';
export { type EndpointSenderOptions, endpointSender } from './endpoint-sender.js';
