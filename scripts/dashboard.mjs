// Builds the pages of the dashboard, unless nothing that they are built from has changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

const packages = resolve(import.meta.dirname, '../packages');
const home = join(packages, 'dashboard');
const stampFile = join(home, 'dist/.pages-stamp');
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'];

const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(join(path, name)))
    : [path];

function stamp() {
  const files = [
    ...SOURCES.flatMap((name) => filesIn(join(home, name))),
    ...filesIn(join(packages, 'client/dist')).filter((file) => file.endsWith('.js')),
    join(packages, 'wire/dist/routes.js'),
    join(packages, '../pnpm-lock.yaml'),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(packages.length)).update(readFileSync(file));
  return hash.digest('hex');
}

const now = stamp();
const isBuilt = existsSync(join(home, 'dist/pages/index.html'));
if (!isBuilt || !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== now) {
  const vite = join(home, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build'], {
    cwd: home,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    process.stderr.write('[setup] the dashboard does not build\n');
    process.exit(1);
  }
  writeFileSync(stampFile, now);
}
