import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { killPrograms, listening, runProgram } from '@slipstream/server/testing';
import { laterNode } from '../src/later-node.js';

const node = laterNode();

// In CI it must be there: a skipped test would prove nothing.
const isLeftOut = node === undefined && process.env['CI'] === undefined;

(isLeftOut ? describe.skip : describe)('a later Node', () => {
  const path = node ?? '';
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipstream-later-node-'));
  });
  afterEach(() => {
    killPrograms();
    rmSync(folder, { recursive: true });
  });

  it('goes on when statements of SQLite are freed while no code runs', () => {
    const program = join(import.meta.dirname, 'free-statements.mjs');
    // What the collector frees between two turns is freed by a task: "Scavenge … task".
    const { stdout, signal } = spawnSync(path, ['--trace-gc', program], { encoding: 'utf8' });
    expect({ signal, ended: /^\d+ turns$/m.exec(stdout)?.[0] }).toEqual({
      signal: null,
      ended: '200 turns',
    });
    expect(stdout).toMatch(/Scavenge .* task;/);
  });

  it('serves by the built program, and stops', async () => {
    const server = runProgram(folder, ['serve'], { PORT: '0' }, path);
    const url = await listening(server);
    const { status } = await fetch(`${url}/newUser`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' }),
    });
    expect(status).toBe(200);
    for (let request = 0; request < 50; request += 1)
      expect((await fetch(`${url}/getServiceInfo`)).status).toBe(200);
    server.process.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});
