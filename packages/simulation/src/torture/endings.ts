import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { check, checkPlace, require } from './checks.js';
import { loadOn } from './load.js';
import { copyOf } from './promised.js';
import { runProgram } from '@slipstream/server/testing';
import { type Server, placeIn, serve } from './program.js';
import { type Scene, clientOf, sendQuotes } from './scene.js';
import { openHandle } from '@slipstream/adapter-sql/testing';

export interface Round {
  readonly scene: Scene;
  readonly random: () => number;
  /** Part of the names of the round's requests. */
  readonly name: string;
}

const mayBeUnavailable = true;

/** SIGTERM under load: exit code 0, and every answered effect is there. */
export async function terminate({ scene, random, name }: Round, server: Server): Promise<Server> {
  const load = loadOn(scene, () => server.url, { connections: 5, random, name, mayBeUnavailable });
  await wait(Math.floor(50 + random() * 250));
  server.process.kill('SIGTERM');
  const { code, complaints } = await server.ended;
  load.stop();
  await load.done;
  require(code === 0 ? [] : [`the exit code is ${code}: ${complaints}`], name);
  const next = await serve(scene.place);
  await check(scene, next, load, name);
  return next;
}

/** A second process on the file is refused with the holder's name, and takes over after a crash. */
export async function takeOver({ scene, random, name }: Round, server: Server): Promise<Server> {
  const load = loadOn(scene, () => server.url, { connections: 2, random, name });
  const second = runProgram(scene.place.folder, ['serve'], scene.place.environment);
  const { code, complaints } = await second.ended;
  const isRefused = code === 1 && complaints.includes(`process ${server.process.pid}`);
  require(isRefused ? [] : [`a second process ended with ${code}: ${complaints}`], name);
  server.process.kill('SIGKILL');
  await Promise.all([server.ended, load.done]);
  const next = await serve(scene.place);
  await check(scene, next, load, name);
  return next;
}

/** A copy made while the server writes has every effect answered before, and can be served. */
export async function backUp({ scene, random, name }: Round, server: Server): Promise<Server> {
  const { place, promised } = scene;
  const copy = placeIn(join(place.folder, name));
  mkdirSync(dirname(copy.file), { recursive: true });
  const load = loadOn(scene, () => server.url, { connections: 5, random, name });
  await wait(100);
  const before = copyOf(promised);
  const { code, complaints } = await runProgram(
    place.folder,
    ['backup', copy.file],
    place.environment,
  ).ended;
  load.stop();
  await load.done;
  require(code === 0 ? load.faults : [`backup ended with ${code}: ${complaints}`], name);
  copyFileSync(join(dirname(place.file), 'secret.key'), join(dirname(copy.file), 'secret.key'));
  const restored = await serve(copy);
  await sendQuotes(restored.url);
  await checkPlace(copy.file, before, `${name}, restored`);
  const [strategy_id = ''] = scene.strategyIds;
  await clientOf(restored.url, scene.token).newOrderAllocations({ strategy_id, allocations: [] });
  restored.process.kill('SIGTERM');
  await restored.ended;
  await check(scene, server, load, name);
  return server;
}

/** While another connection holds the write lock, writes get 503; then they succeed again. */
export async function lock({ scene, random, name }: Round, server: Server): Promise<Server> {
  const { unavailable } = scene.figures;
  const load = loadOn(scene, () => server.url, { connections: 5, random, name, mayBeUnavailable });
  const other = openHandle(scene.place.file, { timeout: 5000 });
  try {
    await wait(50);
    other.exec('BEGIN IMMEDIATE');
    await wait(3000);
    require(scene.figures.unavailable > unavailable ? [] : ['nothing was refused'], name);
    other.exec('ROLLBACK');
  } finally {
    other.close();
  }
  await answersAgain(scene, 'the lock was let go');
  load.stop();
  await load.done;
  await check(scene, server, load, name);
  return server;
}

/** Fails if no request is answered. */
export async function answersAgain({ figures }: Scene, since: string): Promise<void> {
  const { answered } = figures;
  const until = performance.now() + 10_000;
  while (figures.answered < answered + 50) {
    if (performance.now() > until) require(['requests are not answered again'], since);
    await wait(20);
  }
}
