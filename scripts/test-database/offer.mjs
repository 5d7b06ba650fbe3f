// A process that starts a PostgreSQL for the tests when the first of them asks for one.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

export function offerDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-pg-'));
  // It ends with its pipe: also when this process is killed.
  const supervisor = spawn(
    process.execPath,
    [join(import.meta.dirname, 'supervisor.mjs'), folder],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  );
  supervisor.unref();
  supervisor.stdin.unref();
  process.env.SLIPSTREAM_TEST_DATABASE = join(folder, 'ask');
}
