import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Log } from '@slipstream/ports';
import { openServer, readSettings } from '../../src/index.js';

describe('a start without data', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'new-database-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = (): string => join(folder, 'slipstream.db');
  const remove = (): void => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file()}${end}`, { force: true });
  };
  /** What one start says of its database, level and text. */
  async function said(given: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const lines: string[] = [];
    const as =
      (level: string) =>
      ({ database }: { readonly database?: unknown }, message: string): void => {
        if (database !== undefined) lines.push(`${level} ${String(database)}: ${message}`);
      };
    const log: Log = { info: as('info'), warn: as('warn'), error: as('error') };
    const settings = { DATABASE_URL: `sqlite:${file()}`, PORT: '0', ...given };
    const server = await openServer(readSettings(settings), log);
    await server.close();
    return lines;
  }
  const begins = (level: string) => [
    `${level} ${file()}: the database was empty: everything begins anew. If there should be data, stop, and check DATABASE_URL and its volume`,
  ];

  it('says so, and only then', async () => {
    expect(await said()).toEqual(begins('info'));
    expect(await said()).toEqual([]);
  });

  it('warns where a key says that there were data', async () => {
    await said();
    remove();
    expect(await said()).toEqual(begins('warn'));
  });

  it.each([
    ['others use it', { PUBLIC_URL: 'https://slip.example' }],
    ['its key is a setting', { SECRET_KEY: 'k'.repeat(32) }],
  ])('warns where %s', async (_, settings) => {
    expect(await said(settings)).toEqual(begins('warn'));
    expect(await said(settings)).toEqual([]);
  });

  it('says nothing of a database in memory, which is empty at each start', async () => {
    expect(await said({ DATABASE_URL: 'memory:' })).toEqual([]);
  });

  describe('of a server whose MARKET was forgotten', () => {
    const deaf = { FEEDS: 'coinbase', COINBASE_STREAM_URL: 'ws://127.0.0.1:1' };
    it.each([
      ['push', {}],
      ['live', deaf],
    ])(
      'is refused after %s, also by a later one: it would fill orders at the quotes of the demo',
      async (MARKET, feeds) => {
        await said({ MARKET, ...feeds });
        for (let starts = 0; starts < 2; starts += 1)
          await expect(said()).rejects.toThrow(
            `MARKET is not set, which means simulated prices, and this database was last used with MARKET=${MARKET}: set MARKET=${MARKET}`,
          );
        await said({ MARKET: 'demo' });
        await said();
      },
    );

    it('is none where a host has set it in settings that were read without it', async () => {
      const log: Log = { info: () => {}, warn: () => {}, error: () => {} };
      const settings = readSettings({ DATABASE_URL: `sqlite:${file()}`, PORT: '0' });
      for (let starts = 0; starts < 2; starts += 1)
        await (await openServer({ ...settings, MARKET: 'push' }, log)).close();
    });

    it('goes on as the demo where it was one, and where there was nothing', async () => {
      await said();
      await said();
    });
  });
});
