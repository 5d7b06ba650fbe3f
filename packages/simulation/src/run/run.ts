import type { Bug } from '../bugs/bug.js';
import { type Memory, newMemory } from './memory.js';
import type { Process } from './process.js';
import { type World, type WorldOptions, newWorld } from '../world/world.js';

/** One run of a story: the world, the process in it, and what the simulation has seen of both. */
export interface Run {
  readonly world: World;
  readonly memory: Memory;
  readonly bug: Bug | undefined;
  /** The current life of the core, or its last one. */
  process: Process | undefined;
}

export const newRun = (options: WorldOptions, bug?: Bug): Run => ({
  world: newWorld({ ...options, brokerDedupes: bug?.brokerDedupes }),
  memory: newMemory(),
  bug,
  process: undefined,
});

/** Ends the core's process, with everything in its memory. */
export function crash({ world, process }: Run, where: string): void {
  world.note(`crash ${where}`);
  world.reach('fault: crash');
  process?.kill();
  world.schedule.clear();
}
