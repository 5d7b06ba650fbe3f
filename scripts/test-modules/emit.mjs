// Writes what esbuild made.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/** A plugin: a module keeps the address that it has, because it reads files beside it. */
export const keepsAddress = (filter) => ({
  name: 'address',
  setup({ onLoad }) {
    onLoad({ filter }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path)),
      loader: 'default',
    }));
  },
});

/** Written beside and renamed: another start of the tests may read it, and a copied tree may share the file. */
function write({ path, text }) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

const WRITTEN = /\.m?js$/;

/** Writes these modules, and removes others from their folder. */
export function emit(folder, modules) {
  modules.forEach(write);
  const made = new Set(modules.map(({ path }) => path));
  for (const name of readdirSync(folder, { recursive: true }))
    if (WRITTEN.test(name) && !made.has(join(folder, name)))
      rmSync(join(folder, name), { force: true });
}
