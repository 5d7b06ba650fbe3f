import { setFlagsFromString } from 'node:v8';

/**
 * For a process that runs the server: lets V8 make every object young. It learns from the start, when most decimals stay, that
 * decimals do, and makes all later ones old, where only a full collection finds those that nobody holds any more. With 100,000
 * strategies the process then takes 2.6 GB, and 1.9 GB without that guess.
 */
export const makeObjectsYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
