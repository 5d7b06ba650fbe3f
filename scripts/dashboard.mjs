// Builds the pages of the dashboard, unless nothing that they are built from has changed.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { filesIn, unlessBuilt } from './stamp.mjs';

const packages = resolve(import.meta.dirname, '../packages');
const home = join(packages, 'dashboard');
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'];

await unlessBuilt({
  root: packages,
  files: [
    ...SOURCES.flatMap((name) => filesIn(join(home, name))),
    ...filesIn(join(packages, 'client/dist')).filter((file) => file.endsWith('.js')),
    ...['routes', 'requests/try-again'].map((name) => join(packages, `wire/dist/${name}.js`)),
    join(packages, '../pnpm-lock.yaml'),
  ],
  stampFile: join(home, 'dist/.pages-stamp'),
  made: join(home, 'dist/pages/index.html'),
  build() {
    const vite = join(home, 'node_modules/vite/bin/vite.js');
    const { status } = spawnSync(process.execPath, [vite, 'build'], {
      cwd: home,
      stdio: ['ignore', 2, 2],
    });
    if (status === 0) return;
    process.stderr.write('[setup] the dashboard does not build\n');
    process.exit(1);
  },
});
