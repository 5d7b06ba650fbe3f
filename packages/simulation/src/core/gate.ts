import type { Gate } from '@slipstream/adapter-sql/testing';
import { checkCommitted } from '../invariants/index.js';
import { type Run, crash } from '../run/run.js';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** The table to which a statement writes. */
const writtenBy = (sql: string): string | undefined =>
  /^(?:insert(?: or fail)? into|update(?: or fail)?|delete from) "(\w+)"/i.exec(sql)?.[1];

/** Applies the story's faults to the core's statements, and checks every commit. */
export function gateOf(run: Run): Gate {
  const { world } = run;
  const written = new Set<string>();
  /** The tables written before the savepoint; a rollback to it forgets the later ones. */
  let before: readonly string[] = [];
  return <Result>(sql: string, execute: () => Result): Result => {
    const fault = sql === 'ROLLBACK' ? undefined : world.faults.storage(sql);
    if (fault) {
      const [verb = ''] = sql.split(' ');
      world.note(`storage ${verb.toLowerCase()}: ${fault}`);
      world.reach(`fault: storage ${fault}`);
      if (sql === 'COMMIT') world.reach(`fault: ${fault} at a commit`);
      if (sql === 'SYNC') world.reach(`fault: ${fault} at a sync`);
    }
    if (fault === 'crash_before') {
      crash(run, 'before a statement');
      throw new Error('the process has ended');
    }
    if (fault === 'full') throw failure('SQLITE_FULL');
    if (fault === 'rolled_back') {
      if (world.database.inTransaction && sql !== 'SYNC') world.database.execute('ROLLBACK');
      throw failure('SQLITE_IOERR');
    }
    const result = execute();
    if (sql.startsWith('BEGIN')) {
      written.clear();
      world.storageLog?.begin();
    }
    if (sql === 'COMMIT') world.storageLog?.commit();
    if (sql.startsWith('SAVEPOINT')) before = [...written];
    if (sql.startsWith('ROLLBACK TO')) {
      written.clear();
      for (const table of before) written.add(table);
    }
    const table = writtenBy(sql);
    if (table !== undefined) written.add(table);
    if (sql === 'COMMIT' && written.size > 0) {
      world.note(`commit of ${[...written].join(', ')}`);
      world.commits += 1;
      world.reach('commit');
      checkCommitted(run, written);
    }
    if (fault === 'crash_after') {
      crash(run, 'after a statement');
      throw new Error('the process has ended');
    }
    return result;
  };
}
