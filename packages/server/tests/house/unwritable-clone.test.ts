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
/** Root may write everywhere, and nobody may not read every Node: this process becomes nobody once it runs. */
const AS_NOBODY = 'data:text/javascript,process.setgid(65534);process.setuid(65534)';

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
    const script = [
      join(clone, 'scripts/run.mjs'),
      '--lean',
      'packages/server/dist/main.js',
      'demo',
    ];
    const { status, stderr } = spawnSync(
      process.execPath,
      process.getuid?.() === 0 ? ['--import', AS_NOBODY, ...script] : script,
      { encoding: 'utf8' },
    );
    const program = join(clone, 'packages/server/dist/main.js');
    expect(stderr).toBe(
      `[setup] ${clone} cannot be written (EACCES): clone it to where you may write. What is built runs in any folder of yours: node "${program}" demo\n`,
    );
    expect([status, existsSync(join(clone, '.setup.lock'))]).toEqual([1, false]);
  });
});
