import { StorageUnavailable } from '@slipstream/ports';

/** The code of an error. Never `instanceof`: the driver's class is another one in another realm. */
export const codeOf = (error: unknown): string => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
};

const among = (code: string, kinds: readonly string[]): boolean =>
  kinds.some((kind) => code === kind || code.startsWith(`${kind}_`));

/** Another connection is writing. */
export const isLocked = (error: unknown): boolean =>
  among(codeOf(error), ['SQLITE_BUSY', 'SQLITE_LOCKED']);

const STORAGE_FAILURES = [
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_NOMEM',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_PROTOCOL',
  'TX_LOST',
  'CONNECTION_LOST',
  'NODE_ENDED',
  'COMMITS_LOST',
];

/**
 * PostgreSQL's: connection, resources, operator, system, internal; reruns, locks, and a database that only reads. Whoever connects
 * anew may be refused (28), or the database is not there (3D000) or lets nobody in (55000).
 */
const SERVER_FAILURES = /^((08|28|53|57|58|XX)\w{3}|3D000|40001|40P01|55000|55P03|25006)$/;

/** The storage failed; the request may be right. */
export const isStorageFailure = (error: unknown): boolean =>
  among(codeOf(error), STORAGE_FAILURES) || SERVER_FAILURES.test(codeOf(error));

/** A query that the database refused or could not do: the driver's own error, which is of another realm in some hosts, inside. */
class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
  readonly code: string;
  constructor(cause: unknown) {
    super(`the query failed: ${codeOf(cause) || 'wrong parameters'}`, { cause });
    this.code = codeOf(cause);
  }
}

/** What a session says of an error of the driver. */
export const queryFailure = (error: unknown): Error =>
  error instanceof ChangedByAnother ||
  error instanceof BatchRefused ||
  error instanceof QueryFailed ||
  // Of a snapshot that could not be taken.
  error instanceof StorageUnavailable
    ? error
    : new QueryFailed(error);

/** A row is not what the writer read: two processes write, or a program is wrong. */
export class ChangedByAnother extends Error {
  override readonly name = 'ChangedByAnother';
  constructor() {
    super('a stored row was changed by somebody else');
  }
}

/** PostgreSQL refused a statement. Of its own error only what names no values. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** Nobody answers at the other end of the connection: what was asked for was done or not. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = 'CONNECTION_LOST';
  constructor(cause?: unknown) {
    super('the connection to the database was lost', { cause });
  }
}

/** Another process owns the database now, or commits of this one are lost: it can commit nothing any more. */
export class NodeEnded extends Error {
  override readonly name = 'NodeEnded';
  readonly code = 'NODE_ENDED';
  constructor() {
    super('another process took over the database, or it has lost commits');
  }
}

/** A sync failed: whether the disk has what was written is not known before the database is opened again. */
export class CommitsLost extends Error {
  override readonly name = 'CommitsLost';
  readonly code = 'COMMITS_LOST';
  constructor(cause: unknown) {
    super('the disk did not keep what was written', { cause });
  }
}

/** The database rolled back by itself: another statement would be committed on its own. */
export class TransactionLost extends Error {
  override readonly name = 'TransactionLost';
  readonly code = 'TX_LOST';
}

/** Nothing of a transaction is there that was collected, or of the one that it was decided by: its works run again. */
export class BatchRefused extends Error {
  override readonly name = 'BatchRefused';
  constructor() {
    super('a collected transaction was not made');
  }
}
