import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { it } from '@jest/globals';

const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** Where a recorded file lies, outside of the repository. */
export const sharedFile = (name: string): string => `${folder}${name}`;

/** Registers `tests` when the recorded data is there, else one test that says it is absent. */
export function withSharedData(tests: () => void): void {
  if (existsSync(folder)) tests();
  else it('is not checked: the recorded data (../shared/data) is absent', () => {});
}
