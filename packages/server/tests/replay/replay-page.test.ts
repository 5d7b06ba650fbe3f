import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../helpers/repository.js';
import { runCommand } from '../helpers/run-command.js';
import { rowsOf, scratch } from './replay-scene.js';

const page = readFileSync(join(ROOT, 'docs/replay.md'), 'utf8');

it('leads through a replay of each kind, command by command', async () => {
  const folder = scratch('page');
  mkdirSync(folder);
  const files = [...page.matchAll(/^`([\w.-]+)`:[^`]*(?:`[^`\n]+`[^`]*)*```\w+\n([^]*?)```/gm)];
  expect(files.map(([, name]) => name)).toEqual([
    'prices.csv',
    'targets.csv',
    'alerts.jsonl',
    'reversal.mjs',
  ]);
  for (const [, name = '', text = ''] of files) writeFileSync(join(folder, name), text);
  const commands = [...page.matchAll(/```sh\nmain\.js (.*)\n```/g)].map(([, words = '']) =>
    words.split(' '),
  );
  expect(commands).toHaveLength(3);
  const isPath = (word: string): boolean =>
    existsSync(join(folder, word)) || word.startsWith('run-');
  for (const words of commands) {
    const { out, complaints, code } = await runCommand(
      words.map((word) => (isPath(word) ? join(folder, word) : word)),
      {},
    );
    expect([code, complaints]).toEqual([0, expect.stringContaining('5 used, 0 dropped')]);
    expect(out).toMatch(/^5 bars, [1-3] trades, 0 refused orders, 0 dropped rows\. 1 became \d/);
    const run = join(folder, words[words.indexOf('--out') + 1] ?? '');
    for (const [, name = ''] of page.matchAll(/^\| `(\S+)`/gm))
      expect([name, existsSync(join(run, name))]).toEqual([name, true]);
    const verified = await runCommand(['verify', join(run, 'record.jsonl')], {});
    expect(verified.out).toMatch(/^The record is intact: \d+ entries/);
    expect(rowsOf(readFileSync(join(run, 'trades.csv'), 'utf8'))[0]).toMatchObject({
      action: 'buy',
      market: 'replay',
    });
  }
});
