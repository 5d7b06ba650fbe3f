import { setTimeout as wait } from 'node:timers/promises';
import { check } from './checks.js';
import { loadOn } from './load.js';
import { runProgram } from '@slipstream/server/testing';
import { type Server, serve, serveArgs } from './program.js';
import type { Scene } from './scene.js';

const CONNECTIONS = 5;
/** The most milliseconds under load before the kill. */
const LONGEST_LIFE = 400;
/** After one kill in this many, the next server is killed while it starts. */
const WHILE_STARTING = 8;

/** Kills the server again and again at random moments; returns the server that stays alive. */
export async function killLoop(
  scene: Scene,
  first: Server,
  options: {
    readonly kills: number;
    /** Milliseconds after which no further kill begins. */
    readonly within: number;
    readonly random: () => number;
    readonly say: (line: string) => void;
  },
): Promise<Server> {
  const { figures } = scene;
  const { kills, random, say } = options;
  const until = performance.now() + options.within;
  let server = first;
  for (let round = 1; figures.kills < kills && performance.now() < until; round += 1) {
    const killed = server;
    const load = loadOn(scene, () => killed.url, {
      connections: CONNECTIONS,
      random,
      name: `k${round}`,
    });
    await Promise.race([wait(Math.floor(random() * LONGEST_LIFE)), killed.ended]);
    killed.process.kill('SIGKILL');
    await Promise.all([killed.ended, load.done]);
    figures.kills += 1;
    if (random() * WHILE_STARTING < 1 && figures.kills < kills) {
      const starting = runProgram(
        scene.place.folder,
        serveArgs(scene.place),
        scene.place.environment,
      );
      await Promise.race([wait(Math.floor(random() * 700)), starting.ended]);
      starting.process.kill('SIGKILL');
      await starting.ended;
      figures.kills += 1;
      figures.killsWhileStarting += 1;
    }
    server = await serve(scene.place);
    await check(scene, server, load, `after kill ${figures.kills}`);
    if (round % 10 === 0) {
      say(
        `${figures.kills} of ${kills} kills, ${figures.answered} answers, ${scene.promised.orders.size} orders, all there`,
      );
    }
  }
  return server;
}
