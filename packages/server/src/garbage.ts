import { setFlagsFromString } from 'node:v8';

/** Percent that the old objects grow by between two full collections. By default they may double. */
const GROWTH = 25;

/**
 * For a process that runs the server, where much is held and each sample replaces some of it.
 * V8 makes every object young: it would learn from the start, when most decimals stay, that decimals do, and make all later ones
 * old, where only a full collection finds those that nobody holds any more. Full collections come soon, because the room that
 * garbage took between two of them is hardly ever given back.
 */
export function tuneGarbageCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
