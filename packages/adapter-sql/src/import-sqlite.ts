import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Client, asQuery, connect } from './postgres/client.js';
import { type CheckedLedgers, checkLedgers, requireThisRelease } from './check-ledgers.js';
import { type CopiedRows, copyTables, rowsOf } from './postgres/copy-rows.js';
import { migratePostgres } from './postgres/migrate.js';
import { reading } from './postgres/join.js';
import { joinAs } from './postgres/nodes/node.js';
import { sessionName } from './postgres/nodes/roster.js';
import { openReader } from './storage/connection.js';
import { hostTime } from './storage/host-time.js';
import { UnusableDatabase, requireOwnFile } from './storage/own-file.js';
import { ownDatabase } from './storage/owner-lock.js';

export type { CopiedRows };

/** Milliseconds without a sign of life after which the import counts as ended. */
const LEASE = 5_000;
/** An error names so many faults. */
const MOST_FAULTS = 10;

type Row = Readonly<Record<string, unknown>>;

/** Throws unless nobody has used the database. */
async function requireUnused(client: Client): Promise<void> {
  const { count } = await client.query(
    asQuery('SELECT 1 FROM users UNION ALL SELECT 1 FROM audit_entries LIMIT 1'),
  );
  if (count > 0)
    throw new UnusableDatabase('the PostgreSQL database has data: import into an empty one');
}

/** What was copied, and what both databases say of themselves. */
export interface Imported {
  readonly tables: readonly CopiedRows[];
  readonly checked: CheckedLedgers;
}

export interface ImportOptions {
  /** Copies also a file whose books or chains are at fault, faults and all. */
  readonly force: boolean;
  /** Hears what is done next, in words. */
  readonly progressed: (step: string) => void;
}

const inLines = (faults: readonly string[]): string =>
  [...faults.slice(0, MOST_FAULTS), ...(faults.length > MOST_FAULTS ? ['…'] : [])].join('\n  ');

/** What a check found, whatever the order in which it met the rows. */
const said = (checked: CheckedLedgers): string =>
  JSON.stringify({ ...checked, faults: checked.faults.toSorted() });

/**
 * Copies and checks in one transaction of the client: each table must have the same rows, and the books and chains of both must
 * agree with themselves and each other.
 */
async function copied(
  sqlite: ReturnType<typeof openReader>,
  client: Client,
  { force, progressed }: ImportOptions,
): Promise<Imported> {
  progressed('checking the books and chains of the file');
  const before = await checkLedgers((sql) => sqlite.prepare(sql).iterate() as Iterable<Row>);
  if (before.faults.length > 0 && !force)
    throw new UnusableDatabase(
      `the file is at fault, and nothing was copied; restore a backup from before it, or copy it as it is with --force:\n  ${inLines(before.faults)}`,
    );
  await client.script('BEGIN');
  const tables = await copyTables(sqlite, client, (table) => progressed(`copying ${table}`));
  progressed('checking the books and chains of the copy');
  const after = await checkLedgers((sql) => rowsOf(client, sql));
  if (said(after) !== said(before))
    throw new Error(`the copy is at fault, and nothing was copied:\n  ${inLines(after.faults)}`);
  await client.script('COMMIT');
  return { tables, checked: after };
}

/**
 * Copies everything from a SQLite file into the empty PostgreSQL database of the URL, all or nothing, and checks it on both sides.
 * Nobody may have either open. Rejects with `DatabaseInUse` or `UnusableDatabase`.
 */
export async function importSqlite(
  path: string,
  url: string,
  options: ImportOptions,
): Promise<Imported> {
  const file = resolve(path);
  requireOwnFile(file);
  const disown = ownDatabase(file);
  const sqlite = openReader(file);
  const node = randomUUID();
  try {
    requireThisRelease(sqlite);
    const opened = () => connect(url, sessionName(node), reading);
    // It reads the file between two statements, for as long as that takes.
    const client = await connect(url, sessionName(node));
    try {
      await migratePostgres(client);
      const first = await opened();
      const membership = await joinAs({
        ...{ node, url: null, lease: LEASE, first, connect: opened, database: 'to import into' },
        time: hostTime,
        ...{ onEnded: () => undefined, onDrained: () => undefined },
      }).catch(async (error: unknown) => {
        await first.end();
        throw error;
      });
      try {
        await membership.owned;
        await requireUnused(client);
        return await copied(sqlite, client, options);
      } finally {
        await membership.end();
      }
    } finally {
      await client.end();
    }
  } finally {
    sqlite.close();
    disown();
  }
}
