export * from './output.js';
export * from './account.js';
export * from './strategy.js';
export * from './trading.js';
export * from './bot.js';
