import { bugs } from './bugs/index.js';
import { search } from './search.js';

/** The run, from 1, in which each bug is found with the seed. */
export interface Recorded {
  readonly seed: number;
  readonly runs: Readonly<Record<string, number>>;
}

/** Searches for every bug that was made on purpose; undefined when one was not found by a rule that it breaks. */
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
    say(`${bug.name} (${bug.says}): ${verdict}`);
  }
  say(`${bugs.length - missed} of ${bugs.length} seeded bugs were found, seed ${seed}.`);
  return missed === 0 ? { seed, runs: foundIn } : undefined;
}
