export * from './open-sqlite.js';
export { UnusableDatabase, requireOwnFile } from './own-file.js';
export { DatabaseInUse, type Holder } from './owner-lock.js';
export * from './in-memory.js';
export * from './audit-log.js';
