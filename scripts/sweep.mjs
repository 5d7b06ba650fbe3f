// Removes from every dist the output of sources that are gone: tsc leaves it there, and it would be packed and published.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
/** Built by another tool, not file by file from sources. */
const BUNDLED = ['dashboard', 'guide'].map((name) => join(root, 'packages', name, 'dist/pages'));
const OUTPUT = /\.(?:js|d\.ts)(?:\.map)?$/;

/** Whether anything is left in the folder. */
function sweep(dist, src) {
  const left = readdirSync(dist, { withFileTypes: true }).filter((entry) => {
    const path = join(dist, entry.name);
    if (BUNDLED.includes(path)) return true;
    const isGone = entry.isDirectory()
      ? !sweep(path, join(src, entry.name))
      : OUTPUT.test(entry.name) &&
        !['.ts', '.tsx'].some((ending) =>
          existsSync(join(src, entry.name.replace(OUTPUT, ending))),
        );
    if (isGone) rmSync(path, { recursive: true });
    return !isGone;
  });
  return left.length > 0;
}

for (const folder of ['packages', 'examples'])
  for (const name of readdirSync(join(root, folder))) {
    const [dist, src] = [join(root, folder, name, 'dist'), join(root, folder, name, 'src')];
    if (existsSync(dist) && existsSync(src)) sweep(dist, src);
  }
