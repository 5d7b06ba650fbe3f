export * from './import-sqlite.js';
export * from './open-postgres.js';
export * from './open-sqlite.js';
export * from './restore-sqlite.js';
export { makePrivateFolder } from './storage/connection.js';
export { UnusableDatabase, requireOwnFile } from './storage/own-file.js';
export { DatabaseInUse, type Holder } from './storage/owner-lock.js';
export * from './audit/audit-log.js';
export * from './audit/postgres-audit-log.js';
