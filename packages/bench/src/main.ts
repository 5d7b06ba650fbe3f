#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Benchmark, Curve } from './measure/benchmark.js';
import { benchmarks } from './benchmarks/index.js';
import { chartOf } from './measure/chart.js';
import type { Dimension, Grown } from './growth/dimension.js';
import { grow } from './growth/grow.js';
import { growthCurves, growthSentences, growthTable } from './growth/growth-text.js';
import { dimensions } from './growth/index.js';
import { type Recorded, comparisonText } from './measure/comparison.js';
import { type Outcome, failed } from './measure/measure.js';
import { startProgram } from './program.js';
import { tableText } from './measure/table.js';

interface Options {
  readonly growth: boolean;
  readonly only?: readonly string[];
  readonly quick: boolean;
  readonly json: boolean;
  readonly rounds: number;
  readonly chart?: string;
  readonly compare?: Recorded;
  readonly strict: boolean;
}

const rounds = (text: string): number => {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('must be a number from 1 to 99');
  return Number(text);
};

function recorded(file: string): Recorded {
  try {
    const run = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
    if (Array.isArray(run.rows)) return run;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('must be a file that --json wrote');
}

const names = (text: string): string[] => text.split(',').map((name) => name.trim());

const program = new Command('bench')
  .description(
    'Measures Slipstream against its baselines, side by side, and prints one table; or how its costs grow.',
  )
  .option('--growth', 'costs and memory by the number of strategies, orders, clients and bots')
  .option('--only <names>', 'only these, e.g. P7 or P1,P2; with --growth e.g. orders,bots', names)
  .option('--quick', 'small and short: the verdicts count for nothing', false)
  .option('--json', 'the rows as JSON instead of the table', false)
  .option('--rounds <number>', 'how often each figure is measured', rounds, 3)
  .option('--chart <file>', 'draws the growth curves into an SVG file')
  .addOption(
    new Option('--compare <file>', 'what changed since a run that --json recorded in the file')
      .argParser(recorded)
      .conflicts(['json', 'growth']),
  )
  .addOption(
    new Option('--strict', 'ends with 1 when a gate is missed').default(false).conflicts('growth'),
  )
  .parse();
const options = program.opts<Options>();

/** The requested ones in the given order; all of them without `--only`. */
function chosen<One extends { readonly id: string }>(all: readonly One[]): readonly One[] {
  return (options.only ?? all.map(({ id }) => id)).map((name) => {
    const found = all.find(({ id }) => id.toLowerCase() === name.toLowerCase());
    return (
      found ?? program.error(`error: there is no ${name}: ${all.map(({ id }) => id).join(', ')}`)
    );
  });
}

function draw(curves: readonly Curve[]): void {
  if (options.chart === undefined) return;
  writeFileSync(options.chart, chartOf(curves));
  process.stderr.write(`[bench] the growth curves are in ${options.chart}\n`);
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function outcomeOf(benchmark: Benchmark): Promise<Outcome> {
  const child = await startProgram('one-benchmark');
  try {
    const { quick, rounds: asked } = options;
    return await child.ask('measure', { id: benchmark.id, scale: { quick }, rounds: asked });
  } catch (error) {
    return failed(benchmark.lines, 'failed', String(error));
  } finally {
    await child.end();
  }
}

/** Returns whether all benchmarks were measured and, with `--strict`, every gate was met. */
async function runBenchmarks(chosenBenchmarks: readonly Benchmark[]): Promise<boolean> {
  const outcomes: Outcome[] = [];
  for (const benchmark of chosenBenchmarks) outcomes.push(await outcomeOf(benchmark));
  const rows = outcomes.flatMap((outcome) => outcome.rows);
  const curves = outcomes.flatMap((outcome) => outcome.curves);
  const notes = outcomes.flatMap((outcome) => outcome.notes);
  if (options.json) {
    print(JSON.stringify({ quick: options.quick, rows, curves, notes }, null, 2));
  } else {
    print([tableText(rows), ...notes].join('\n'));
    if (options.quick) print('A quick run: the verdicts count for nothing.');
    if (options.compare) print(comparisonText(options.compare, { quick: options.quick, rows }));
  }
  draw(curves);
  return !rows.some(
    ({ verdict }) => verdict === 'failed' || (options.strict && verdict === 'missed'),
  );
}

/** Prints each dimension's table as soon as it is measured. Returns whether all were measured. */
async function runGrowth(chosenDimensions: readonly Dimension[]): Promise<boolean> {
  const { quick, json } = options;
  const all: Grown[] = [];
  for (const dimension of chosenDimensions) {
    const grown = await grow(dimension, { quick, rounds: options.rounds });
    all.push(grown);
    if (!json) print(`${growthTable(grown)}\n`);
  }
  if (json) {
    const growth = all.map((grown) => ({ ...grown, sentences: growthSentences(grown) }));
    print(JSON.stringify({ quick, growth }, null, 2));
  } else if (quick) {
    print('A quick run: small sizes, few repetitions.');
  }
  draw(all.flatMap(growthCurves));
  return all.every(({ measured }) => measured.every((one) => 'figures' in one));
}

const isWell = options.growth
  ? await runGrowth(chosen(dimensions))
  : await runBenchmarks(chosen(benchmarks));
process.exitCode = isWell ? 0 : 1;
