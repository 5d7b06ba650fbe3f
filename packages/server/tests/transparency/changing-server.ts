import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { backupSqlite, importSqlite, restoreSqlite } from '@slipstream/adapter-sql';
import { oneMoreDatabase } from '../../../adapter-sql/tests/postgres/database.js';
import {
  type ComposedOptions,
  type ComposedServer,
  IN_SESSION,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';

/**
 * How one server follows the other: after a stop, or a crash at this moment; over a copy that was made beside it and restored; or over
 * PostgreSQL, where everything was moved to.
 */
export type Ending = 'stop' | 'crash' | 'restore' | 'move';

/** One server after another over one database. Whoever holds it speaks to the one that runs. */
export interface ChangingServer extends ComposedServer {
  /** Ends the server, and starts another one over what it left. */
  change(how: Ending): Promise<void>;
}

type Options = Omit<ComposedOptions, 'storage' | 'folder'>;

/** Opens the first one, over a SQLite file. What the tests hand over outlives each server. */
export async function changingServer(options: Options): Promise<ChangingServer> {
  const { clock = fixedClock(IN_SESSION) } = options;
  const folders = [newFolder()];
  const folder = (): string => folders.at(-1) ?? '';
  const file = (): string => join(folder(), 'slipstream.db');
  let environment = { ...options.environment };
  const open = () =>
    composedServer({ ...options, clock, environment, storage: 'sqlite', folder: folder() });
  let now = await open();

  const following: Readonly<Record<Ending, () => Promise<void>>> = {
    stop: () => now.close(),
    async crash() {
      // The next one starts over a copy of what there is now, as a power cut leaves it; the first one is heard no more.
      const to = newFolder();
      cpSync(folder(), to, { recursive: true });
      await now.close();
      folders.push(to);
    },
    async restore() {
      const copy = join(newFolder(), 'copy.db');
      await backupSqlite(file(), copy);
      await now.close();
      folders.push(join(copy, '..'), newFolder());
      await restoreSqlite(copy, file(), async () => undefined);
    },
    async move() {
      const { url } = await oneMoreDatabase();
      await now.close();
      await importSqlite(file(), url, { force: false, progressed: () => undefined });
      environment = { ...environment, DATABASE_URL: url };
    },
  };

  return {
    get url() {
      return now.url;
    },
    get application() {
      return now.application;
    },
    clock,
    attempt: (...asked) => now.attempt(...asked),
    ask: (...asked) => now.ask(...asked),
    call: (...asked) => now.call(...asked),
    user: (...asked) => now.user(...asked),
    quotes: (prices) => now.quotes(prices),
    stream: (token) => now.stream(token),
    shutDown: () => now.shutDown(),
    async change(how) {
      await following[how]();
      now = await open();
      // As at the first beat of its host.
      await now.application.background.rankStrategies();
    },
    async close() {
      await now.close();
      for (const one of folders) rmSync(one, { recursive: true, force: true });
    },
  };
}
