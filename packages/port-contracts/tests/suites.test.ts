import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** Runs the suites on purpose over adapters that are wrong, and answers what failed: adapter to the numbers of its cases. */
function failures(): Readonly<Record<string, readonly string[]>> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--json',
      '--runInBand',
      '--testMatch',
      '<rootDir>/packages/*/tests/wrong/*.ts',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const found: Record<string, string[]> = {};
  for (const { ancestorTitles, title, status } of (
    JSON.parse(stdout) as Report
  ).testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const adapter = /contract: (.*)/.exec(ancestorTitles[0] ?? '')?.[1] ?? '';
    const failed = (found[adapter] ??= []);
    const name = /^[A-Z]{2}-\d+/.exec(title)?.[0] ?? title;
    if (status === 'failed' && !failed.includes(name)) failed.push(name);
  }
  return found;
}

describe('the suites', () => {
  it('find every wrong adapter by the case that is named after its fault, and by no other', () => {
    expect(failures()).toEqual({
      'the reference': [],
      'tells inside of the work': ['UW-01'],
      'asks early': ['UW-02'],
      'reads many moments': ['UW-03'],
      'moves what is saved': ['UW-04'],
      'forgets maps': ['UW-05'],
      'throws plainly': ['UW-07'],
      'tells too early': ['UW-08'],
      'the reference broker': [],
      'takes no answer for no order': ['BC-23'],
      'takes no answer for an empty account': ['BC-24'],
      'trades the first of that ticker': ['BC-27'],
      'has rules for everything': ['BC-22'],
      'forgets what was filled': ['BC-26'],
    });
  }, 180_000);
});
