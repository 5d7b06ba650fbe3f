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
];

/** The storage failed; the request may be right. */
export const isStorageFailure = (error: unknown): boolean => among(codeOf(error), STORAGE_FAILURES);

/** A query that SQLite refused or could not do: the driver's own error, which is of another realm in some hosts, inside. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
  readonly code: string;
  constructor(cause: unknown) {
    super(`the query failed: ${codeOf(cause) || 'wrong parameters'}`, { cause });
    this.code = codeOf(cause);
  }
}

/** A row is not what the writer read: two processes write, or a program is wrong. */
export class ChangedByAnother extends Error {
  override readonly name = 'ChangedByAnother';
  constructor() {
    super('a stored row was changed by somebody else');
  }
}

/** SQLite rolled back by itself: another statement would be committed on its own. */
export class TransactionLost extends Error {
  override readonly name = 'TransactionLost';
  readonly code = 'TX_LOST';
}
