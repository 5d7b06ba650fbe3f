export * from './agent-server.js';
export * from './marked-texts.js';
export * from './tools.js';
