import { Command, Option } from 'commander';
import { wholeNumber } from './whole-number.js';

/** What came of a story. */
export interface ToldStory {
  /** The broken rule; undefined when all held. */
  readonly violation: string | undefined;
  /** What happened, line by line. */
  readonly trace: readonly string[];
  /** How often each kind of thing happened. */
  readonly reached: ReadonlyMap<string, number>;
}

/** Stories that a program plays. */
export interface Stories {
  readonly name: string;
  readonly description: string;
  /** The names of the deliberate bugs, each of which stories must find. */
  readonly bugs: readonly string[];
  play(seed: number, run: number, bug: string | undefined): Promise<ToldStory>;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
/** Stories between two lines of progress. */
const TOLD = 20;

const optionsOf = ({ name, description, bugs }: Stories) =>
  new Command(name)
    .description(description)
    .option('--runs <n>', 'how many stories', '200')
    .option('--seed <n>', 'of the stories; the same seed gives the same stories', '1')
    .option('--only <n>', 'only the story of that number, with all that happens in it')
    .option('--self-test', 'every deliberate bug must be found within so many stories')
    .addOption(new Option('--bug <name>', 'a deliberate bug, which must be found').choices(bugs))
    .parse()
    .opts<{ runs: string; seed: string; only?: string; bug?: string; selfTest?: true }>();

/** The program of those stories; sets the exit code. */
export async function storyProgram(stories: Stories): Promise<void> {
  const options = optionsOf(stories);
  const [seed, runs] = [wholeNumber(options.seed, 'seed'), wholeNumber(options.runs, 'runs')];
  const numbers =
    options.only === undefined
      ? Array.from({ length: runs }, (_, run) => run + 1)
      : [wholeNumber(options.only, 'only')];
  const begun = performance.now();
  const seconds = (): number => Math.round((performance.now() - begun) / 1000);

  /** The first story that breaks a rule. */
  const firstBroken = async (
    bug: string | undefined,
    onStory: (run: number, told: ToldStory) => void = () => undefined,
  ): Promise<{ readonly run: number; readonly violation: string } | undefined> => {
    for (const run of numbers) {
      const told = await stories.play(seed, run, bug);
      onStory(run, told);
      if (told.violation !== undefined) return { run, violation: told.violation };
    }
    return undefined;
  };

  const findBugs = async (names: readonly string[]): Promise<boolean> => {
    let missed = 0;
    for (const name of names) {
      const found = await firstBroken(name);
      if (!found) missed += 1;
      say(found ? `${name}: story ${found.run}, ${found.violation}` : `MISSED ${name}`);
    }
    const all = names.length;
    say(`${all - missed} of ${all} bugs were found in ${seconds()} s of seed ${seed}`);
    return missed === 0;
  };

  const playAll = async (): Promise<boolean> => {
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
  };

  const isWell = options.selfTest
    ? await findBugs(options.bug === undefined ? stories.bugs : [options.bug])
    : await playAll();
  process.exitCode = isWell ? 0 : 1;
}
