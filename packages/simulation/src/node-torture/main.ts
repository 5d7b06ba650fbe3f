#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killPrograms } from '@slipstream/server/testing';
import { Command, Option } from 'commander';
import { TortureFailed } from '../torture/checks.js';
import { seeded } from '../torture/promised.js';
import { FAULTS, type Fault } from './faults.js';
import { type Tortured, tortureNodes } from './torture.js';
import { wholeNumber } from '../run/whole-number.js';

const BUGS: Readonly<Record<string, string>> = {
  no_fence: new URL('./without-fence.js', import.meta.url).href,
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const options = new Command('node-torture')
  .description(
    'Runs three built servers over one PostgreSQL under load, kills, pauses, stops and cuts off one after another, and the database too, and checks after each that everything answered is there, once, that all nodes and streams agree, and that others served soon.',
  )
  .option('--faults <n>', 'how many', '200')
  .option('--seed <n>', 'of the faults and of what is sent; processes race, so runs differ', '1')
  .option('--minutes <n>', 'after which no further fault begins', '60')
  .option('--only <text>', 'only the kinds of faults whose name has this text')
  .option('--slack <n>', 'bounds of time are so many times longer, on a busy machine', '1')
  .addOption(
    new Option('--bug <name>', 'a deliberate bug, which must be found').choices(Object.keys(BUGS)),
  )
  .parse()
  .opts<{
    faults: string;
    seed: string;
    minutes: string;
    only?: string;
    slack: string;
    bug?: string;
  }>();

const folder = mkdtempSync(join(tmpdir(), 'slipstream-node-torture-'));
process.once('exit', killPrograms);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  await torture();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
} catch (error) {
  const message = error instanceof TortureFailed ? error.message : String((error as Error).stack);
  say(`FAILED ${message}\nSeed ${options.seed}. What the nodes left is in ${folder}.`);
  process.exit(1);
}

/** Every kind once in a random order, again and again. */
function drawn(count: number, kinds: readonly Fault[], random: () => number): Fault[] {
  const all: Fault[] = [];
  while (all.length < count)
    all.push(
      ...kinds
        .map((kind) => [random(), kind] as const)
        .sort(([one], [other]) => one - other)
        .map(([, kind]) => kind),
    );
  return all.slice(0, count);
}

async function torture(): Promise<void> {
  const begun = performance.now();
  const seconds = (): number => Math.round((performance.now() - begun) / 1000);
  const random = seeded(wholeNumber(options.seed, 'seed'));
  const kinds = FAULTS.filter(({ name }) => name.includes(options.only ?? ''));
  if (kinds.length === 0) throw new Error(`no kind of fault has ${options.only} in its name`);
  const faults = drawn(wholeNumber(options.faults, 'faults'), kinds, random);
  const silences = new Map<Fault, number[]>();
  let happened = 0;
  const tortured = await tortureNodes({
    ...{ folder, faults, random, say },
    time: wholeNumber(options.minutes, 'minutes') * 60_000,
    slack: wholeNumber(options.slack, 'slack'),
    preload: BUGS[options.bug ?? ''],
    onFault(fault, { silence, wait }) {
      happened += 1;
      silences.set(fault, [...(silences.get(fault) ?? []), silence]);
      say(
        `${happened} of ${faults.length} faults in ${seconds()} s: ${fault.name}, ${Math.round(silence)} ms without answers, ${Math.round(wait)} ms the longest wait`,
      );
    },
  });
  summarize(tortured, silences);
  say(`${happened} faults in ${seconds()} s of seed ${options.seed}, all well`);
}

function summarize(
  { figures, orders, trades, events, streams }: Tortured,
  silences: ReadonlyMap<Fault, readonly number[]>,
): void {
  say('\n   times  median   worst ms without an answered trading request');
  const column = (value: number): string => String(Math.round(value)).padStart(8);
  for (const [{ name }, all] of silences) {
    const sorted = [...all].sort((one, other) => one - other);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    say(`${column(all.length)}${column(median)}${column(sorted.at(-1) ?? 0)}  ${name}`);
  }
  const { requests, answered, refused, unavailable, unanswered, askedAgain, checks } = figures;
  say(`
${column(requests)} requests: ${answered} answered, ${refused} refused, ${unavailable} told to come again, ${unanswered} cut
${column(askedAgain)} asked again with the same key
${column(orders)} orders promised, ${trades} trades seen
${column(events)} events over ${streams} streams
${column(checks)} checks of everything`);
}
