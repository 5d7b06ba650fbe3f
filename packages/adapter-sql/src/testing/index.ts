export * from './in-memory.js';
export { type Client, connect } from '../postgres/client.js';
export { type PostgresNode, type Surroundings, joinIn } from '../postgres/join.js';
export { migratePostgres } from '../postgres/migrate.js';
export { openHandle } from '../storage/connection.js';
export { ConnectionLost } from '../storage/failures.js';
export type { TimeAndTimers } from '../storage/host-time.js';
export type { SqlUnitOfWork } from '../storage/unit-of-work.js';
