import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openMemory } from '@slipstream/adapter-memory';
import { openSqlite } from '@slipstream/adapter-sql';
import type { Log, UnitOfWork } from '@slipstream/ports';

/** Opens an empty storage. */
export type OpenStorage = () => Promise<UnitOfWork & { close?(): Promise<void> }>;

const KNOWN: ReadonlyMap<string, OpenStorage> = new Map<string, OpenStorage>([
  ['memory', async () => openMemory()],
  ['sqlite', () => openSqlite({ path: ':memory:' })],
]);

export function storageNamed(name: string): OpenStorage {
  const known = KNOWN.get(name);
  if (known) return known;
  throw new Error(
    `there is no storage ${name}: ${[...KNOWN.keys()].join(', ')}, or --with a module of yours`,
  );
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * The storage of a module for `main.js serve --with`, whose default export opens adapters. Each storage opens in an empty
 * working directory, with the path of a database that does not exist.
 */
export async function storageOf(file: string): Promise<OpenStorage> {
  const path = resolve(file);
  const { default: open } = (await import(pathToFileURL(path).href)) as {
    readonly default?: unknown;
  };
  if (typeof open !== 'function')
    throw new Error(`${file} must export a function as its default: many storages are opened`);
  return async () => {
    const home = process.cwd();
    const folder = mkdtempSync(join(tmpdir(), 'slipstream-story-'));
    const settings = { DATABASE_URL: { kind: 'sqlite', file: join(folder, 'slipstream.db') } };
    process.chdir(folder);
    try {
      const { unitOfWork } = (await (open as (host: object) => unknown)({
        settings,
        log: silent,
      })) as {
        readonly unitOfWork?: UnitOfWork & { close?(): Promise<void> };
      };
      if (!unitOfWork) throw new Error(`${file} opens no unitOfWork`);
      return {
        run: unitOfWork.run,
        read: unitOfWork.read,
        subscribe: unitOfWork.subscribe,
        close: async () => {
          await unitOfWork.close?.();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    } finally {
      process.chdir(home);
    }
  };
}
