#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import type { Bar } from './bar.js';
import { bars } from './bars/index.js';
import { chartOf } from './chart.js';
import { type Outcome, failed } from './measure.js';
import { startProgram } from './program.js';
import { tableText } from './table.js';

interface Options {
  readonly only?: readonly Bar[];
  readonly quick: boolean;
  readonly json: boolean;
  readonly rounds: number;
  readonly chart?: string;
  readonly strict: boolean;
}

const rounds = (text: string): number => {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('must be a number from 1 to 99');
  return Number(text);
};

const named = (text: string): Bar[] =>
  text.split(',').map((id) => {
    const found = bars.find((bar) => bar.id === id.trim().toUpperCase());
    if (!found) throw new InvalidArgumentError(`there is no bar ${id}`);
    return found;
  });

const options = new Command('bench')
  .description('Measures Slipstream against its baselines, side by side, and prints one table.')
  .option('--only <bars>', 'only these bars, e.g. P7 or P1,P2', named)
  .option('--quick', 'small and short: the verdicts count for nothing', false)
  .option('--json', 'the rows as JSON instead of the table', false)
  .option('--rounds <number>', 'how often figure and baseline are measured in turn', rounds, 3)
  .option('--chart <file>', 'draws the growth curves into an SVG file')
  .option('--strict', 'ends with 1 when a gate is missed', false)
  .parse()
  .opts<Options>();

async function outcomeOf(bar: Bar): Promise<Outcome> {
  const program = await startProgram('one-bar');
  try {
    const { quick, rounds: asked } = options;
    return await program.ask('measure', { id: bar.id, scale: { quick }, rounds: asked });
  } catch (error) {
    return failed(bar.lines, 'failed', String(error));
  } finally {
    await program.end();
  }
}

const outcomes: Outcome[] = [];
for (const bar of options.only ?? bars) outcomes.push(await outcomeOf(bar));
const rows = outcomes.flatMap((outcome) => outcome.rows);
const curves = outcomes.flatMap((outcome) => outcome.curves);
const notes = outcomes.flatMap((outcome) => outcome.notes);

if (options.json) {
  process.stdout.write(
    `${JSON.stringify({ quick: options.quick, rows, curves, notes }, null, 2)}\n`,
  );
} else {
  process.stdout.write(`${tableText(rows)}\n`);
  for (const note of notes) process.stdout.write(`${note}\n`);
  if (options.quick) process.stdout.write('A quick run: the verdicts count for nothing.\n');
}
if (options.chart !== undefined) {
  writeFileSync(options.chart, chartOf(curves));
  process.stderr.write(`[bench] the growth curves are in ${options.chart}\n`);
}
const isAmiss = rows.some(
  ({ verdict }) => verdict === 'failed' || (options.strict && verdict === 'missed'),
);
process.exitCode = isAmiss ? 1 : 0;
