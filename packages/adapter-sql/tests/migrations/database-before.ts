import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrations } from '../../src/migrations/index.js';
import { migrate } from '../../src/migrations/migrate.js';
import { openHandle } from '../../src/storage/connection.js';

/** A database of the release before that migration, with rows that it made. Answers its path. */
export function databaseBefore(file: string, migration: string, rows: string): string {
  mkdirSync(dirname(file), { recursive: true });
  const handle = openHandle(file);
  const names = Object.keys(migrations);
  const before = names.slice(0, names.indexOf(migration));
  migrate(handle, Object.fromEntries(before.map((name) => [name, migrations[name] ?? ''])));
  handle.exec(rows);
  handle.close();
  return file;
}
