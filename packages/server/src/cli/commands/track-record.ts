import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal, type TrackEntry, id, verifyTrack } from '@slipstream/domain';
import { type ResponseOf, operations } from '@slipstream/wire';
import { type Command } from 'commander';
import { printError, print } from '../output.js';
import { type Environment, remote } from '../remote.js';

type Record = ResponseOf<'getTrackRecord'>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const entriesOf = (record: Record): TrackEntry[] =>
  record.entries.map(({ seq, kind, at, body, previous_hash: previousHash, hash }) => ({
    strategyId: id<'strategy'>(record.strategy_id),
    seq,
    kind,
    at: Date.parse(at),
    body,
    previousHash,
    hash,
  }));

/** Reads a downloaded record; refuses any other file. */
async function readRecord(file: string): Promise<Record> {
  const text = await readFile(file, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json', `${file} is not JSON`);
  }
  const parsed = operations.getTrackRecord.response.safeParse(json);
  if (!parsed.success) throw new Refusal('invalid_field', `${file} is not a track record`);
  return parsed.data;
}

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
    const entries: Record['entries'] = [];
    for (;;) {
      const cursor = String(entries.at(-1)?.seq ?? 0);
      const page = await client.getTrackRecord({ strategy_id, cursor });
      entries.push(...page.entries);
      if (page.entries.length === 0) break;
      if (process.stderr.isTTY) process.stderr.write(`\r${entries.length} entries`);
    }
    const record: Record = { strategy_id, entries };
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
    .argument('<file>', 'the file that "track" wrote')
    .option('--head <hash>', 'a head that you stored earlier; the record must still contain it')
    .action(async (file: string, { head }: { head?: string }) => {
      const verdict = verifyTrack(entriesOf(await readRecord(file)), sha256, head);
      if (verdict.intact) {
        print(`The record is intact: ${verdict.entries} entries, head ${verdict.head}.`);
        return;
      }
      printError(`The record is NOT intact at entry ${verdict.seq}: ${verdict.reason}.`);
      process.exitCode = 1;
    });
}
