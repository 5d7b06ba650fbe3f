export {
  type AlpacaOptions,
  type AlpacaStandIn,
  type LoggedRequest,
  type NewAccount,
  type NewAsset,
  alpacaStandIn,
} from './alpaca/stand-in.js';
export { type AlpacaOAuthOptions, type AlpacaOAuthStandIn, alpacaOAuth } from './alpaca/oauth.js';
export {
  type AlpacaData,
  type AlpacaDataOptions,
  type AnnouncedBody,
  alpacaData,
} from './alpaca/data.js';
export type {
  Account as AlpacaAccount,
  Asset as AlpacaAsset,
  Filling,
  Order as AlpacaOrder,
} from './alpaca/state.js';
export { coinbaseStandIn } from './coins/coinbase.js';
export type { CoinExchange, CoinOptions, NewCoinAccount, NewMarket } from './coins/exchange.js';
export { krakenStandIn } from './coins/kraken.js';
export type { CoinAccount, CoinMarket, CoinOrder } from './coins/state.js';
export {
  type AlpacaStreamOptions,
  type AlpacaStreamStandIn,
  alpacaStreamStandIn,
} from './streams/alpaca.js';
export { type CoinbaseStreamOptions, coinbaseStream } from './streams/coinbase.js';
export { krakenStream } from './streams/kraken.js';
export type { Prices, PublicStream } from './streams/public-stream.js';
export { type StreamConnection, type StreamEvents, listenForStreams } from './streams/stream.js';
export {
  type StampFault,
  type TimestampStandIn,
  timestampAuthority,
} from './timestamps/authority.js';
export { type LocalIdentity, localIdentity } from './timestamps/certificates.js';
export { type ProxyFault, type TlsProxy, tlsProxy } from './proxy/tls-proxy.js';
export { type DiscordStandIn, discordStandIn } from './messengers/discord.js';
export { type TelegramStandIn, telegramStandIn } from './messengers/telegram.js';
export { type Fault, type FaultKind, type FaultScript } from './faults.js';
export { type SpoiledBody, spoiledBodies } from './spoiled.js';
export {
  type Listening,
  type Venue,
  type VenueAnswer,
  type VenueOutcome,
  type VenueRequest,
  fetchFrom,
  listen,
} from './http.js';
