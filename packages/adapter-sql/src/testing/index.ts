export * from './in-memory.js';
