import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { checkPostgres, checkSqlite } from '@slipstream/adapter-sql';
import { openHandle } from '@slipstream/adapter-sql/testing';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { type TestDatabase, testDatabase } from '../../../adapter-sql/tests/postgres/database.js';
import { examine } from '../../src/doctor/doctor.js';
import {
  IN_SESSION,
  OPERATOR_TOKEN,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';
import { itOne } from '../helpers/three-nodes.js';

const AAPL = 'AAPL:NASDAQ';
const MSFT = 'MSFT:NASDAQ';
const SECRET_KEY = 'the master key of the tests and their servers';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

let folder: string;
let sound: string;
/** Fills of both sides, a split, a dividend and a delisting, a deleted strategy, and one without a fill. */
beforeAll(async () => {
  folder = newFolder();
  sound = join(folder, 'slipstream.db');
  const clock = fixedClock(IN_SESSION);
  const server = await composedServer({
    ...{ storage: 'sqlite', folder, clock },
    environment: { SECRET_KEY },
  });
  try {
    const ada = await server.user('ada');
    await server.quotes({ [AAPL]: [199.9, 200.1], [MSFT]: [399.9, 400.1] });
    const newStrategy = async (name: string): Promise<string> =>
      (await server.ask('newStrategy', { type: 'stock', name }, ada)).strategy_id;
    const kept = await newStrategy('Kept');
    await newStrategy('Empty');
    const gone = await newStrategy('Gone');
    for (const strategy_id of [kept, gone]) {
      const order = { strategy_id, stock_id: AAPL, action: 'buy' };
      await server.ask('newOrder', { ...order, total: '0.3' }, ada);
      await server.ask('newOrder', { ...order, stock_id: MSFT, action: 'sell', total: '0.2' }, ada);
      await server.ask('newOrder', { ...order, action: 'sell', amount: '0.0005' }, ada);
    }
    for (const action of [
      { stock_id: AAPL, kind: 'split', new_shares: 7, old_shares: 3 },
      { stock_id: MSFT, kind: 'cash_dividend', amount: '0.37' },
    ])
      await server.ask('newStockAction', action, OPERATOR_TOKEN);
    const delisted = { stock_id: MSFT, stock_status: 'delisted', settle_price: '390' };
    await server.ask('updateStocks', { stocks: [delisted] }, OPERATOR_TOKEN);
    await server.ask('deleteStrategy', { strategy_id: gone }, ada);
  } finally {
    await server.close();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let copies = 0;
/** A copy of the file, changed by somebody who has it. */
function changed(statement: string): string {
  copies += 1;
  const file = join(folder, `${copies}.db`);
  copyFileSync(sound, file);
  change(file, statement);
  return file;
}

/** The file, changed by somebody who has it. */
function change(file: string, statement: string): void {
  const handle = openHandle(file);
  const triggers = handle
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
    .pluck()
    .all() as string[];
  for (const name of triggers) handle.exec(`DROP TRIGGER ${name}`);
  const { changes } = handle.prepare(statement).run();
  handle.close();
  if (changes !== 1) throw new Error(`${changes} rows were changed`);
}

const ONE_TRADE = 'id = (SELECT min(id) FROM trades)';
const OTHER_TOTAL = `UPDATE trades SET total = '9' WHERE ${ONE_TRADE}`;
const ONE_ENTRY = 'strategy_id = (SELECT min(strategy_id) FROM track_entries) AND seq = 2';

const itHere = itOne('it looks into the SQLite file');

describe('the ledgers and chains of a database', () => {
  itHere(
    'agree after fills, corporate actions and deletions, with the figures that the check tells',
    async () => {
      const { faults, strategies, trades, entries, audit } = await checkSqlite(sound);
      expect(faults).toEqual([]);
      expect([strategies, trades]).toEqual([3, 8]);
      expect(entries).toBeGreaterThan(trades);
      expect(audit.seq).toBeGreaterThan(10);
    },
  );

  itHere.each<[string, RegExp, string]>([
    [
      'the cash of a book',
      /^the book of strategy \S+: its cash is 1, its ledger says \d/,
      `UPDATE books SET cash = '1' WHERE strategy_id = (SELECT min(strategy_id) FROM trades)`,
    ],
    [
      'an amount that is held',
      /^the book of strategy \S+: it holds 9 of aapl\.nasdaq, its ledger says 0\.\d/,
      `UPDATE positions SET amount = '9' WHERE rowid = (SELECT min(rowid) FROM positions)`,
    ],
    [
      'a position that is gone',
      /: it holds 0 of aapl\.nasdaq, its ledger says/,
      'DELETE FROM positions WHERE rowid = (SELECT min(rowid) FROM positions)',
    ],
    ['the total of a trade', /: its cash is \S+, its ledger says/, OTHER_TOTAL],
    ['a trade that is gone', /: its cash is/, `DELETE FROM trades WHERE ${ONE_TRADE}`],
    [
      'a trade that cannot be read',
      /^trade \S+ cannot be read/,
      `UPDATE trades SET amount = 'x' WHERE ${ONE_TRADE}`,
    ],
    [
      'a dividend',
      /: its cash is/,
      `UPDATE adjustments SET cash = '9' WHERE id = (SELECT min(id) FROM adjustments WHERE kind = 'cash_dividend')`,
    ],
    [
      'an entry of a track record',
      /^the track record of strategy \S+, entry 2: it was changed/,
      `UPDATE track_entries SET body = '{}' WHERE ${ONE_ENTRY}`,
    ],
    [
      'an entry that is gone from a track record',
      /^the track record of strategy \S+, entry 3: entry 2 is missing/,
      `DELETE FROM track_entries WHERE ${ONE_ENTRY}`,
    ],
    [
      'an entry of the audit log',
      /^the audit log, entry 5: it was changed/,
      `UPDATE audit_entries SET actor = 'nobody' WHERE seq = 5`,
    ],
    [
      'an entry of the audit log that cannot be read',
      /^the audit log, entry 5: it was changed/,
      `UPDATE audit_entries SET objects = '[' WHERE seq = 5`,
    ],
    [
      'the first entry of the audit log, which is gone',
      /^the audit log, entry 2: entry 1 is missing/,
      'DELETE FROM audit_entries WHERE seq = 1',
    ],
  ])('do not agree when somebody changed %s', async (_, fault, statement) => {
    const { faults } = await checkSqlite(changed(statement));
    expect(faults[0]).toMatch(fault);
  });

  itHere('are checked by the thorough doctor', async () => {
    const found = async (file: string) =>
      (
        await examine({
          environment: { DATABASE_URL: `sqlite:${file}`, SECRET_KEY, PORT: '1' },
          now: Date.now,
          thorough: true,
          onFinding: () => undefined,
        })
      ).filter(({ about }) => about === 'ledgers');
    expect(await found(sound)).toMatchObject([{ state: 'good' }]);
    expect(await found(changed(OTHER_TOTAL))).toMatchObject([{ state: 'bad' }]);
  });

  itHere('are not checked in a database of another release, which has other columns', async () => {
    const older = changed(`DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)`);
    await expect(checkSqlite(older)).rejects.toThrow('update it with "migrate" first');
  });

  itHere(
    'are checked on both sides of an import: a file that is at fault is copied only as it is, on request',
    async () => {
      await database.empty();
      const environment = { DATABASE_URL: database.url, SECRET_KEY };
      const file = changed(OTHER_TOTAL);
      const refused = await runCommand(['import', file], environment);
      expect([refused.code, refused.out]).toEqual([1, '']);
      expect(refused.complaints).toMatch(
        /the file is at fault, and nothing was copied[^]*--force:\n {2}the book of strategy/,
      );
      const forced = await runCommand(['import', file, '--force'], environment);
      expect(forced.out).toMatch(/On both sides the same is at fault:\n {2}the book of strategy/);
      expect(await checkPostgres(database.url)).toEqual(await checkSqlite(file));
    },
  );

  itHere(
    'are copied with all their faults, in whatever order the rows of the file are',
    async () => {
      await database.empty();
      const file = changed(`UPDATE trades SET amount = 'x', rowid = 1000 WHERE ${ONE_TRADE}`);
      change(file, `UPDATE trades SET amount = 'x' WHERE id = (SELECT max(id) FROM trades)`);
      const environment = { DATABASE_URL: database.url, SECRET_KEY };
      const { out, complaints } = await runCommand(['import', file, '--force'], environment);
      expect(complaints).not.toContain('nothing was copied');
      expect(out.match(/trade \S+ cannot be read/g)).toHaveLength(2);
    },
  );

  itHere('are the same after an import of a sound file', async () => {
    await database.empty();
    const { out } = await runCommand(['import', sound], {
      DATABASE_URL: database.url,
      SECRET_KEY,
    });
    expect(out).toMatch(
      /On both sides every book, .* agree: strategies 3, trades 8, entries of records \d+, the log/,
    );
    expect((await checkPostgres(database.url)).faults).toEqual([]);
  });
});
