export * from './book.js';
export * from './bot.js';
export * from './market.js';
export * from './noon.js';
export * from './strategy.js';
export * from './user.js';
