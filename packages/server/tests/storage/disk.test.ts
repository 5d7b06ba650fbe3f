import { describe, expect, it } from '@jest/globals';
import { silentLog } from '@slipstream/adapter-memory/testing';
import { type Space, isShort, watchDisk } from '../../src/monitoring/disk.js';

const MEGABYTE = 2 ** 20;
const GIGABYTE = 2 ** 30;

describe('a disk', () => {
  it.each([
    [1.1 * GIGABYTE, 1000 * GIGABYTE, false],
    [0.9 * GIGABYTE, 1000 * GIGABYTE, true],
    [0.9 * GIGABYTE, 10 * GIGABYTE, false],
    [0.4 * GIGABYTE, 10 * GIGABYTE, true],
    [2 * MEGABYTE, 24 * MEGABYTE, false],
    [1 * MEGABYTE, 24 * MEGABYTE, true],
  ])('with %d of %d bytes left is short of space: %s', (free, size, short) => {
    expect(isShort({ free, size })).toBe(short);
  });

  it('is checked repeatedly, and logged once', async () => {
    const logged: unknown[] = [];
    const log = { ...silentLog(), error: (fields: object) => void logged.push(fields) };
    let space: Space = { free: 50, size: 100 };
    let beat = (): void => undefined;
    const timers = {
      every: (_: number, run: () => void) => {
        beat = run;
        return () => undefined;
      },
    };
    const settings = { DATABASE_URL: { kind: 'sqlite' as const, file: '/data/x.db' } };
    const disk = await watchDisk(settings, timers, log, async () => space);
    expect([disk.free(), disk.hasRoom()]).toEqual([50, true]);
    for (const free of [4, 3, 60]) {
      space = { free, size: 100 };
      beat();
      await Promise.resolve();
      await Promise.resolve();
      expect([disk.free(), disk.hasRoom()]).toEqual([free, free === 60]);
    }
    expect(logged).toEqual([{ free: 4 }]);
  });

  it('is not checked by a server that stores nothing', async () => {
    const timers = { every: () => () => undefined };
    const disk = await watchDisk({ DATABASE_URL: { kind: 'memory' } }, timers, silentLog());
    expect([disk.free(), disk.hasRoom()]).toEqual([undefined, true]);
  });
});
