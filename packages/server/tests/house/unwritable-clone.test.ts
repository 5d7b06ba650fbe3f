import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const SCRIPTS = resolve(import.meta.dirname, '../../../../scripts');
const NOBODY = 65_534;

describe('a clone that cannot be written', () => {
  let clone: string;
  beforeEach(() => {
    clone = realpathSync(mkdtempSync(join(tmpdir(), 'slipstream-clone-')));
    mkdirSync(join(clone, 'scripts'));
    cpSync(join(SCRIPTS, 'run.mjs'), join(clone, 'scripts/run.mjs'));
    chmodSync(clone, 0o555);
  });
  afterEach(() => {
    chmodSync(clone, 0o755);
    rmSync(clone, { recursive: true });
  });

  it('says so in a sentence, and how to go on', () => {
    const isRoot = process.getuid?.() === 0;
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(clone, 'scripts/run.mjs'), '--lean', 'packages/server/dist/main.js', 'demo'],
      // Root may write everywhere.
      { encoding: 'utf8', ...(isRoot && { uid: NOBODY, gid: NOBODY }) },
    );
    const program = join(clone, 'packages/server/dist/main.js');
    expect(stderr).toBe(
      `[setup] ${clone} cannot be written (EACCES): clone it to where you may write. What is built runs in any folder of yours: node "${program}" demo\n`,
    );
    expect([status, existsSync(join(clone, '.setup.lock'))]).toEqual([1, false]);
  });
});
