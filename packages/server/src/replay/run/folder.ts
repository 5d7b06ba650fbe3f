import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '@slipstream/domain';

/** The files of a replay. A database has its name only when the replay has ended well. */
export const FILES = {
  database: 'replay.db',
  unfinished: 'replay.db.unfinished',
  key: 'secret.key',
  bars: 'bars.tmp',
  dropped: 'dropped.csv',
  trades: 'trades.csv',
  equity: 'equity.csv',
  refused: 'refused.csv',
  record: 'record.jsonl',
  statistics: 'statistics.json',
  benchmark: 'benchmark.csv',
  report: 'report.html',
  run: 'run.json',
} as const;

const isOurs = (name: string): boolean =>
  Object.values(FILES).some(
    (file) =>
      name === file ||
      name.startsWith(`${FILES.unfinished}`) ||
      name.startsWith(`${FILES.database}-`) ||
      name.startsWith(`${FILES.database}.`),
  );

/** Makes the folder of the output, or clears one of an earlier replay. Returns whether that replay had not ended. */
export function openFolder(folder: string, force: boolean): { readonly wasUnfinished: boolean } {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(folder);
  const foreign = names.find((name) => !isOurs(name));
  if (foreign !== undefined)
    throw new Refusal(
      'conflict',
      `${folder} has ${foreign}, which is no file of a replay; choose another folder for --out`,
    );
  const wasUnfinished = names.length > 0 && !existsSync(join(folder, FILES.database));
  if (names.length > 0 && !wasUnfinished && !force)
    throw new Refusal('conflict', `${folder} has a replay already; --force replaces it`);
  for (const name of names) rmSync(join(folder, name));
  return { wasUnfinished };
}

/** Gives the database its name: the replay has ended well. */
export function finish(folder: string): void {
  const log = join(folder, `${FILES.unfinished}-wal`);
  if (existsSync(log) && statSync(log).size > 0)
    throw new Error(`${log} is not empty: the database was not closed`);
  renameSync(join(folder, FILES.unfinished), join(folder, FILES.database));
  for (const name of readdirSync(folder))
    if (name.startsWith(FILES.unfinished)) rmSync(join(folder, name));
}
