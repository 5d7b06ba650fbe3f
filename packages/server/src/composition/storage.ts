import { writeSync } from 'node:fs';
import { openMemory } from '@slipstream/adapter-memory';
import { DatabaseMoved, openPostgres, openSqlite, requireOwnFile } from '@slipstream/adapter-sql';
import type { Log, Storage, UnitOfWork } from '@slipstream/ports';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { jsonLogger } from '../monitoring/logging.js';
import type { ServerSettings } from '../settings/settings.js';

/** The usual log is written a moment later, when this process is no more. */
const writtenAtOnce = {
  write: (line: string): void => {
    try {
      writeSync(1, line);
    } catch {
      // Nobody could be told.
    }
  },
};

/** Tells that the database was changed: the release before cannot use it any more. */
export const migratedTo =
  (log: Log) =>
  (migrations: readonly string[]): void =>
    log.info(
      { migrations: migrations.length, schema: migrations.at(-1) },
      'brought the database up to date',
    );

/** Opens the storage that DATABASE_URL names. */
function opener({ DATABASE_URL: url, LEASE_SECONDS: lease }: ServerSettings) {
  if (url.kind === 'memory') return () => openMemory();
  if (url.kind === 'postgres')
    return (log: Log) =>
      openPostgres({
        ...{ url: url.url, lease: lease * 1000, onMigrated: migratedTo(log) },
        // What it answers from now on could be of before.
        onEnded: () => {
          log.error({}, 'another process took the database over, or it has lost commits: it ends');
          process.kill(process.pid, 'SIGTERM');
        },
      });
  // Before a key is made beside it.
  requireOwnFile(url.file);
  return (log: Log) =>
    openSqlite({
      path: url.file,
      onMigrated: migratedTo(log),
      onLost: (error) => {
        const what =
          error instanceof DatabaseMoved ? error.message : 'the disk did not keep what was written';
        jsonLogger('error', writtenAtOnce).error({ error }, `${what}: this process ends`);
        // At once: any answer would say whether it was done, and the next start finds out.
        process.kill(process.pid, 'SIGKILL');
      },
    });
}

/** The storage of the settings; a process that may not go on with it ends itself. */
export function storage(
  unitOfWork: ServiceIdentifier<UnitOfWork>,
  log: ServiceIdentifier<Log>,
  settings: ServerSettings,
): ContainerModule {
  const open = opener(settings);
  return new ContainerModule(({ bind }) => {
    bind(unitOfWork)
      .toResolvedValue((tell: Log) => open(tell), [log])
      .onDeactivation((opened) => (opened as Storage).close());
  });
}
