#!/usr/bin/env node
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { storageNamed, storageOf } from '../world/storages.js';
import { type Progress, searchDifference } from './search.js';
import type { Coverage } from '../world/coverage.js';
import { wholeNumber } from '../run/whole-number.js';

interface Options {
  readonly steps: string;
  readonly seed: string;
  readonly storage: string;
  readonly with?: string;
  readonly state?: string;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const options = new Command('reference')
  .description(
    'Plays random stories on the real core and on a second matching engine, written from the contract alone in exact fractions, and compares them to the last digit after every step.',
  )
  .option('--steps <n>', 'how many steps are compared', '100000')
  .option('--seed <n>', 'the same seed gives the same stories', '1')
  .option('--storage <name>', 'memory or sqlite', 'memory')
  .option('--with <file>', 'the storage of this module, as the server takes it')
  .option('--state <file>', 'keeps how far it came, and goes on from there')
  .parse()
  .opts<Options>();

const seed = wholeNumber(options.seed, 'seed');
const steps = wholeNumber(options.steps, 'steps');
const { state, with: adapters } = options;
const storage = adapters ?? options.storage;

/** Where an earlier run with the same seed and storage ended. */
function cameTo(): Progress | undefined {
  if (state === undefined || !existsSync(state)) return undefined;
  const kept = JSON.parse(readFileSync(state, 'utf8')) as Progress & Record<string, unknown>;
  return kept['seed'] === seed && kept['storage'] === storage ? kept : undefined;
}

function keep(progress: Progress): void {
  if (state === undefined) return;
  mkdirSync(dirname(state), { recursive: true });
  writeFileSync(state, `${JSON.stringify({ seed, storage, ...progress })}\n`);
}

const from = cameTo();
if (from) say(`going on after ${from.steps} steps`);
const begun = performance.now();
let reached: Coverage = new Map();
const { found, ...end } = await searchDifference({
  seed,
  steps,
  from,
  openStorage: adapters === undefined ? storageNamed(storage) : await storageOf(adapters),
  onBlock(progress, coverage) {
    keep(progress);
    reached = coverage;
    if (progress.blocks % 25 !== 0) return;
    const done = progress.steps - (from?.steps ?? 0);
    const left = ((performance.now() - begun) / done) * (steps - progress.steps);
    const filled = [...coverage].reduce(
      (sum, [what, times]) => (what.endsWith(' filled') ? sum + times : sum),
      0,
    );
    say(
      `${progress.steps} of ${steps} steps, ${filled} fills, no difference, ${Math.max(0, Math.round(left / 1000))} s left`,
    );
  },
});
if (found) {
  say(`\nStory ${found.story} of seed ${seed}: ${found.message}\n`);
  for (const command of found.commands) say(JSON.stringify(command));
  say(`\nAs data: ${found.asData}`);
  process.exitCode = 1;
} else {
  for (const what of [...reached.keys()].sort())
    say(`${String(reached.get(what)).padStart(8)} ${what}`);
  say(`${end.steps} steps of seed ${seed} on ${storage}: 0 differences.`);
}
