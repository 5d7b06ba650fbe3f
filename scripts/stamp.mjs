// Whether something was built from the present files: a hash of all of them, kept beside what was built.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file, or all files in the folder, in order. */
export const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(join(path, name)))
    : [path];

/** Calls `build` unless `stampFile` has the hash of the files and `made` exists; `root` is where the names of the files begin. */
export async function unlessBuilt({ root, files, stampFile, made, build }) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file));
  const now = hash.digest('hex');
  const isBuilt = existsSync(made) && existsSync(stampFile);
  if (isBuilt && readFileSync(stampFile, 'utf8') === now) return;
  await build();
  writeFileSync(stampFile, now);
}
