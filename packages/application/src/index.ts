export * from './application.js';
export * from './caller.js';
export * from './settings.js';
export * from './views.js';
export { SESSION_SCOPE } from './use-cases/authentication.js';
export type { QuoteReport, StockChange } from './use-cases/stocks.js';
export { Floor } from './floor/floor.js';
export type { BotAccountView } from './bots/index.js';
