#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { selfTest } from './play/self-test.js';
import { addCoverage, search } from './play/search.js';
import { inWords } from './story/words.js';
import { storageOf } from './world/storages.js';
import { newCoverage } from './world/coverage.js';
import { BROKERS, type BrokerName } from './story/story.js';
import { wholeNumber } from './run/whole-number.js';

interface Options {
  readonly runs: string;
  readonly seed: string;
  readonly selfTest?: boolean;
  readonly only?: string;
  readonly record?: string;
  readonly with?: string;
  readonly broker: BrokerName;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const options = new Command('simulate')
  .description(
    'Plays random stories on the real core and the real SQL adapter, with a fault or a crash possible at every statement and broker call, and checks every invariant after every step.',
  )
  .option('--runs <n>', 'how many stories', '500')
  .option('--seed <n>', 'the same seed gives the same stories', '1')
  .option('--only <n>', 'only the story of that number')
  .option('--self-test', 'search for deliberate bugs, each of which must be found')
  .option(
    '--with <file>',
    'everything is done on the storage of this module as well, as the server takes it: its answers and events must be those of SQLite',
  )
  .addOption(
    new Option('--broker <name>', 'where the bots have their accounts; alpaca: its stand-in')
      .choices(BROKERS)
      .default('simulated'),
  )
  .option('--record <file>', 'where the self-test writes in which run it found each')
  .parse()
  .opts<Options>();

const seed = wholeNumber(options.seed, 'seed');
const runs = wholeNumber(options.runs, 'runs');
if (options.selfTest && options.with !== undefined)
  throw new Error('--self-test is about the simulation: it takes no --with');
process.exitCode = (options.selfTest ? await testItself() : await simulate()) ? 0 : 1;

async function testItself(): Promise<boolean> {
  const recorded = await selfTest(seed, runs, say);
  if (recorded && options.record !== undefined) {
    writeFileSync(options.record, `${JSON.stringify(recorded, null, 2)}\n`);
  }
  return recorded !== undefined;
}

async function simulate(): Promise<boolean> {
  const coverage = newCoverage();
  const found = await search({
    seed,
    runs,
    broker: options.broker,
    openStorage: options.with === undefined ? undefined : await storageOf(options.with),
    only: options.only === undefined ? undefined : wholeNumber(options.only, 'only'),
    onRun(run, number) {
      addCoverage(coverage, run.coverage);
      if (run.violation) say(`run ${number} failed: ${run.violation.message}; making it short`);
      else if (number % 50 === 0) {
        say(`${number} of ${runs} runs, ${coverage.get('commit') ?? 0} commits, all well`);
      }
    },
  });
  for (const what of [...coverage.keys()].sort())
    say(`${String(coverage.get(what)).padStart(8)} ${what}`);
  if (!found) {
    const played = options.only === undefined ? `${runs} runs` : `Run ${options.only}`;
    say(`${played} of seed ${seed}: every invariant held.`);
    return true;
  }
  say(`\nRun ${found.run} of seed ${seed} broke ${found.violation.message}\n`);
  say(inWords(found.story));
  say(`\nAs data: ${JSON.stringify(found.story)}`);
  return false;
}
