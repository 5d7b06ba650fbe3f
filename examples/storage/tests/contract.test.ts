import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { unitOfWorkContract } from '@slipstream/port-contracts';
import type { Storage } from '@slipstream/ports';
import { openFileStorage, openLines, storageOn } from '../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'example-storage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const fileOf = new WeakMap<Storage, string>();
const openIn = async (file: string): Promise<Storage> => {
  const storage = await openFileStorage(file);
  fileOf.set(storage, file);
  return storage;
};
const newFile = (): string => join(folder, `${(files += 1)}.jsonl`);

unitOfWorkContract('example storage', {
  open: () => openIn(newFile()),
  reopen: async (storage) => {
    await storage.close();
    return openIn(fileOf.get(storage) ?? '');
  },
  openFillable: async () => {
    const lines = await openLines(newFile());
    let isFull = false;
    const storage = storageOn({
      ...lines,
      append: async (writes) => {
        if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        await lines.append(writes);
      },
    });
    return { storage, fill: () => (isFull = true), makeRoom: () => (isFull = false) };
  },
});
