import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Disk, Log, Timers } from '@slipstream/ports';
import type { ServerSettings } from '../settings/settings.js';

const EVERY = 10_000;
/** The disk is nearly full if less than this part of it and less than this many bytes are free. */
const SHORT_PART = 0.05;
const SHORT_BYTES = 2 ** 30;

/** Why a server is not ready. */
export const DISK_IS_SHORT = 'the disk of the database is nearly full';

/** The disk of the database file. */
export interface WatchedDisk extends Disk {
  hasRoom(): boolean;
  stop(): void;
}

export interface Space {
  readonly free: number;
  readonly size: number;
}

/** The room on the disk of the folder. */
export const spaceOf = async (folder: string): Promise<Space> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
};

export const isShort = ({ free, size }: Space): boolean =>
  free < Math.min(SHORT_BYTES, size * SHORT_PART);

/** Checks the disk of the database regularly, and logs an error if it is nearly full. */
export async function watchDisk(
  { DATABASE_URL: url }: Pick<ServerSettings, 'DATABASE_URL'>,
  timers: Timers,
  log: Log,
  look: (folder: string) => Promise<Space> = spaceOf,
): Promise<WatchedDisk> {
  let latest: Space | undefined;
  const folder = url.kind === 'sqlite' ? dirname(resolve(url.file)) : undefined;
  const check = async (): Promise<void> => {
    if (folder === undefined) return;
    const was = latest !== undefined && isShort(latest);
    try {
      latest = await look(folder);
    } catch (error) {
      log.warn({ error }, 'could not read the free disk space');
      return;
    }
    if (isShort(latest) && !was) log.error({ free: latest.free }, 'the disk is nearly full');
  };
  await check();
  const stop = timers.every(EVERY, () => void check());
  return { free: () => latest?.free, hasRoom: () => !latest || !isShort(latest), stop };
}
