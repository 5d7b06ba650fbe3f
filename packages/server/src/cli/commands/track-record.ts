import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal, verifyTrack } from '@slipstream/domain';
import { type Command } from 'commander';
import { printError, print } from '../output.js';
import { type Environment, remote } from '../remote.js';
import { downloadTrack, entriesOf, readTrackFile } from '../track-file.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** `track` downloads a strategy's tamper-evident record, `verify` checks it offline. */
export function trackRecords(program: Command, environment: Environment): void {
  const track = program
    .command('track')
    .description('download the tamper-evident record of a strategy')
    .argument('<strategy_id>')
    .argument('<file>', 'the file to write');
  remote(track, environment, async ({ client, showText }, strategy_id: string, file: string) => {
    const folder = dirname(file);
    if (!existsSync(folder)) throw new Refusal('not_found', `there is no folder ${folder}`);
    const record = await downloadTrack(client, strategy_id, (count) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${count} entries`);
    });
    const { entries } = record;
    await writeFile(file, `${JSON.stringify(record, null, 2)}\n`);
    const head = entries.at(-1)?.hash ?? null;
    showText(
      { file, entries: entries.length, head },
      `${entries.length} entries are in ${file}; its head is ${head ?? 'none'}.`,
    );
  });

  program
    .command('verify')
    .description(
      'check offline that no entry of a downloaded record was changed, removed or inserted',
    )
    .argument('<file>', 'the file that "track" wrote, or the record.jsonl of a replay')
    .option('--head <hash>', 'a head that you stored earlier; the record must still contain it')
    .action(async (file: string, { head }: { head?: string }) => {
      const verdict = verifyTrack(entriesOf(await readTrackFile(file)), sha256, head);
      if (verdict.intact) {
        print(`The record is intact: ${verdict.entries} entries, head ${verdict.head}.`);
        return;
      }
      printError(`The record is NOT intact at entry ${verdict.seq}: ${verdict.reason}.`);
      process.exitCode = 1;
    });
}
