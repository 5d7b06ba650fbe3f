import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseInUse, ownDatabase } from '@slipstream/adapter-sql';
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

/** While a replay runs, files of this name say so. */
const RUNNING = 'replay';
/** SQLite keeps a journal beside a lock that is held. */
const isLock = (name: string): boolean =>
  [`${RUNNING}-lock`, `${RUNNING}-lock-journal`, `${RUNNING}-owner`].includes(name);

const isOurs = (name: string): boolean =>
  isLock(name) ||
  Object.values(FILES).some(
    (file) =>
      name === file ||
      name.startsWith(`${FILES.unfinished}`) ||
      name.startsWith(`${FILES.database}-`) ||
      name.startsWith(`${FILES.database}.`),
  );

/** Makes this process the only one that replays into the folder, until the returned function is called or it ends. */
function own(folder: string): () => void {
  try {
    const disown = ownDatabase(join(folder, RUNNING));
    return () => {
      rmSync(join(folder, `${RUNNING}-lock`), { force: true });
      disown();
    };
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    const by = error.holder ? ` (process ${error.holder.pid} on ${error.holder.host})` : '';
    throw new Refusal(
      'conflict',
      `a replay into ${folder} is running${by}; choose another folder for --out`,
    );
  }
}

/** The folder of the output. */
interface OutputFolder {
  /** Whether an earlier replay into it had not ended. */
  readonly wasUnfinished: boolean;
  /** From now on another process may replay into it. */
  release(): void;
}

/** Makes the folder of the output, or clears one of an earlier replay. One that another process replays into is refused. */
export function openFolder(folder: string, force: boolean): OutputFolder {
  mkdirSync(folder, { recursive: true });
  const foreign = readdirSync(folder).find((name) => !isOurs(name));
  if (foreign !== undefined)
    throw new Refusal(
      'conflict',
      `${folder} has ${foreign}, which is no file of a replay; choose another folder for --out`,
    );
  const release = own(folder);
  try {
    const names = readdirSync(folder).filter((name) => !isLock(name));
    const wasUnfinished = names.length > 0 && !existsSync(join(folder, FILES.database));
    if (names.length > 0 && !wasUnfinished && !force)
      throw new Refusal('conflict', `${folder} has a replay already; --force replaces it`);
    for (const name of names) rmSync(join(folder, name));
    return { wasUnfinished, release };
  } catch (error) {
    release();
    throw error;
  }
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
