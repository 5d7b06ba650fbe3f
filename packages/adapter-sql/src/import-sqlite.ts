import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Client, asQuery, connect } from './postgres/client.js';
import { type CopiedRows, copyTables } from './postgres/copy-rows.js';
import { migratePostgres } from './postgres/migrate.js';
import { reading } from './postgres/join.js';
import { joinAs } from './postgres/nodes/node.js';
import { sessionName } from './postgres/nodes/roster.js';
import { migrations } from './migrations/index.js';
import { openReader } from './storage/connection.js';
import { hostTime } from './storage/host-time.js';
import { UnusableDatabase, requireOwnFile } from './storage/own-file.js';
import { ownDatabase } from './storage/owner-lock.js';

export type { CopiedRows };

/** Milliseconds without a sign of life after which the import counts as ended. */
const LEASE = 5_000;

/** Throws unless nobody has used the database. */
async function requireUnused(client: Client): Promise<void> {
  const { count } = await client.query(
    asQuery('SELECT 1 FROM users UNION ALL SELECT 1 FROM audit_entries LIMIT 1'),
  );
  if (count > 0)
    throw new UnusableDatabase('the PostgreSQL database has data: import into an empty one');
}

/**
 * Copies everything from a SQLite file into the empty PostgreSQL database of the URL, all or nothing, and reads it back: each
 * table must have the same rows. Nobody may have either open. Rejects with `DatabaseInUse` or `UnusableDatabase`.
 */
export async function importSqlite(path: string, url: string): Promise<CopiedRows[]> {
  const file = resolve(path);
  requireOwnFile(file);
  const disown = ownDatabase(file);
  const sqlite = openReader(file);
  const node = randomUUID();
  try {
    const applied = sqlite.prepare('SELECT count(*) FROM migrations').pluck().get();
    if (applied !== Object.keys(migrations).length)
      throw new UnusableDatabase('the file is of another release: update it with "migrate" first');
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
        return await copyTables(sqlite, client);
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
