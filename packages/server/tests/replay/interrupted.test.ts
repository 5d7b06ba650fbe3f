import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openSqlite } from '@slipstream/adapter-sql';
import { type Ended, runProgram } from '../../src/testing/index.js';
import { freshFolders } from '../helpers/child-server.js';
import { csvOf, daysOf, rowsOf } from './replay-scene.js';

const newFolder = freshFolders();

/** Trades at every bar, and waits in the middle until the file `go` is there. */
const MODULE = `
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

let count = 0;
export async function onBar({ bars, newOrderAllocations }) {
  count += 1;
  const percent = count % 2 ? '0.9' : '0.1';
  await newOrderAllocations({
    allocations: [...bars.keys()].map((symbol) => ({ stock_id: symbol + ':NASDAQ', percent })),
  });
  if (count !== 20) return;
  process.stderr.write('in the middle\\n');
  while (!existsSync('go')) await setImmediate();
  // What was signalled before is heard in the next turns of the event loop.
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}
`;

const COMMAND = ['replay', '--data', 'prices.csv', '--strategy', './middle.mjs', '--out', 'run'];

/** A folder with prices and the module. */
function prepared(): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'prices.csv'), csvOf({ AAPL: daysOf(1) }));
  writeFileSync(join(folder, 'middle.mjs'), MODULE);
  return folder;
}

/** Runs the replay, and sends it the signal in its middle. */
async function interrupted(folder: string, signal: NodeJS.Signals): Promise<Ended> {
  const program = runProgram(folder, COMMAND);
  await program.complaint(/in the middle/);
  program.process.kill(signal);
  writeFileSync(join(folder, 'go'), '');
  return program.ended;
}

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s in the middle of a replay', (signal, code) => {
  it(`ends it with the code ${code}, says so, and leaves tables and database whole`, async () => {
    const folder = prepared();
    const { code: ended, signal: by, out, complaints } = await interrupted(folder, signal);
    expect([ended, by, out]).toEqual([code, null, '']);
    expect(complaints).toContain('Interrupted. The tables and the database in run are whole');
    expect(complaints).not.toMatch(/\n\s+at /);

    const names = readdirSync(join(folder, 'run'));
    expect(names).toContain('replay.db.unfinished');
    for (const name of ['replay.db', 'report.html', 'run.json', 'bars.tmp'])
      expect(names).not.toContain(name);
    const trades = readFileSync(join(folder, 'run', 'trades.csv'), 'utf8');
    expect(trades.endsWith('\n')).toBe(true);
    expect(rowsOf(trades).length).toBeGreaterThan(10);
    const database = join(folder, 'run', 'replay.db.unfinished');
    expect(existsSync(`${database}-wal`) ? readFileSync(`${database}-wal`).length : 0).toBe(0);
    // It checks the file when it opens it.
    await (await openSqlite({ path: database })).close();
  });
});

describe('a replay that was interrupted', () => {
  it('begins again with the same command, and says so', async () => {
    const folder = prepared();
    await interrupted(folder, 'SIGINT');
    const { code, complaints } = await runProgram(folder, COMMAND).ended;
    expect(code).toBe(0);
    expect(complaints).toContain('did not end; it starts again');
    expect(readdirSync(join(folder, 'run'))).toContain('replay.db');
  });
});

describe('a replay into the folder of one that runs', () => {
  it('is refused, and touches none of its files', async () => {
    const folder = prepared();
    const first = runProgram(folder, COMMAND);
    await first.complaint(/in the middle/);
    const { code, complaints } = await runProgram(folder, [...COMMAND, '--force']).ended;
    expect(code).toBe(1);
    expect(complaints).toContain(`a replay into run is running (process ${first.process.pid} on `);
    writeFileSync(join(folder, 'go'), '');
    expect(await first.ended).toMatchObject({ code: 0 });
    const other = prepared();
    writeFileSync(join(other, 'go'), '');
    expect(await runProgram(other, COMMAND).ended).toMatchObject({ code: 0 });
    const rowsIn = (of: string, table: string) =>
      rowsOf(readFileSync(join(of, 'run', table), 'utf8')).length;
    for (const table of ['equity.csv', 'trades.csv']) {
      expect(rowsIn(other, table)).toBeGreaterThan(20);
      expect(rowsIn(folder, table)).toBe(rowsIn(other, table));
    }
    expect(readdirSync(join(folder, 'run')).toSorted()).toEqual(
      readdirSync(join(other, 'run')).toSorted(),
    );
  });
});
