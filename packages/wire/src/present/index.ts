export * from './account.js';
export * from './bot.js';
export * from './output.js';
export * from './strategy.js';
export * from './trading.js';
