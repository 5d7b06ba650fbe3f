import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openMemory } from '@slipstream/adapter-memory';
import { openSqlite } from '@slipstream/adapter-sql';
import type { UnitOfWork } from '@slipstream/ports';

/** Opens an empty storage. */
export type OpenStorage = () => Promise<UnitOfWork & { close?(): Promise<void> }>;

const KNOWN: ReadonlyMap<string, OpenStorage> = new Map<string, OpenStorage>([
  ['memory', async () => openMemory()],
  ['sqlite', () => openSqlite({ path: ':memory:' })],
]);

/** The storage of that name, or the `openStorage` that the module at that path exports. */
export async function storageNamed(name: string): Promise<OpenStorage> {
  const known = KNOWN.get(name);
  if (known) return known;
  const module = (await import(pathToFileURL(resolve(name)).href)) as Record<string, unknown>;
  const { openStorage } = module;
  if (typeof openStorage !== 'function')
    throw new Error(`${name} exports no function openStorage that opens an empty storage`);
  return openStorage as OpenStorage;
}
