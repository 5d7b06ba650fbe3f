import { existsSync, statSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isShort, spaceOf } from '../monitoring/disk.js';
import { keyFileOf } from '../composition/secret-key.js';
import type { ServerSettings } from '../settings/settings.js';
import { isThere } from '../settings/is-there.js';
import { type Finding, findingsAbout, inShort } from './finding.js';

const GB = 2 ** 30;
/** The number of writes whose time is taken. */
const WRITES = 7;
/** Above this many milliseconds a write to the disk is slow: every alert waits for one. */
const SLOW_WRITE = 20;

/** A write that the disk, or a quota, has no room for. */
const FULL = ['ENOSPC', 'EDQUOT'];
/** What to do about a disk that is full. */
export const ROOM = 'Make room on this disk, or move the database to another.';

/** What lets the server write in the folder. */
export function toWriteIn(folder: string, error: unknown): string {
  const code = inShort(error);
  if (FULL.includes(code)) return ROOM;
  if (code === 'EROFS')
    return `Mount the disk of ${folder} to be written. If it was, it has failed, and the system lets it only be read: check it.`;
  return code === 'EIO'
    ? `Check the disk of ${folder}: it fails.`
    : `Let the user that runs the server write in ${folder}.`;
}

/** The nearest folder that exists: the first start makes the others. */
const existing = (folder: string): string =>
  existsSync(folder) ? folder : existing(dirname(folder));

/** The middle time of a few small writes that reach the disk, in milliseconds. */
async function timeOfWrite(folder: string): Promise<number> {
  const place = await mkdtemp(join(folder, 'doctor-'));
  try {
    const file = await open(join(place, 'written'), 'w');
    const times: number[] = [];
    try {
      for (let turn = 0; turn < WRITES; turn += 1) {
        const began = performance.now();
        await file.write(Buffer.alloc(4096, turn));
        await file.sync();
        times.push(performance.now() - began);
      }
    } finally {
      await file.close();
    }
    return times.sort((one, other) => one - other)[Math.floor(WRITES / 2)] ?? 0;
  } finally {
    await rm(place, { recursive: true });
  }
}

/** The disk of a database in a file: its room, and how long a write takes. */
export async function diskFindings({ DATABASE_URL: url }: ServerSettings): Promise<Finding[]> {
  const { good, doubtful, bad } = findingsAbout('disk');
  if (url.kind !== 'sqlite') return [];
  const folder = existing(dirname(resolve(url.file)));
  try {
    const space = await spaceOf(folder);
    const room = `${(space.free / GB).toFixed(1)} GB of ${(space.size / GB).toFixed(1)} GB are free in ${folder}`;
    const time = await timeOfWrite(folder);
    const writes = `a write takes ${time.toFixed(1)} ms`;
    if (isShort(space)) return [bad(`only ${room}`, ROOM)];
    return time > SLOW_WRITE
      ? [
          doubtful(
            `${room}; ${writes}`,
            'Use a faster disk: every alert and order waits for a write.',
          ),
        ]
      : [good(`${room}; ${writes}`)];
  } catch (error) {
    return [
      bad(
        `the folder of the database cannot be written (${inShort(error)})`,
        toWriteIn(folder, error),
      ),
    ];
  }
}

/** The master key, without which nobody reads the stored secrets. */
export function keyFindings(settings: ServerSettings): Finding[] {
  const { good, doubtful, bad } = findingsAbout('key');
  const file = keyFileOf(settings);
  const { DATABASE_URL: url } = settings;
  if (file === undefined)
    return settings.SECRET_KEY
      ? [good('the master key is in SECRET_KEY; keep a copy of it apart from the backups')]
      : url.kind === 'postgres'
        ? [
            bad(
              'there is no master key',
              'Set SECRET_KEY to a text of at least 32 characters: openssl rand -hex 32',
            ),
          ]
        : [];
  try {
    if (!isThere(file)) return [missingKey(settings, file)];
    return (statSync(file).mode & 0o077) === 0
      ? [good(`the master key is in ${file}; keep a copy of it apart from the backups`)]
      : [doubtful(`other users of this machine can read ${file}`, `chmod 600 ${file}`)];
  } catch (error) {
    return [
      bad(
        `the master key ${file} cannot be read (${inShort(error)})`,
        'Let the user that runs the server read it.',
      ),
    ];
  }
}

function missingKey({ DATABASE_URL: url }: ServerSettings, file: string): Finding {
  const { good, bad } = findingsAbout('key');
  return url.kind === 'sqlite' && isThere(url.file)
    ? bad(
        `the database exists, and its master key ${file} does not`,
        `Put the key back, or set SECRET_KEY. If it is lost for ever: replace-key --help`,
      )
    : good(`the first start makes the master key ${file}`);
}
