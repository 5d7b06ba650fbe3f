import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runProgram } from '../../src/testing/index.js';
import { freshFolders, run, serveIn } from '../helpers/child-server.js';
import { ask, attempt } from '../helpers/composed-server.js';
import { runCommandIn } from '../helpers/run-command.js';

const CANARY = 'canary';
const freshFolder = freshFolders();
/** Said by the parser of arguments, which ends the process. */
const AFTER = /It must be the seq of an entry/;

describe('the commands', () => {
  it('explain themselves', async () => {
    expect(await run(freshFolder(), ['--help'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/import-stocks.*Settings come from the environment/s),
    });
  });

  it('print no error when whoever read their output has left', async () => {
    const program = runProgram(freshFolder(), ['--help']);
    program.process.stdout?.destroy();
    expect(await program.ended).toMatchObject({ code: 0, complaints: '' });
  });

  it('list the credentials of each broker where a broker is named', async () => {
    expect(await run(freshFolder(), ['bots', 'new', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/simulated asks for starting_balance \(optional\): The USD/),
    });
  });

  it.each([
    [
      'a setting',
      ['serve'],
      { PORT: 'x', OPERATOR_TOKEN: CANARY },
      /^A setting cannot be used:\nPORT must .*\nOPERATOR_TOKEN must .*\n$/,
    ],
    [
      'a file to replay',
      ['serve'],
      { PORT: '0', MARKET: 'replay', REPLAY_FILES: 'nowhere.csv' },
      /^REPLAY_FILES: nowhere\.csv cannot be read \(ENOENT\)\n$/,
    ],
    [
      'a market for the demo',
      ['demo'],
      { PORT: '0', MARKET: 'push' },
      /^A setting cannot be used:\nMARKET must be demo or replay/,
    ],
    ['a file to import', ['import-stocks', 'nowhere.csv', '--init'], {}, /nowhere\.csv/],
    ['a record to verify', ['verify', 'nowhere.json'], {}, /^there is no nowhere\.json\n$/],
    [
      'a record to report',
      ['report', '--record', 'nowhere.jsonl', '--out', 'report'],
      {},
      /^there is no nowhere\.jsonl\n$/,
    ],
    [
      'a folder that is a file',
      ['report', '--record', `${import.meta.filename}/record.jsonl`, '--out', 'report'],
      {},
      /^\S+record\.jsonl cannot be read or written \(ENOTDIR\)\n$/,
    ],
    [
      'a database to copy',
      ['backup', 'copy.db'],
      {},
      /^there is no database data\/slipstream\.db\n$/,
    ],
    [
      'a head without --verify',
      ['audit', '--head', 'f'.repeat(64)],
      { DATABASE_URL: `sqlite:${import.meta.filename}` },
      /--head and --key need --verify/,
    ],
    [
      'a head that is none, which tells nothing of the log',
      ['audit', '--verify', '--head', 'f'.repeat(63)],
      {},
      /'f{63}' is invalid\. It must be a head as "audit --verify" prints it/,
    ],
    [
      'a database to make a token in',
      ['token', '--email', 'a@example.com', '--scope', '*', '--create'],
      {},
      /^there is no database .*slipstream\.db; --init creates one\n$/,
    ],
    ['a database to migrate', ['migrate'], {}, /--init creates one/],
    // These two have no option --init.
    ...[['rotate-key'], ['replace-key', '--old-is-lost']].map(
      (words): [string, string[], Record<string, string>, RegExp] => [
        `a database whose key to change: ${words[0]}`,
        words,
        {},
        /^there is no database .*slipstream\.db\n$/,
      ],
    ),
    [
      'a key of archives that is none, which signs nothing',
      ['audit', '--verify', '--key', 'zz'],
      {},
      /'zz' is invalid\. It must be a public_key as the last line of an archive has it/,
    ],
    ['a host with a port', ['serve'], { HOST: '127.0.0.1:3000' }, /HOST must be/],
    [
      'a host of somebody else',
      ['serve'],
      { PORT: '0', HOST: '192.0.2.1' },
      /HOST is not an address/,
    ],
    [
      'a file of something else as a database',
      ['serve'],
      { DATABASE_URL: `sqlite:${import.meta.filename}` },
      /^DATABASE_URL: .*is not a database of Slipstream/,
    ],
    ['a database to audit', ['audit'], {}, /^there is no database data\/slipstream\.db\n$/],
    ['the seq of an entry', ['audit', '--after', 'x'], {}, AFTER],
    [
      'a server to watch',
      ['watch', '--url', 'http://127.0.0.1:1', '--token', CANARY, 'wsOrders:x'],
      {},
      /ECONNREFUSED/,
    ],
  ])(
    'refuse %s that cannot be used in a sentence, with exit code 1',
    async (_, args, environment, expected) => {
      const needsProcess = args[0] === 'serve' || expected === AFTER;
      const runs = needsProcess ? run : runCommandIn;
      const { code, complaints } = await runs(freshFolder(), args, environment);
      expect({ code, complaints }).toEqual({
        code: 1,
        complaints: expect.stringMatching(expected),
      });
      expect(complaints).not.toMatch(/\n\s+at /);
      expect(complaints).not.toContain(CANARY);
    },
  );

  it.each([
    [['nonsense', '--help'], "unknown command 'nonsense'"],
    [['nonsense', '-h'], "unknown command 'nonsense'"],
    // Without a word it is `bots list`.
    [['bots', 'nonsense', '--help'], "unknown command 'nonsense'"],
  ])('refuse help about a command that does not exist: %j', async (words, expected) => {
    const { code, out, complaints } = await runCommandIn(freshFolder(), words);
    expect([code, out]).toEqual([1, '']);
    expect(complaints).toContain(expected);
  });

  it.each(['orders', 'alerts'])(
    'have help about %s also beside the strategy that is listed, and ask no server for it',
    async (group) => {
      const { out: help } = await runCommandIn(freshFolder(), [group, '--help']);
      for (const flag of ['--help', '-h']) {
        const found = await runCommandIn(freshFolder(), [group, 'some-strategy', flag]);
        expect(found).toMatchObject({ code: 0, out: help, complaints: '' });
      }
    },
  );

  it('refuse unknown commands and options', async () => {
    const folder = freshFolder();
    const { code, complaints } = await run(folder, [
      'token',
      '--email',
      'a@example.com',
      '--scope',
      'root',
    ]);
    expect(code).toBe(1);
    expect(complaints).toMatch(/"root" is not a scope.*--help/s);
    const nobody = ['token', '--email', 'nobody', '--scope', '*', '--create'];
    expect(await run(folder, nobody)).toMatchObject({
      code: 1,
      complaints: expect.stringMatching(/"nobody" is not an e-mail address/),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('migrate, token, import-stocks and backup prepare the database of a later server', async () => {
    const folder = freshFolder();
    const environment = { DATABASE_URL: 'sqlite:kept/here.db' };
    expect(await runCommandIn(folder, ['migrate', '--init'], environment)).toMatchObject({
      code: 0,
      out: 'The database is up to date.\n',
      complaints: '',
    });

    const stranger = await runCommandIn(
      folder,
      ['token', '--email', 'ada@example.com', '--scope', '*'],
      environment,
    );
    expect(stranger).toMatchObject({
      code: 1,
      out: '',
      complaints: 'no user has the address ada@example.com\n',
    });
    const made = await runCommandIn(
      folder,
      ['token', '--email', 'Ada@example.com', '--scope', 'newStrategy,getStrategies', '--create'],
      environment,
    );
    expect(made.code).toBe(0);
    const token = made.out.trim();

    writeFileSync(
      join(folder, 'more.csv'),
      '\ufeffsymbol,stock,name,sector,security,exchange,peg,figi_composite\r\nACME,ACME,"Acme, Inc.",Tools,stock,NYSE,USD,\r\n',
    );
    expect(await runCommandIn(folder, ['import-stocks', 'more.csv'], environment)).toMatchObject({
      code: 0,
      out: '1 of 1 instruments added; the others existed already.\n',
    });
    writeFileSync(join(folder, 'bad.csv'), 'symbol,name\nACME,Acme\n');
    expect(await runCommandIn(folder, ['import-stocks', 'bad.csv'], environment)).toMatchObject({
      code: 1,
      complaints: 'bad.csv has no column stock\n',
    });
    writeFileSync(join(folder, 'bad.csv'), 'symbol;stock;name\nACME;ACME;Acme\n');
    expect(await runCommandIn(folder, ['import-stocks', 'bad.csv'], environment)).toMatchObject({
      code: 1,
      complaints:
        'bad.csv has no column symbol: its columns must be separated by commas, not by ";"\n',
    });

    const server = await serveIn(folder, environment);
    try {
      const { url } = server;
      const { strategy_id } = await ask(url, 'newStrategy', { type: 'stock', name: 'Kept' }, token);
      expect((await attempt(url, 'getPositions', { strategy_id }, token)).status).toBe(401);
      expect(await ask(url, 'getStocks', { stock_id: ['ACME:NYSE'] })).toMatchObject([
        { name: 'Acme, Inc.' },
      ]);
      expect(await runCommandIn(folder, ['backup', 'copies/now.db'], environment)).toMatchObject({
        code: 0,
      });
      expect(await runCommandIn(folder, ['backup', 'copies/now.db'], environment)).toMatchObject({
        code: 1,
        complaints: 'copies/now.db exists already; --force replaces it\n',
      });
      expect(
        await runCommandIn(folder, ['backup', 'copies/now.db', '--force'], environment),
      ).toMatchObject({
        code: 0,
        complaints: expect.stringMatching(
          /^The master key \(kept\/secret\.key\) is not in the copy/,
        ),
      });
      server.process.kill('SIGKILL');
      await server.ended;
      const copy = { DATABASE_URL: 'sqlite:copies/now.db' };
      copyFileSync(join(folder, 'kept/secret.key'), join(folder, 'copies/secret.key'));
      const restored = await serveIn(folder, copy);
      try {
        expect(
          await ask(restored.url, 'getStrategies', { strategy_id: [strategy_id] }, token),
        ).toMatchObject([{ name: 'Kept' }]);
      } finally {
        restored.process.kill('SIGKILL');
      }
    } finally {
      server.process.kill('SIGKILL');
    }
  });

  it('audit prints and checks the log of a running server, and shows what was tampered with', async () => {
    const folder = freshFolder();
    const made = await runCommandIn(folder, [
      'token',
      '--email',
      'a@example.com',
      '--scope',
      '*',
      '--create',
      '--init',
    ]);
    const token = made.out.trim();
    const server = await serveIn(folder);
    try {
      await ask(server.url, 'newPost', { text: CANARY }, token);
      const { out } = await runCommandIn(folder, ['audit']);
      const entries = out.trimEnd().split('\n');
      const actions = entries.map((line) => (JSON.parse(line) as { action: string }).action);
      expect(actions).toEqual(['issueToken', 'importStocks', 'newPost']);
      expect(out).not.toContain(CANARY);
      expect(out).not.toContain(token);
      expect(await runCommandIn(folder, ['audit', '--after', '2'])).toMatchObject({
        out: `${entries[2]}\n`,
      });
      const { hash } = JSON.parse(entries[2] ?? '') as { hash: string };
      for (const [after, count] of [
        ['0', 3],
        ['2', 1],
      ] as const) {
        expect(await runCommandIn(folder, ['audit', '--verify', '--after', after])).toMatchObject({
          code: 0,
          out: `The audit log is intact: ${count} entries, head ${hash}.\n`,
        });
      }
      expect(
        await runCommandIn(folder, ['audit', '--verify', '--head', 'f'.repeat(64)]),
      ).toMatchObject({
        code: 1,
        complaints: expect.stringContaining('does not contain the head'),
      });
      await runCommandIn(folder, ['backup', 'copy.db']);
    } finally {
      server.process.kill('SIGKILL');
    }
    const copy = readFileSync(join(folder, 'copy.db'));
    copy.write('importSnacks', copy.indexOf('importStocks'));
    writeFileSync(join(folder, 'copy.db'), copy);
    const environment = { DATABASE_URL: 'sqlite:copy.db' };
    expect(await runCommandIn(folder, ['audit', '--verify'], environment)).toMatchObject({
      code: 1,
      out: '',
      complaints: 'The audit log is NOT intact at entry 2: it was changed after it was made.\n',
    });
  });

  it('watch prints a stream and ends with it', async () => {
    const folder = freshFolder();
    const made = await runCommandIn(folder, [
      'token',
      '--email',
      'ada@example.com',
      '--scope',
      '*',
      '--create',
      '--init',
    ]);
    const token = made.out.trim();
    const server = await serveIn(folder);
    try {
      const { strategy_id } = await ask(
        server.url,
        'newStrategy',
        { type: 'stock', name: 'Watched' },
        token,
      );
      const watching = runProgram(folder, [
        'watch',
        '--url',
        server.url,
        '--token',
        token,
        `wsOrders:${strategy_id}`,
      ]);
      await new Promise<void>((resolve) => {
        let text = '';
        watching.process.stdout?.on('data', (data: Buffer) => {
          text += data.toString();
          if (text.includes('"snapshot"')) resolve();
        });
      });
      server.process.kill('SIGTERM');
      expect(await watching.ended).toMatchObject({
        code: 0,
        complaints: expect.stringMatching(/1001/),
      });
    } finally {
      server.process.kill('SIGKILL');
    }
  });
});
