export { type AlpacaActionsOptions, alpacaActions } from './alpaca/actions.js';
export { alpacaCalendar } from './alpaca/calendar.js';
export type { AlpacaKey } from './alpaca/requests.js';
export { type AlpacaSnapshotsOptions, alpacaSnapshots } from './alpaca/snapshots.js';
export { coinbase } from './coinbase.js';
export {
  type Connect,
  type Connection,
  type ConnectionEvents,
  connectByWebSocket,
} from './connect.js';
export { kraken } from './kraken.js';
export { type LiveMarketOptions, liveMarket } from './live-market.js';
export type { Source } from './source.js';
export { type SourceParts, streamSource } from './stream-source.js';
export type { Venue } from './venue.js';
