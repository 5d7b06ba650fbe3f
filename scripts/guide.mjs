// Builds the documentation as a site, unless no text that it is built from has changed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { filesIn, unlessBuilt } from './stamp.mjs';

const root = resolve(import.meta.dirname, '..');
const home = join(root, 'packages/guide');
const readmes = ['packages', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'README.md')),
);
const texts = ['README.md', 'CONTRIBUTING.md', 'deploy/README.md'].map((name) => join(root, name));

await unlessBuilt({
  root,
  files: [
    ...[...texts, ...readmes].filter(existsSync),
    ...filesIn(join(root, 'docs')),
    ...filesIn(join(root, 'packages/dashboard/src/style')),
    ...['site', 'eleventy.config.js', 'package.json'].flatMap((name) => filesIn(join(home, name))),
    join(root, 'pnpm-lock.yaml'),
  ],
  stampFile: join(home, 'dist/.site-stamp'),
  made: join(home, 'dist/pages/index.html'),
  async build() {
    rmSync(join(home, 'dist/pages'), { recursive: true, force: true });
    const eleventy = join(home, 'node_modules/@11ty/eleventy/cmd.cjs');
    const child = spawn(process.execPath, [eleventy], {
      cwd: home,
      stdio: ['ignore', 'ignore', 2],
    });
    const [status] = await once(child, 'exit');
    if (status === 0) return;
    process.stderr.write('[setup] the guide does not build\n');
    process.exit(1);
  },
});
