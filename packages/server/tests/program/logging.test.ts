import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { logContract } from '@slipstream/port-contracts';
import { programFor } from '../../src/testing/index.js';
import { freshFolders } from '../helpers/child-server.js';
import { logDestination, jsonLogger, logFrom } from '../../src/index.js';

logContract('lines of JSON', () => logFrom(jsonLogger('info', { write: () => undefined })));

describe('the log', () => {
  it('on a full disk loses its lines, and nothing else', async () => {
    const fd = openSync('/dev/full', 'w');
    const destination = logDestination(fd);
    const log = logFrom(jsonLogger('info', destination));
    for (let line = 1; line <= 3; line++) {
      const failed = once(destination, 'error').catch((error: unknown) => [error]);
      log.info({ line }, 'said');
      const [error] = await failed;
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
    closeSync(fd);
  });

  it('keeps no process from its end: not on a full disk, and not where nobody reads a full pipe', async () => {
    // Nothing else of the server: what it does to its output must not matter.
    const built = new URL('../../dist/monitoring/', import.meta.url);
    const logging = `
      import { logDestination } from '${built}log-destination.js';
      import { jsonLogger } from '${built}logging.js';
      const log = jsonLogger('info', logDestination());
      for (let line = 1; line <= 100; line++) log.info({ long: 'x'.repeat(10_000) }, 'said');
      log.fatal({}, 'the end');
      process.exit(7);`;
    const outputs = [openSync('/dev/full', 'w'), 'pipe'] as const;
    for (const output of outputs) {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', logging], {
        cwd: import.meta.dirname,
        stdio: ['ignore', output, 'inherit'],
        timeout: 60_000,
        killSignal: 'SIGKILL',
      });
      expect(await once(child, 'exit')).toEqual([7, null]);
      child.stdout?.destroy();
    }
    closeSync(outputs[0]);
  });

  it('is whole and in order when its process ends at once', async () => {
    const logging = `
      import { jsonLogger, logDestination } from '@slipstream/server';
      const log = jsonLogger('info', logDestination());
      for (let line = 1; line <= 20_000; line++) log.info({ line }, 'said');
      setImmediate(() => process.exit());`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', logging], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual(
      Array.from({ length: 20_000 }, (_, index) => index + 1),
    );
  });

  it('that nobody reads holds 8 MiB at most', () => {
    const fd = openSync('/dev/null', 'w');
    const destination = logDestination(fd);
    let dropped = 0;
    destination.on('drop', () => (dropped += 1));
    // Nothing is written before this turn of the event loop ends.
    const log = logFrom(jsonLogger('info', destination));
    for (let line = 1; line <= 200; line++) log.info({ long: 'x'.repeat(100_000) }, 'said');
    expect(dropped).toBeGreaterThan(100);
  });

  it('removes secrets wherever a mistake puts them, and survives circular values', () => {
    const lines: string[] = [];
    const log = logFrom(jsonLogger('info', { write: (line) => void lines.push(line) }));
    const circle: Record<string, unknown> = { token: 'canary-1' };
    circle['again'] = circle;
    const error = Object.assign(new Error('refused'), { body: { password: 'canary-2' } });
    const fields = {
      token: 'canary-3',
      list: [{ api_token: 'canary-4' }],
      circle,
      error,
      kept: 'yes',
    };
    log.info(fields, 'said');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('canary');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      token: '[secret]',
      list: [{ api_token: '[secret]' }],
      error: { message: 'refused', body: { password: '[secret]' } },
      kept: 'yes',
    });
    expect(fields.token).toBe('canary-3');
  });
});

describe('a command on a full disk', () => {
  const freshFolder = freshFolders();
  const newUser = ['token', '--init', '--create', '--email', 'ann@example.com', '--scope', '*'];
  const program = programFor(newUser);

  it.each([
    ['whose result cannot be written says so, and its exit code is 1', 'stdout', 1],
    ['whose messages cannot be written does its work all the same', 'stderr', 0],
  ] as const)('%s', (_, unwritable, code) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [program, ...newUser], {
      cwd: freshFolder(),
      env: {},
      encoding: 'utf8',
      stdio: [
        'ignore',
        unwritable === 'stdout' ? full : 'pipe',
        unwritable === 'stderr' ? full : 'pipe',
      ],
    });
    closeSync(full);
    expect(status).toBe(code);
    if (unwritable === 'stdout')
      expect(stderr.split('\n')).toEqual([
        'This token is shown only once:',
        'The output could not be written: ENOSPC: no space left on device, write',
        '',
      ]);
  });

  it('whose database has no room says so, with the exit code 1', () => {
    const rows = Array.from({ length: 15_000 }, (_, at) => `S${at},S${at},Name,,stock,NASDAQ,USD,`);
    const header = 'symbol,stock,name,sector,security,exchange,peg,figi_composite';
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'many.csv'), [header, ...rows].join('\n'));
    // 2,400 blocks of 512 bytes: room for the empty tables.
    const limited = ['-c', 'ulimit -f 2400; exec "$@"', 'sh', process.execPath, program];
    const given = ['import-stocks', '--init', 'many.csv'];
    const { status, stderr } = spawnSync('sh', [...limited, ...given], {
      ...{ cwd, env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The database could not be used: .* Is there room on its disk\?.*$/m);
    expect(stderr).not.toContain('    at ');
  });

  it('whose copy has no room names the copy: nothing is wrong with the database', () => {
    const cwd = freshFolder();
    const ended = (command: string) =>
      spawnSync('sh', ['-c', command, 'sh', process.execPath, program], {
        ...{ cwd, env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
      });
    expect(ended('"$@" migrate --init').status).toBe(0);
    const { status, stderr } = ended('ulimit -f 200; exec "$@" backup copy.db');
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^copy\.db could not be made: .+\. Is there room on its disk\? The database is as it was\.\n$/,
      ),
    ]);
    expect(readdirSync(cwd)).toEqual(['data']);
  });

  it('that restores where there is no room names that place too, not the copy alone', () => {
    const cwd = freshFolder();
    const ended = (command: string, DATABASE_URL = 'sqlite:copy.db') =>
      spawnSync('sh', ['-c', command, 'sh', process.execPath, program], {
        ...{ cwd, env: { PATH: process.env['PATH'], DATABASE_URL }, encoding: 'utf8' },
      });
    expect(ended('"$@" migrate --init').status).toBe(0);
    const { status, stderr } = ended('ulimit -f 200; exec "$@" restore copy.db', 'sqlite:new.db');
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^\S+copy\.db cannot be copied to \S+new\.db \(EFBIG\)\n$/),
    ]);
  });

  it('that restores leaves no part of the master key where there is no room for it', () => {
    const cwd = freshFolder();
    const ended = (command: string, DATABASE_URL = 'sqlite:copy.db') =>
      spawnSync('sh', ['-c', command, 'sh', process.execPath, program], {
        ...{ cwd, env: { PATH: process.env['PATH'], DATABASE_URL }, encoding: 'utf8' },
      });
    expect(ended('"$@" migrate --init').status).toBe(0);
    writeFileSync(join(cwd, 'long.key'), 'k'.repeat(2_400 * 512 + 1));
    const command = 'ulimit -f 2400; exec "$@" restore copy.db --key long.key';
    const { status, stderr } = ended(command, 'sqlite:new/new.db');
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^\S*new\/secret\.key cannot be read or written \(EFBIG\)\n$/),
    ]);
    expect(readdirSync(join(cwd, 'new'))).not.toContain('secret.key');
  });
});
