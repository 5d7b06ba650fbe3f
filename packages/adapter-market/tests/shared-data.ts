import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { it } from '@jest/globals';

const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** The path of a recorded file, outside the repository. */
export const sharedFile = (name: string): string => `${folder}${name}`;

/** Registers `tests` if the recorded data exists, else one test that reports its absence. */
export function withSharedData(tests: () => void): void {
  if (existsSync(folder)) tests();
  else it('is not checked: the recorded data (../shared/data) is absent', () => {});
}
