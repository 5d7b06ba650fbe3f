import { bugs, matchingBugs } from '../bugs/index.js';
import { BLOCK, searchDifference } from '../reference/search.js';
import { search } from './search.js';
import { storageNamed } from '../world/storages.js';

/** The run, from 1, that finds each bug with this seed. */
export interface Recorded {
  readonly seed: number;
  readonly runs: Readonly<Record<string, number>>;
  /** The story of the comparison with the reference engine that finds each bug. */
  readonly compared: Readonly<Record<string, number>>;
}

/** Searches for every deliberate bug; undefined if the rules that a bug breaks did not find it. */
export async function selfTest(
  seed: number,
  runs: number,
  say: (line: string) => void,
): Promise<Recorded | undefined> {
  let missed = 0;
  const foundIn: Record<string, number> = {};
  for (const bug of bugs) {
    const found = await search({ seed, runs, bug, shrinks: false });
    const isRight = found && bug.breaks.includes(found.violation.rule);
    if (isRight) foundIn[bug.name] = found.run;
    else missed += 1;
    const verdict = found
      ? `${isRight ? 'found' : 'FOUND BY ANOTHER RULE'} in run ${found.run}: ${found.violation.message}`
      : `NOT FOUND in ${runs} runs`;
    say(`${bug.name} (${bug.mistake}): ${verdict}`);
  }
  const compared: Record<string, number> = {};
  const openStorage = storageNamed('memory');
  for (const bug of matchingBugs) {
    const mostBlocks = Math.ceil(runs / BLOCK);
    const steps = Infinity;
    const { found } = await searchDifference({
      ...{ seed, steps, mostBlocks, openStorage, bug },
      shrinks: false,
    });
    if (found) compared[bug.name] = found.story;
    else missed += 1;
    const verdict = found
      ? `found in story ${found.story}: ${found.message}`
      : `NOT FOUND in ${mostBlocks * BLOCK} stories`;
    say(`${bug.name} (${bug.mistake}): ${verdict}`);
  }
  const all = bugs.length + matchingBugs.length;
  say(`${all - missed} of ${all} seeded bugs were found, seed ${seed}.`);
  return missed === 0 ? { seed, runs: foundIn, compared } : undefined;
}
