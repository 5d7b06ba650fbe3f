import { LEDGER, type Ledger } from './ledger.js';
import { openHandle } from '@slipstream/adapter-sql/testing';

/** Looks at a database file beside the process that has it open. */
function look<Answer>(file: string, work: (all: (sql: string) => unknown[]) => Answer): Answer {
  const database = openHandle(file, { readonly: true, timeout: 5000 });
  try {
    return database.transaction(() => work((sql) => database.prepare(sql).all()))();
  } finally {
    database.close();
  }
}

export const sqliteLedger = (file: string): Ledger =>
  look(
    file,
    (all) =>
      Object.fromEntries(
        Object.entries(LEDGER).map(([name, sql]) => [name, all(sql)]),
      ) as unknown as Ledger,
  );

/** What is wrong with the file itself. */
export const unsoundness = (file: string): string[] =>
  look(file, (all) => {
    const rows = all('PRAGMA integrity_check') as readonly { readonly integrity_check: string }[];
    const broken = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    if (all('PRAGMA foreign_key_check').length > 0) broken.push('foreign keys do not hold');
    return broken;
  });
