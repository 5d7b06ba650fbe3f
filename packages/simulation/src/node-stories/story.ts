import type { ToldStory } from '../run/story-program.js';
import { seeded } from '../torture/promised.js';
import type { Bug } from './bugs.js';
import { checkKept } from './checks.js';
import type { StoryDatabase } from './database.js';
import { LEASE } from './process.js';
import { Scene } from './scene.js';
import type { Step } from '../run/told-scene.js';
import { PROCESSES, stepsOf } from './steps.js';

/** How many things happen before all faults stop. */
const STEPS = 600;
/** After that, how many happen between two moves of time, at most. */
const MOVES = 300;
/** In one of so many stories the database may lose commits, as with asynchronous replication. */
const FAILS_OVER = 5;
/** In one of so many the clock of the database is set, ahead and back. */
const MOVES_CLOCK = 8;
/** After how long somebody must do works again: the contract's LEASE_SECONDS and four, in milliseconds. */
const SERVED_AGAIN = LEASE + 4_000;
/** Where nobody has joined: until the database lets go of what one that vanished had locked. */
const JOINED_AGAIN = 10_000;

/** Which story. */
export interface Which {
  readonly seed: number;
  /** Its number among the stories of the seed. */
  readonly run: number;
  /** The deliberate mistake of its processes; by default they make none. */
  readonly bug?: Bug | undefined;
}

/** Plays a story: the same seed and number give the same one. */
export async function playStory(
  database: StoryDatabase,
  { seed, run, bug = {} }: Which,
): Promise<ToldStory> {
  await database.empty();
  const random = seeded(seed * 1_000_003 + run);
  const scene = new Scene(database, random, bug, {
    losesCommits: run % FAILS_OVER === 0,
    movesClock: run % MOVES_CLOCK === 0,
  });
  try {
    for (let one = 0; one < PROCESSES; one += 1) scene.begin();
    for (let done = 0; done < STEPS && !scene.violation; done += 1)
      await scene.happen([time(scene), ...stepsOf(scene, false)]);
    if (!scene.violation) await calm(scene);
    if (!scene.violation) checkKept(scene, await database.kept());
  } catch (error) {
    scene.violate(`error: ${String((error as Error).stack)}`);
  }
  scene.end();
  return scene;
}

const time = (scene: Scene): Step => ({
  weight: 6,
  says: 'time',
  happen: () => scene.pass(50 + Math.floor(scene.random() * 300)),
});

/** All faults stop: somebody must do works in time, and everybody must be answered. */
async function calm(scene: Scene): Promise<void> {
  scene.note('all faults stop');
  for (const process of scene.alive()) {
    process.state = 'runs';
    process.silence(false);
  }
  const [begun, before] = [scene.now, scene.entries.length];
  const isAnyThere = scene.alive().some(({ node, mustEnd }) => node && !mustEnd);
  const bound = SERVED_AGAIN + (isAnyThere ? 0 : JOINED_AGAIN);
  for (let round = 0; !scene.violation; round += 1) {
    for (let moves = 0; moves < MOVES && !scene.violation; moves += 1) {
      const steps = stepsOf(scene, true);
      if (steps.length === 0) break;
      await scene.happen(steps);
    }
    const passed = scene.now - begun;
    const isServed = scene.entries.slice(before).some(({ outcome }) => outcome === 'done');
    const unanswered = scene.entries.filter(
      ({ outcome, process }) => outcome === undefined && process.state !== 'gone',
    );
    if (isServed && unanswered.length === 0) return;
    if (passed > bound && !isServed)
      scene.violate(`liveness: nobody does works ${passed} ms after the last fault`);
    if (passed > 2 * bound)
      scene.violate(`hang: ${unanswered.map(({ work }) => work.id).join(' ')} have no answer`);
    const some = scene.draw(scene.alive().filter(({ node }) => node));
    if (some && !isServed && round % 5 === 0) scene.request(some, true);
    await scene.happen([{ weight: 1, says: 'time', happen: () => scene.pass(50) }]);
  }
}
