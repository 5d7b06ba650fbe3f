import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '@slipstream/domain';
import type { Command } from 'commander';
import { returnsOf } from '../fewest-returns.js';
import { printError, print } from '../output.js';
import { type Environment, remote } from '../remote.js';
import { downloadTrack, readTrackFile } from '../track-file.js';
import { writing } from '../../settings/writing.js';

/** The days that `--allow-late` names: one, or those from one to another. */
const lateDays = (text: string, before: readonly string[] = []): string[] => [...before, text];

interface VerifyOptions {
  readonly head?: string;
  readonly anchors?: readonly string[];
  readonly ca?: string;
  readonly allowLate?: readonly string[];
  readonly statistics?: string;
  readonly minN?: number;
}

const VERIFY_HELP = `
Everything is read from files; no server is asked. The record is checked entry by entry; with --anchors or --ca also against anchors: that each has
the record's head of its day, and that each day with entries has an anchor in time; with --statistics whether figures follow from it. The exit code is 1 if anything does not hold. See docs/anchors.md.`;

/** `track` downloads a strategy's tamper-evident record, `verify` checks it offline. */
export function trackRecords(program: Command, environment: Environment): void {
  const track = program
    .command('track')
    .description(
      'download the tamper-evident record of a strategy with its anchors; hashes only for who may not see the fills',
    )
    .argument('<strategy_id>')
    .argument('<file>', 'the file to write');
  remote(track, environment, async ({ client, showText }, strategy_id: string, file: string) => {
    const folder = dirname(file);
    if (!existsSync(folder)) throw new Refusal('not_found', `there is no folder ${folder}`);
    const record = await downloadTrack(client, strategy_id, {
      proof: true,
      counted: (count) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${count} entries`);
      },
    });
    const { entries, proof } = record;
    await writing(file, writeFile(file, `${JSON.stringify(record, null, 2)}\n`));
    const head = entries.at(-1)?.hash ?? null;
    const anchors = proof?.anchors.length ?? 0;
    showText(
      { file, entries: entries.length, head, anchors },
      `${entries.length} entries are in ${file}; its head is ${head ?? 'none'}. ${anchors} anchors are with it.`,
    );
  });

  program
    .command('verify')
    .description(
      'check offline that no entry of a downloaded record was changed, removed or inserted',
    )
    .addHelpText('after', VERIFY_HELP)
    .argument('<file>', 'the file that "track" wrote, or the record.jsonl of a replay')
    .option('--head <hash>', 'a head that you stored earlier; the record must still contain it')
    .option('--anchors <files...>', 'anchors that you kept: files of "anchor --out" or of "track"')
    .option('--ca <file>', 'certificates (PEM) of the time-stamp authority that you trust')
    .option(
      '--allow-late <day>',
      'a day, or days like 2026-01-01..2026-01-31, without an anchor in time; may be given again',
      lateDays,
    )
    .option(
      '--statistics <file>',
      'figures to check: the statistics.json of a report, or an answer of getStrategyStatistics',
    )
    .option('--min-n <n>', 'the fewest returns of a return ratio in them (30)', returnsOf)
    .action(async (file: string, options: VerifyOptions) => {
      const { verifyFiles } = await import('../verify/verify-files.js');
      const { faults, notes } = await verifyFiles(await readTrackFile(file), options);
      for (const note of notes) print(note);
      for (const fault of faults) printError(fault);
      if (faults.length > 0) process.exitCode = 1;
    });
}
