#!/usr/bin/env node
import { Command, Option } from 'commander';
import { BUGS, type BugName } from './bugs.js';
import { StoryDatabase } from './database.js';
import { type Told, playStory } from './story.js';

const options = new Command('node-stories')
  .description(
    'Plays random stories of three processes over one PostgreSQL, by their real code, statement by statement: any of them is frozen, killed, cut off or slow at any moment. Checks that nothing answered is lost, nothing refused is done, no two own the database, and somebody serves in time.',
  )
  .option('--runs <n>', 'how many stories', '200')
  .option('--seed <n>', 'of the stories; the same seed gives the same stories', '1')
  .option('--only <n>', 'only the story of that number, with all that happens in it')
  .option('--self-test', 'every deliberate bug must be found within so many stories')
  .addOption(
    new Option('--bug <name>', 'a deliberate bug, which must be found').choices(Object.keys(BUGS)),
  )
  .parse()
  .opts<{ runs: string; seed: string; only?: string; bug?: BugName; selfTest?: true }>();

const whole = (text: string, name: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);
/** Stories between two lines of progress. */
const TOLD = 20;

const [seed, runs] = [whole(options.seed, 'seed'), whole(options.runs, 'runs')];
const numbers =
  options.only === undefined
    ? Array.from({ length: runs }, (_, run) => run + 1)
    : [whole(options.only, 'only')];
const begun = performance.now();
const seconds = (): number => Math.round((performance.now() - begun) / 1000);
const database = await StoryDatabase.open();

/** The first story that breaks a rule. */
async function firstBroken(
  bug: BugName | undefined,
  onStory: (run: number, told: Told) => void = () => undefined,
): Promise<{ readonly run: number; readonly violation: string } | undefined> {
  for (const run of numbers) {
    const told = await playStory(database, { seed, run, bug: bug && BUGS[bug] });
    onStory(run, told);
    if (told.violation !== undefined) return { run, violation: told.violation };
  }
  return undefined;
}

async function findBugs(names: readonly BugName[]): Promise<boolean> {
  let missed = 0;
  for (const name of names) {
    const found = await firstBroken(name);
    if (!found) missed += 1;
    say(found ? `${name}: story ${found.run}, ${found.violation}` : `MISSED ${name}`);
  }
  say(
    `${names.length - missed} of ${names.length} bugs were found in ${seconds()} s of seed ${seed}`,
  );
  return missed === 0;
}

async function playAll(): Promise<boolean> {
  const reached = new Map<string, number>();
  const broken = await firstBroken(options.bug, (run, told) => {
    for (const [kind, count] of told.reached) reached.set(kind, (reached.get(kind) ?? 0) + count);
    if (options.only !== undefined) for (const line of told.trace) say(line);
    else if (run % TOLD === 0) say(`${run} of ${runs} stories in ${seconds()} s`);
  });
  const counts = [...reached].sort(([one], [other]) => (one < other ? -1 : 1));
  say(counts.map(([kind, count]) => `${count} ${kind}`).join(', '));
  if (broken) say(`FAILED story ${broken.run} of seed ${seed} broke a rule: ${broken.violation}`);
  else say(`${numbers.length} stories in ${seconds()} s of seed ${seed}: every rule held`);
  return !broken;
}

try {
  const isWell = options.selfTest
    ? await findBugs(options.bug ? [options.bug] : (Object.keys(BUGS) as BugName[]))
    : await playAll();
  process.exitCode = isWell ? 0 : 1;
} finally {
  await database.end();
}
