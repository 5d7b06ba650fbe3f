import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { aesSecretBox, sha256Fingerprints } from '@slipstream/adapter-crypto';
import { type SqliteStorage, openSqlite } from '@slipstream/adapter-sql';
import { type AuditEvent, DAY, HOUR, nextAuditEntry } from '@slipstream/domain';
import type { UnitOfWork } from '@slipstream/ports';
import { archiveFiles, archivesOf } from '../../src/audit/audit-archives.js';
import { verifyAll } from '../../src/cli/operator/audit-log.js';
import { nightlyRotation, rotateAudit } from '../../src/audit/rotate-audit.js';
import { runCommand } from '../helpers/run-command.js';

const { sha256 } = sha256Fingerprints();
const secretBox = aesSecretBox(['a master key of forty characters, at least']);
const folders: string[] = [];
let storage: SqliteStorage | undefined;

afterEach(async () => {
  await storage?.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const anEvent = (at: number): AuditEvent => ({
  at,
  actor: 'system',
  tokenId: null,
  ip: null,
  action: 'settle',
  objects: [`strategy:${at}`, 'order:é "x"'],
  outcome: 'ok',
  code: null,
  requestId: null,
});

/** A database with entries at 1, 2, 3, …; each is as many milliseconds old. */
async function logOf(entries: number) {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-'));
  folders.push(folder);
  const file = join(folder, 'a.db');
  const opened = await openSqlite({ path: file });
  storage = opened;
  const append = (count: number): Promise<void> =>
    opened.run(async ({ audit }) => {
      for (let more = 0; more < count; more += 1) {
        const last = await audit.last();
        await audit.save(nextAuditEntry(last, anEvent((last?.seq ?? 0) + 1), sha256));
      }
    });
  await append(entries);
  const log = { database: { kind: 'sqlite' as const, file }, archives: archivesOf(file) };
  const rotate = (before: number, unitOfWork: UnitOfWork = opened, goesOn?: () => boolean) =>
    rotateAudit({ unitOfWork, secretBox }, log.archives, before, goesOn);
  const kept = async (): Promise<number[]> =>
    (await opened.read(({ audit }) => audit.listAfter(0, 10_000))).map(({ seq }) => seq);
  const verify = (checks = {}, after = 0) => verifyAll(log, after, checks);
  return { log, append, rotate, kept, verify };
}

const intactTo = (seq: number) => ({ intact: true, head: expect.objectContaining({ seq }) });

describe('rotating the audit log', () => {
  it('moves old entries into archives, which verify as one chain with the rest', async () => {
    const { log, append, rotate, kept, verify } = await logOf(700);
    const before = await verify();
    expect(await rotate(601)).toBe(600);
    expect((await kept())[0]).toBe(601);
    expect(await verify()).toEqual(before);
    await append(50);
    expect(await rotate(701)).toBe(100);
    expect(await rotate(701)).toBe(0);
    expect((await archiveFiles(log.archives)).map(({ first, last }) => [first, last])).toEqual([
      [1, 600],
      [601, 700],
    ]);
    expect(await verify()).toEqual(intactTo(750));
    expect(await verify({}, 650)).toEqual(intactTo(750));
    if (before.intact) expect(await verify({ head: before.head.hash })).toEqual(intactTo(750));
  });

  it('keeps the last entry, which the next one follows', async () => {
    const { rotate, kept, verify, append } = await logOf(3);
    expect(await rotate(1_000)).toBe(2);
    expect(await kept()).toEqual([3]);
    await append(1);
    expect(await verify()).toEqual(intactTo(4));
  });

  it.each([0, 1, 2, 3, 4])(
    'that ends after %d transactions keeps the chain intact, and continues',
    async (lived) => {
      const { log, rotate, kept, verify } = await logOf(700);
      const before = await verify();
      let used = 0;
      const mortal = (unitOfWork: UnitOfWork): UnitOfWork => ({
        ...unitOfWork,
        run: async (work, options) => {
          if (used >= lived) throw new Error('the process ended');
          used += 1;
          return unitOfWork.run(work, options);
        },
      });
      if (!storage) throw new Error('no storage');
      const ends = rotate(601, mortal(storage));
      await (lived < 4 ? expect(ends).rejects.toThrow('ended') : ends);
      expect(await verify()).toEqual(before);
      expect((await kept())[0]).toBe(1 + 200 * Math.min(3, lived));
      await rotate(601);
      expect(await verify()).toEqual(before);
      expect(await kept()).toHaveLength(100);
      expect(await archiveFiles(log.archives)).toHaveLength(1);
    },
  );

  it('ignores an archive that a crash left unfinished', async () => {
    const { log, rotate, verify } = await logOf(20);
    await rotate(11);
    const [archive = ''] = readdirSync(log.archives);
    copyFileSync(join(log.archives, archive), join(log.archives, `${archive}.partial`));
    writeFileSync(
      join(log.archives, 'audit-000000000011-000000000015.jsonl.gz.partial'),
      'not whole',
    );
    expect(await rotate(16)).toBe(5);
    expect(await verify()).toEqual(intactTo(20));
  });

  it('removes nothing when the existing archive is not of this log', async () => {
    const { log, rotate, kept } = await logOf(20);
    await rotate(11);
    const [archive = ''] = readdirSync(log.archives);
    const strange = join(log.archives, 'audit-000000000011-000000000020.jsonl.gz');
    copyFileSync(join(log.archives, archive), strange);
    await expect(rotate(16)).rejects.toThrow('audit archive from entry 11 on');
    expect(await kept()).toHaveLength(10);
  });

  it('removes nothing when the database was restored from a copy before the archive, and goes on', async () => {
    const { log: later, rotate: rotateLater } = await logOf(20);
    await rotateLater(16);
    const [archive = ''] = readdirSync(later.archives);
    await storage?.close();
    const { log, append, rotate, kept, verify } = await logOf(10);
    await storage?.run(async ({ audit }) =>
      audit.save(nextAuditEntry(await audit.last(), anEvent(99), sha256)),
    );
    await append(9);
    mkdirSync(log.archives);
    copyFileSync(join(later.archives, archive), join(log.archives, archive));
    await expect(rotate(16)).rejects.toThrow('has other entries than the database');
    expect(await kept()).toHaveLength(20);
    rmSync(join(log.archives, archive));
    expect(await rotate(11)).toBe(10);
    expect(await verify()).toEqual(intactTo(20));
  });

  it('stops between two steps when the server stops', async () => {
    const { rotate, kept } = await logOf(20);
    expect(await rotate(11, undefined, () => false)).toBe(0);
    expect(await kept()).toHaveLength(20);
  });

  it('happens once a day, in a quiet hour', async () => {
    let [now, done] = [Date.UTC(2026, 0, 5, 5, 59), 0];
    const rotate = async () => (done += 1);
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const look = nightlyRotation(rotate, { now: () => now }, log);
    for (const minutes of [0, 1, 30, 60, 23 * 60]) {
      now = Date.UTC(2026, 0, 5, 5, 59) + minutes * 60_000;
      await look();
    }
    expect(done).toBe(1);
    now = Date.UTC(2026, 0, 6, 6);
    await look();
    expect(done).toBe(2);
  });

  it('happens an hour after the start of a server that is always off in that hour, and daily while it runs', async () => {
    let [now, done] = [Date.UTC(2026, 0, 5, 8), 0];
    const rotate = async () => (done += 1);
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const look = nightlyRotation(rotate, { now: () => now }, log);
    const found: number[] = [];
    for (const later of [0, HOUR - 1, HOUR, 5 * HOUR, 21 * HOUR, 22 * HOUR, DAY + 21 * HOUR]) {
      now = Date.UTC(2026, 0, 5, 8) + later;
      await look();
      found.push(done);
    }
    expect(found).toEqual([0, 0, 1, 1, 1, 2, 2]);
  });
});

describe('an archive of the audit log', () => {
  const rewritten = async (path: string, change: (lines: string[]) => string[]) => {
    const lines = gunzipSync(await readFile(path))
      .toString()
      .trimEnd()
      .split('\n');
    await writeFile(path, gzipSync(`${change(lines).join('\n')}\n`));
  };

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'an entry changed',
      ([first = '', ...rest]) => [first.replace('settle', 'upkeep'), ...rest],
      /changed/,
    ],
    ['an entry left out', (lines) => lines.toSpliced(3, 1), /missing/],
    ['its end cut off', (lines) => lines.slice(0, 5), /not whole/],
    ['its last entry gone', (lines) => lines.toSpliced(-2, 1), /not signed/],
    [
      'a signature of something else',
      (lines) => lines.map((line) => line.replace(/"signature":"../, '"signature":"00')),
      /not signed/,
    ],
    ['a line after its end', (lines) => [...lines, '{"slipped":"in"}'], /line 12 is not/],
    ['a second end', (lines) => [...lines, ...lines.slice(-1)], /line 12 is not/],
    [
      'a field slipped into an entry',
      ([first = '', ...rest]) => [first.replace('{', '{"note":"paid",'), ...rest],
      /line 1 is not/,
    ],
    [
      'a value that reads as the same',
      ([first = '', ...rest]) => [first.replace('"seq":1,', '"seq":"1",'), ...rest],
      /line 1 is not/,
    ],
    [
      'a field slipped into its end',
      (lines) => lines.map((line) => line.replace('"public_key"', '"note":"paid","public_key"')),
      /line 11 is not/,
    ],
    [
      'more after its signature',
      (lines) => lines.map((line) => line.replace(/("signature":"[^"]+)/, '$1zz')),
      /not signed/,
    ],
  ])('that has %s is found', async (_, change, reason) => {
    const { log, rotate, verify } = await logOf(20);
    await rotate(11);
    const [archive] = await archiveFiles(log.archives);
    await rewritten(archive?.path ?? '', change);
    expect(await verify()).toMatchObject({ intact: false, reason: expect.stringMatching(reason) });
  });

  it('for which there is no room is named, and leaves nothing on the disk', async () => {
    const { log, verify } = await logOf(2_000);
    await storage?.close();
    storage = undefined;
    const program = join(import.meta.dirname, '../../dist/main.js');
    // 120 blocks of 512 bytes: room for what opens the database.
    const limited = ['-c', 'ulimit -f 120; exec "$@"', 'sh', process.execPath, program];
    const { status, stderr } = spawnSync('sh', [...limited, 'audit', '--archive'], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: `sqlite:${log.database.file}`,
        SECRET_KEY: 'the master key of the tests and their servers',
      },
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^\S+\.jsonl\.gz cannot be read or written \(EFBIG\)\n$/),
    ]);
    expect(readdirSync(log.archives)).toEqual([]);
    expect(await verify()).toEqual(intactTo(2_000));
  });

  it('whose name claims other entries than it has is found', async () => {
    const { log, rotate, verify } = await logOf(20);
    await rotate(11);
    const [archive] = await archiveFiles(log.archives);
    renameSync(archive?.path ?? '', join(log.archives, 'audit-000000000001-000000000005.jsonl.gz'));
    expect(await verify()).toMatchObject({
      intact: false,
      reason: expect.stringContaining('named'),
    });
  });

  it('that cannot be read, or is missing, is reported in one line when the log is printed', async () => {
    const { log, rotate } = await logOf(20);
    await rotate(11);
    const command = ['audit', '--archives', log.archives];
    const environment = { DATABASE_URL: `sqlite:${log.database.file}` };
    const [archive] = await archiveFiles(log.archives);
    await writeFile(archive?.path ?? '', (await readFile(archive?.path ?? '')).subarray(0, 200));
    const unread = await runCommand(command, environment);
    expect(unread).toMatchObject({ code: 1, out: '' });
    expect(unread.complaints).toMatch(/^\S+\.jsonl\.gz cannot be read: .+\n$/);
    rmSync(archive?.path ?? '');
    const missing = await runCommand(command, environment);
    expect(missing.code).toBe(1);
    expect(missing.out.trim().split('\n')).toHaveLength(10);
    expect(missing.complaints).toBe(
      'entries 1 to 10 are missing; give the folder of their archives with --archives\n',
    );
    expect(await runCommand([...command, '--verify'], environment)).toMatchObject({
      code: 1,
      complaints: `The audit log is NOT intact at entry 1: ${missing.complaints.trim()}.\n`,
    });
    expect(await runCommand([...command, '--after', '10'], environment)).toMatchObject({ code: 0 });
  });

  it.each([[[]], [['--verify']], [['--after', '10']]])(
    'in a mistyped folder, or a file, are missed by audit %j: it would look at none',
    async (flags) => {
      const { log } = await logOf(3);
      const environment = { DATABASE_URL: `sqlite:${log.database.file}` };
      for (const given of [`${log.archives}-typo`, log.database.file])
        expect(await runCommand(['audit', ...flags, '--archives', given], environment)).toEqual({
          ...{ code: 1, out: '' },
          complaints: `there is no folder ${given}\n`,
        });
    },
  );

  it('that is missing is reported, unless only later entries are requested', async () => {
    const { log, rotate, verify } = await logOf(30);
    await rotate(11);
    await rotate(21);
    const [first, second] = await archiveFiles(log.archives);
    const away = `${first?.path}.away`;
    renameSync(first?.path ?? '', away);
    expect(await verify()).toMatchObject({ intact: false, seq: 1 });
    renameSync(away, first?.path ?? '');
    rmSync(second?.path ?? '');
    expect(await verify()).toMatchObject({ intact: false, seq: 11 });
    rmSync(first?.path ?? '');
    expect(await verify({}, 20)).toEqual(intactTo(30));
  });

  it('is signed by the key that follows from the master key', async () => {
    const { log, rotate, verify } = await logOf(20);
    await rotate(11);
    const [archive] = await archiveFiles(log.archives);
    const text = gunzipSync(await readFile(archive?.path ?? '')).toString();
    const [, key = ''] = /"public_key":"([\da-f]{64})"/.exec(text) ?? [];
    expect(await verify({ key })).toEqual(intactTo(20));
    expect(await verify({ key: '0'.repeat(64) })).toMatchObject({
      reason: expect.stringContaining('another key'),
    });
  });
});
