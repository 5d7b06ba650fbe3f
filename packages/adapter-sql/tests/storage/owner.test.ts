import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openReader, requireSound } from '../../src/storage/connection.js';
import { openSqlite } from '../../src/index.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();
const holderScript = fileURLToPath(new URL('./holder.mjs', import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that holds the database and writes; resolves when it has said `lines` lines. */
async function startHolder(path: string, lines: number) {
  const child = spawn(process.execPath, [holderScript, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const said: string[] = [];
  const output = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  const allSaid = new Promise<void>((resolve) => {
    output.on('line', (line) => {
      said.push(line);
      if (said.length === lines) resolve();
    });
  });
  await Promise.race([
    allSaid,
    exited.then(() => {
      throw new Error('the holder did not start: is the package built?');
    }),
  ]);
  /** What it had said when it has ended. */
  const ended = async (): Promise<string[]> => {
    await Promise.all([exited, once(output, 'close')]);
    return said.slice(1);
  };
  const kill = (): Promise<string[]> => {
    child.kill('SIGKILL');
    return ended();
  };
  return { pid: child.pid, kill, ended };
}

describe('the owner of a database', () => {
  it('is named when another process asks for it', async () => {
    const path = newPath();
    const holder = await startHolder(path, 1);
    const refused = openSqlite({ path });
    await expect(refused).rejects.toMatchObject({
      name: 'DatabaseInUse',
      holder: { pid: holder.pid, host: hostname() },
    });
    await expect(refused).rejects.toThrow(`process ${holder.pid} on ${hostname()}`);
  });

  it('is followed by another after a crash; every answered effect is there, nothing is half done', async () => {
    const path = newPath();
    for (const lines of [1, 40, 100]) {
      const holder = await startHolder(path, lines);
      const reported = await holder.kill();
      const storage = await openSqlite({ path });
      const found = await storage.read(async ({ brokerAccounts }) => {
        const states: (string | undefined)[] = [];
        for (const account of reported) states.push(await brokerAccounts.find(account));
        return states;
      });
      expect(found).toEqual(reported.map(() => 'kept'));
      requireSound(openReader(path));
      await storage.close();
    }
  });

  it('is followed although somebody deleted the lock that it left', async () => {
    const path = newPath();
    const holder = await startHolder(path, 10);
    const reported = await holder.kill();
    rmSync(`${path}-lock`);
    const storage = await openSqlite({ path });
    const found = await storage.read(({ brokerAccounts }) =>
      Promise.all(reported.map((account) => brokerAccounts.find(account))),
    );
    expect(found).toEqual(reported.map(() => 'kept'));
    await storage.close();
  });

  it('may be this process only once at a time', async () => {
    const path = newPath();
    const first = await openSqlite({ path });
    await expect(openSqlite({ path })).rejects.toMatchObject({
      name: 'DatabaseInUse',
      holder: { pid: process.pid },
    });
    await first.run(({ brokerAccounts }) => brokerAccounts.save('account-1', 'kept'));
    await expect(openSqlite({ path })).rejects.toMatchObject({ name: 'DatabaseInUse' });
    await first.close();
    await first.close();
    expect(existsSync(`${path}-owner`)).toBe(false);
    const second = await openSqlite({ path });
    expect(await second.read(({ brokerAccounts }) => brokerAccounts.find('account-1'))).toBe(
      'kept',
    );
    await second.close();
  });
});

describe('a database whose file is taken away while it is open', () => {
  const ways: [string, (file: string) => void][] = [
    ['deleted', (file) => rmSync(file)],
    ['moved', (file) => renameSync(file, `${file}.old`)],
    [
      'replaced',
      (file) => {
        copyFileSync(file, `${file}.new`);
        renameSync(`${file}.new`, file);
      },
    ],
  ];
  const cases = ['', '-wal', '-lock'].flatMap((end) =>
    ways.map(([how, take]) => [end, how, take] as const),
  );

  it.each(cases)('takes nothing more: its file "%s" was %s', async (end, _, take) => {
    const path = newPath();
    const lost: unknown[] = [];
    const storage = await openSqlite({ path, onLost: (cause) => lost.push(cause) });
    const save = (account: string) =>
      storage.run(({ brokerAccounts }) => brokerAccounts.save(account, 'kept'));
    await save('before');
    take(`${path}${end}`);
    await expect(save('after')).rejects.toMatchObject({ name: 'StorageUnavailable' });
    await expect(save('later')).rejects.toMatchObject({ name: 'StorageUnavailable' });
    expect(lost).toMatchObject([{ name: 'DatabaseMoved' }]);
    await storage.close();
  });

  it('keeps the commits of a log that was deleted', async () => {
    const path = newPath();
    const child = await startHolder(path, 100);
    rmSync(`${path}-wal`);
    const said = await child.ended();
    const storage = await openSqlite({ path });
    const found = await storage.read(({ brokerAccounts }) =>
      Promise.all(said.map((account) => brokerAccounts.find(account))),
    );
    expect(found).toEqual(said.map(() => 'kept'));
    await storage.close();
  });
});
