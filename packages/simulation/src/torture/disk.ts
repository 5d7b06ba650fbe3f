import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { check, require } from './checks.js';
import { type Round, answersAgain } from './endings.js';
import { loadOn } from './load.js';
import { runProgram } from '@slipstream/server/testing';
import { type Place, placeIn, serve, serveArgs } from './program.js';
import { type Figures, setScene } from './scene.js';

const mayBeUnavailable = true;

/** A tmpfs of this size in a folder; undefined if it cannot be mounted. */
function smallDisk(folder: string, size: string): (() => void) | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  const unmount = (): void => {
    process.off('exit', unmount);
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  };
  process.once('exit', unmount);
  return unmount;
}

/**
 * Fills the disk: writes get 503 and change nothing, also across a kill; with free space the server continues. False if no
 * small disk can be mounted.
 */
export async function fillDisk(
  folder: string,
  figures: Figures,
  { random, name }: Omit<Round, 'scene'>,
): Promise<boolean> {
  const disk = join(folder, 'small-disk');
  const unmount = smallDisk(disk, '24m');
  if (!unmount) return false;
  try {
    const place = placeIn(folder, join(disk, 'slipstream.db'));
    const filler = join(disk, 'filler');
    fill(disk, filler);
    const { code } = await runProgram(folder, ['serve'], place.environment).ended;
    require(code === 1 ? [] : [`it ended with ${code}`], `${name}: the first start`);
    rmSync(filler);
    let server = await serve(place);
    requireKey(place, `${name}: the first start`);
    const scene = { place, ...(await setScene(server.url, figures)) };
    for (const [turn, killed] of [false, true].entries()) {
      const round = `${name}-${turn + 1}`;
      const { url } = server;
      const load = loadOn(scene, () => url, {
        connections: 5,
        random,
        name: round,
        mayBeUnavailable,
      });
      await wait(300);
      const { unavailable } = figures;
      fill(disk, filler);
      const until = performance.now() + 10_000;
      while (figures.unavailable < unavailable + 20 && performance.now() < until) {
        await wait(20);
        fill(disk, filler);
      }
      require(figures.unavailable > unavailable ? [] : ['nothing was refused'], round);
      if (killed) {
        server.process.kill('SIGKILL');
        await Promise.all([server.ended, load.done]);
        figures.kills += 1;
        rmSync(filler);
        server = await serve(place);
      } else {
        rmSync(filler);
        await answersAgain(scene, `${round}: there is space again`);
        load.stop();
        await load.done;
      }
      await check(scene, server, load, round);
    }
    server.process.kill('SIGTERM');
    await server.ended;
    return true;
  } finally {
    unmount();
  }
}

/** Fills the remaining space; the server takes some of it meanwhile. */
function fill(disk: string, filler: string): void {
  const { bavail, bsize } = statfsSync(disk);
  if (bavail === 0) return;
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Kills a first start again and again at random moments; then a start must succeed. */
export async function beginAnew(
  folder: string,
  adapters: string | undefined,
  figures: Figures,
  { random, name }: Omit<Round, 'scene'>,
): Promise<void> {
  mkdirSync(folder);
  const place = placeIn(folder, undefined, adapters);
  for (let time = 1; time <= 5; time += 1) {
    const starting = runProgram(folder, serveArgs(place), place.environment);
    await Promise.race([wait(Math.floor(random() * 1200)), starting.ended]);
    starting.process.kill('SIGKILL');
    await starting.ended;
    figures.kills += 1;
    figures.killsWhileStarting += 1;
  }
  const server = await serve(place);
  requireKey(place, name);
  await setScene(server.url, figures);
  server.process.kill('SIGTERM');
  const { code } = await server.ended;
  require(code === 0 ? [] : [`the exit code is ${code}`], name);
}

/** The file of the key that encrypts credentials must hold a whole key, however the first start went. */
function requireKey({ file }: Place, when: string): void {
  const key = readFileSync(join(dirname(file), 'secret.key'), 'utf8').trim();
  const isWhole = /^[0-9a-f]{64}$/.test(key);
  require(isWhole ? [] : [`the server runs with a key of ${key.length} characters`], when);
}
