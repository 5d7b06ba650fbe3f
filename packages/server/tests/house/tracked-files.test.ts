import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../helpers/repository.js';

/** What the repository consists of; a profile, a snapshot or a log is none of these. */
const KINDS = [
  ...['ts', 'tsx', 'mjs', 'js', 'cjs', 'json', 'md', 'yaml', 'css', 'html', 'svg', 'webp'],
  ...['py', 'c', 'njk', 'sql', 'service', 'gz'],
];
const NAMES = [
  ...['LICENSE', 'Dockerfile', 'Caddyfile', 'run'],
  ...['.gitignore', '.dockerignore'],
];
/** Bytes. */
const LARGEST = 150_000;
const LARGER = ['pnpm-lock.yaml'];

/** Undefined where no git or no history is: an unpacked archive does not say which files belong to it. */
function trackedFiles(): readonly string[] | undefined {
  const asked = spawnSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (asked.status !== 0) return undefined;
  return asked.stdout.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
}
const tracked = trackedFiles() ?? [];

function isKnown(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const kind = name.slice(name.lastIndexOf('.') + 1);
  return NAMES.includes(name) || KINDS.includes(kind);
}

(tracked.length > 0 ? describe : describe.skip)('the tracked files', () => {
  it('are of the kinds that the repository consists of', () => {
    expect(tracked.length).toBeGreaterThan(1000);
    expect(tracked.filter((file) => !isKnown(file))).toEqual([]);
  });

  it('are small, except the lock file', () => {
    const large = tracked.filter((file) => statSync(join(ROOT, file)).size > LARGEST);
    expect(large).toEqual(LARGER);
  });

  // The policy of our pages lets a text be evaluated once: the second look at the condition fails.
  it('wait in a page for a function, never for a text', () => {
    const tests = tracked.filter((file) => /^packages\/browser-tests\/.*\.ts$/.test(file));
    expect(tests.length).toBeGreaterThan(20);
    const waits = (file: string) =>
      /waitForFunction\(\s*['"`]/.test(readFileSync(join(ROOT, file), 'utf8'));
    expect(tests.filter(waits)).toEqual([]);
  });
});
