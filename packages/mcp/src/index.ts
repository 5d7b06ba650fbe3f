// Types of the SDK are kept out: they need those of browsers.
export * from './marked-texts.js';
export * from './options.js';
export * from './serve-agents.js';
