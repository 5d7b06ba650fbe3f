import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the files of one trial. It is on a disk, as the product's would be, not in memory. */
export interface Folder {
  file(name: string): string;
  remove(): void;
}

export function newFolder(parent = tmpdir()): Folder {
  const path = mkdtempSync(join(parent, 'slipstream-bench-'));
  return {
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
