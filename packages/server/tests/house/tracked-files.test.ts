import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../helpers/repository.js';

/** What the repository consists of; a profile, a snapshot or a log is none of these. */
const KINDS = [
  ...['ts', 'tsx', 'mjs', 'js', 'cjs', 'json', 'md', 'yaml', 'css', 'html', 'svg', 'webp'],
  ...['py', 'c', 'njk', 'service', 'gz'],
];
const NAMES = [
  ...['LICENSE', 'Dockerfile', 'Caddyfile', 'run'],
  ...['.gitignore', '.dockerignore', '.prettierignore'],
];
/** Bytes. */
const LARGEST = 150_000;
const LARGER = ['pnpm-lock.yaml'];

const isRepository = existsSync(join(ROOT, '.git'));
const tracked = isRepository
  ? execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
      .split('\0')
      .filter((file) => file !== '' && existsSync(join(ROOT, file)))
  : [];

function isKnown(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const kind = name.slice(name.lastIndexOf('.') + 1);
  return NAMES.includes(name) || KINDS.includes(kind);
}

// An unpacked archive without its history has nothing to say which files belong to it.
(isRepository ? describe : describe.skip)('the tracked files', () => {
  it('are of the kinds that the repository consists of', () => {
    expect(tracked.length).toBeGreaterThan(1000);
    expect(tracked.filter((file) => !isKnown(file))).toEqual([]);
  });

  it('are small, except the lock file', () => {
    const large = tracked.filter((file) => statSync(join(ROOT, file)).size > LARGEST);
    expect(large).toEqual(LARGER);
  });
});
