export { type OAuthClient as AlpacaOAuthClient } from './consent.js';
export { type AlpacaDeps, alpacaBroker } from './alpaca-broker.js';
export { type Kind as AlpacaKind, LIVE, PAPER } from './kinds.js';
