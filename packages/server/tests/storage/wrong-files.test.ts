import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { backupSqlite } from '@slipstream/adapter-sql';
import { isThere } from '../../src/settings/is-there.js';
import { freshFolders } from '../helpers/child-server.js';
import { runCommandIn } from '../helpers/run-command.js';

const freshFolder = freshFolders();
const HEADER = 'symbol,stock,name,sector,security,exchange,peg,figi_composite\n';

describe('a file of instruments is refused by its line', () => {
  it.each([
    ['that is empty', '', 'is empty'],
    ['that is no table', '{"a":1}', ': Invalid Opening Quote'],
    ['whose quote has no end', `${HEADER}FOO,FOO,"Foo,x,stock,NYSE,USD,\n`, ': Quote Not Closed'],
    ['with a row too short', `${HEADER}FOO,FOO\n`, ': Invalid Record Length'],
    [
      'with a name on two lines',
      `${HEADER}\nFOO,FOO,"Foo\nInc",x,stock,NYSE,USD,\n`,
      'line 4: name must be on one line',
    ],
    [
      'whose id could not be named',
      `${HEADER}${'A'.repeat(46)},A,Long,x,stock,NYSE,USD,\n`,
      'line 2: symbol and exchange may have 49 characters together',
    ],
    [
      'with a symbol that is too long',
      `${HEADER}${'A'.repeat(51)},A,Long,x,stock,NYSE,USD,\n`,
      'line 2: symbol must have 1 to 50 characters',
    ],
  ])('%s', async (_, text, reason) => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'stocks.csv'), text);
    const { code, complaints } = await runCommandIn(
      folder,
      ['import-stocks', 'stocks.csv', '--init'],
      {},
    );
    expect(complaints).toContain(reason);
    expect(complaints).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });
});

describe('a copy of the database', () => {
  it('leaves nothing behind when it cannot be finished', async () => {
    const folder = freshFolder();
    await runCommandIn(folder, ['migrate', '--init'], {});
    mkdirSync(join(folder, 'copies/now.db/full'), { recursive: true });
    const [file, copy] = ['data/slipstream.db', 'copies/now.db'].map((name) => join(folder, name));
    await expect(backupSqlite(file ?? '', copy ?? '')).rejects.toThrow();
    expect(readdirSync(join(folder, 'copies'))).toEqual(['now.db']);
  });

  it.each([[[]], [['--force']]])('is refused for a folder by its name: %j', async (options) => {
    const folder = freshFolder();
    await runCommandIn(folder, ['migrate', '--init'], {});
    mkdirSync(join(folder, 'copies'));
    expect(await runCommandIn(folder, ['backup', 'copies/', ...options], {})).toMatchObject({
      code: 1,
      complaints: 'copies/ is a folder: name the file of the copy in it\n',
    });
    expect(readdirSync(join(folder, 'copies'))).toEqual([]);
  });
});

describe('a database to import', () => {
  it.each([
    ['a folder', 'some', /^\/\S+some is no file\n$/],
    ['something else', 'some/text', /^\/\S+text is not a database of Slipstream; nothing in it/],
  ])('is refused by its name, and not as DATABASE_URL, if it is %s', async (_, file, complaint) => {
    const folder = freshFolder();
    mkdirSync(join(folder, 'some'));
    writeFileSync(join(folder, 'some/text'), 'a text');
    const { code, complaints } = await runCommandIn(folder, ['import', file], {
      DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/slipstream',
    });
    expect(complaints).toMatch(complaint);
    expect(code).toBe(1);
  });
});

describe('a file of a command that reads it whole', () => {
  const folder = freshFolder();
  const run = (...args: string[]) => runCommandIn(folder, args, {});
  const path = (name: string): string => join(folder, name);
  const REPLAY = ['replay', '--data', 'prices.csv', '--strategy', 'targets.csv', '--out'];
  const RECORD = 'run/record.jsonl';

  beforeAll(async () => {
    const days = ['2024-01-02', '2024-01-03', '2024-01-04'];
    const rows = days.map((day) => `${day},AAPL,10,11,9,10\n`).join('');
    writeFileSync(path('prices.csv'), `date,symbol,open,high,low,close\n${rows}`);
    writeFileSync(path('targets.csv'), 'at,stock_id,percent\n2024-01-02,AAPL,0.5\n');
    await run(...REPLAY, 'run');
    await run('migrate', '--init');
    await run('backup', 'copy.db');
    mkdirSync(path('some/folder'), { recursive: true });
  });

  it.each([
    [['verify', 'some']],
    [['verify', RECORD, '--anchors', 'some']],
    [['verify', RECORD, '--ca', 'some']],
    [['verify', RECORD, '--statistics', 'some']],
    [['report', '--record', 'some', '--out', 'report']],
    [['report', '--record', RECORD, '--benchmark', 'some', '--out', 'report']],
    [['import-stocks', 'some']],
    [[...REPLAY, 'again', '--trials', 'some']],
    [[...REPLAY, 'again', '--factors', 'some']],
    [['replay', '--data', 'some', '--strategy', 'targets.csv', '--out', 'other']],
    [['replay', '--data', 'prices.csv', '--alerts', 'some', '--out', 'again']],
  ])('is refused by its name if it is a folder: %j', async (args) => {
    const { code, complaints } = await run(...args);
    expect(complaints).toBe('some is a folder: name a file\n');
    expect(code).toBe(1);
  });

  it.each([
    [['replay', '--data', 'prices.csv', '--strategy', 'some', '--out', 'again'], 'some'],
    [['migrate', '--with', 'some'], 'A setting cannot be used:\n--with some'],
  ])('is no module if it is a folder: %j', async (args, named) => {
    const { code, complaints } = await run(...args);
    expect(complaints).toBe(`${named}: it is a folder: name a file\n`);
    expect(code).toBe(1);
  });

  it('is read with the byte order mark that an editor put before it', async () => {
    const marked = (name: string): string => {
      const text = `\uFEFF${readFileSync(path(`run/${name}`), 'utf8').replaceAll('\n', '\r\n')}`;
      writeFileSync(path(name), text);
      return name;
    };
    const [record, statistics] = ['record.jsonl', 'statistics.json'].map(marked);
    const args = ['verify', record ?? '', '--statistics', statistics ?? ''];
    expect(await run(...args)).toMatchObject({
      ...{ code: 0, complaints: '', out: expect.stringContaining('The record is intact') },
    });
    writeFileSync(path('anchors.json'), '\uFEFF{"size": 1}');
    const { complaints } = await run('verify', RECORD, '--anchors', 'anchors.json');
    expect(complaints).toBe('anchors.json is neither an anchor nor a record with anchors\n');
  });

  it('is refused so as a stored key, and nothing is made', async () => {
    const args = ['restore', 'copy.db', '--key', 'some'];
    const place = { DATABASE_URL: 'sqlite:new/slipstream.db' };
    expect(await runCommandIn(folder, args, place)).toMatchObject({
      ...{ code: 1, complaints: 'some is a folder: name a file\n' },
    });
    expect(isThere(path('new/slipstream.db'))).toBe(false);
  });
});
