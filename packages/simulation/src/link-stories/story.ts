import type { ToldStory } from '../run/story-program.js';
import { seeded } from '../torture/promised.js';
import type { Bug } from './bugs.js';
import { checkKept } from './checks.js';
import { Scene, type Trouble } from './scene.js';
import type { Step } from '../run/told-scene.js';
import { NODES, stepsOf } from './steps.js';
import { LEASE } from './store.js';

/** How many things happen before all faults stop. */
const STEPS = 600;
/** After that, how many happen between two moves of time, at most. */
const MOVES = 2_000;
/** One of so many stories has planned stops only, and one of so many others has nothing in trouble but links. */
const [PEACEFUL, LINKS_ONLY] = [5, 3];
/** After how long somebody must serve again: the contract's LEASE_SECONDS and four; and every request have its answer; in milliseconds. */
const [SERVED_AGAIN, ANSWERED] = [LEASE + 4_000, 20_000];

const troubleOf = (run: number): Trouble =>
  run % PEACEFUL === 0 ? 'none' : run % LINKS_ONLY === LINKS_ONLY - 1 ? 'links' : 'any';

/** Plays a story: the same seed and number give the same one. By default its nodes make no deliberate mistake. */
export async function playStory(seed: number, run: number, bug: Bug = {}): Promise<ToldStory> {
  const scene = new Scene(seeded(seed * 1_000_003 + run), bug, troubleOf(run));
  try {
    for (let one = 0; one < NODES; one += 1) scene.begin();
    for (let done = 0; done < STEPS && !scene.violation; done += 1)
      await scene.happen([...time(scene), ...stepsOf(scene, false)]);
    if (!scene.violation) await calm(scene);
    if (!scene.violation) checkKept(scene);
  } catch (error) {
    scene.violate(`error: ${String((error as Error).stack)}`);
  }
  await scene.end();
  return scene;
}

const time = (scene: Scene): readonly Step[] => {
  const some = (least: number, most: number) => (): void =>
    scene.pass(least + Math.floor(scene.random() * (most - least)));
  return [
    { weight: 3, says: 'time', happen: some(1, 30) },
    ...(scene.isPeaceful ? [] : [{ weight: 1, says: 'time: much', happen: some(100, 600) }]),
  ];
};

/** All faults stop: somebody must serve in time, everybody must be answered, and streams must tell everything or end. */
async function calm(scene: Scene): Promise<void> {
  scene.note('all faults stop');
  for (const node of scene.alive()) {
    if (node.state === 'frozen') node.wake();
    if (node.isCutOff) node.reconnect();
  }
  for (const wire of scene.wires) if (scene.hasEnds(wire)) wire.isSilent = false;
  for (const stream of scene.people.streams) if (stream.isPaused) stream.pause();
  const begun = scene.now;
  const asked = () => scene.people.clients.flatMap((client) => client.asked);
  const isServed = () => asked().some(({ at, outcome }) => at >= begun && outcome === 200);
  for (let round = 0; !scene.violation; round += 1) {
    for (let moves = 0; moves < MOVES && !scene.violation; moves += 1) {
      const steps = stepsOf(scene, true);
      if (steps.length === 0) break;
      await scene.happen(steps);
    }
    const passed = scene.now - begun;
    const waiting = asked().filter(({ outcome }) => outcome === undefined);
    const behind = scene.people.streams.filter(
      ({ isOver, last }) => !isOver && last !== scene.store.done.length,
    );
    if (isServed() && waiting.length + behind.length === 0) return;
    if (passed > SERVED_AGAIN && !isServed())
      scene.violate(`liveness: nobody serves ${passed} ms after the last fault`);
    if (passed > ANSWERED)
      scene.violate(
        waiting.length > 0
          ? `hang: ${waiting.map(({ target, work }) => `${target} ${work ?? ''}`).join()} has no answer`
          : `stream: one of ${behind[0]?.node.id} is at ${behind[0]?.last} of ${scene.store.done.length}, and goes on`,
      );
    const open = scene.draw(scene.alive().filter(({ isOpen }) => isOpen));
    if (open && !isServed() && round % 5 === 0)
      scene.people.ask(scene.people.client(open), '/getPositions');
    await scene.happen([{ weight: 1, says: 'time', happen: () => scene.pass(50) }]);
  }
}
