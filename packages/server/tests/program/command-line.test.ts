import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ONLY_BY_NAME } from '@slipstream/domain';
import { type Operation, type OperationName, operations } from '@slipstream/wire';
import { calledAs } from '../../src/cli/called-as.js';
import { requestOf } from '../../src/cli/fields.js';
import { table } from '../../src/cli/output.js';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';

const AAPL = 'AAPL:NASDAQ';

/** What a command that talks to the server prints, and how it ends. */
const run = (
  url: string,
  token: string | undefined,
  args: readonly string[],
  environment: Record<string, string> = {},
  onText: (text: string) => void = () => undefined,
) =>
  runCommand(
    args,
    {
      SLIPSTREAM_URL: url,
      SLIPSTREAM_TOKEN: token,
      SLIPSTREAM_PASSWORD: 'correct horse battery',
      ...environment,
    },
    onText,
  );

describe('an answer that nobody expects', () => {
  /** How an order ends whose requests are all answered so. */
  async function ordered(answer: (response: ServerResponse) => unknown, ...more: string[]) {
    const service = createServer(
      (request, response) => void request.resume().on('end', () => answer(response)),
    );
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const order = ['call', 'newOrder', 'strategy_id=s', 'amount=1', ...more];
    const ended = await run(`http://127.0.0.1:${port}`, 'token', order);
    service.close();
    return ended;
  }

  it.each([
    ['no answer', (response: ServerResponse) => response.destroy()],
    ['that of a proxy', (response: ServerResponse) => response.writeHead(504).end()],
  ])('to a change, %s, sends nobody to do it twice', async (_, answer) => {
    const { complaints, code } = await ordered(answer);
    expect(complaints).toMatch(
      /If it was to change something, look whether it did before you repeat it\.\n$/,
    );
    expect(code).toBe(1);
  });

  it('asks whether the address is right where another server knows no such path', async () => {
    const { complaints, code } = await ordered((response) => response.writeHead(404).end('\nNo\n'));
    expect(complaints).toMatch(
      /^The answer of http:\/\/127\.0\.0\.1:\d+ is not of this service: 404 No\. Is that the address of the server\? --url or SLIPSTREAM_URL names another one\.\n$/,
    );
    expect(code).toBe(1);
  });

  it('says after how long to try again, when the service does', async () => {
    const { complaints } = await ordered((response) => {
      response.writeHead(429, { 'Retry-After': '37', 'X-Error-Code': 'rate_limited' });
      response.end(JSON.stringify({ success: false, response: 'too many requests, slow down' }));
    });
    expect(complaints).toBe('too many requests, slow down (wait 37 s)\n');
  });

  it('reaches no terminal as a command', async () => {
    const hostile = '\u001b]0;x\u0007\u001b[2J\u009b31m';
    const shown = '\\u001b]0;x\\u0007\\u001b[2J\\u009b31m';
    const failed = await ordered((response) => response.end(hostile));
    expect(failed.complaints).toContain(shown);
    const answer = JSON.stringify({ success: true, response: { text: hostile } });
    const done = await ordered((response) => response.end(answer));
    expect(done.out).toContain(shown);
    expect(JSON.parse(done.out)).toEqual({ text: hostile });
    for (const text of [failed.complaints, done.out]) expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe('a card that its bank wants confirmed', () => {
  it.each([
    [
      'https://bank.example/confirm',
      [],
      /pending\nYour bank .* https:\/\/bank\.example\/confirm\n$/,
    ],
    [null, [], /pending\nYour bank wants you to confirm it\.\n$/],
    ['https://bank.example/confirm', ['--json'], /"url": "https:[^]*\}\n$/],
  ])('says where, because no later answer does: %s %j', async (url, flags, said) => {
    const made = operations.newPaymentSource.example.response;
    const next_action = { url, client_secret: null };
    const response = { ...made, status: 'pending', next_action };
    const service = createServer(
      (_, reply) => void reply.end(JSON.stringify({ success: true, response })),
    );
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const address = 'cards add pm_card --name A --city B --country GB --line C --postal D';
    const words = [...address.split(' '), ...flags];
    const { out, complaints } = await run(`http://127.0.0.1:${port}`, 'token', words);
    service.close();
    expect(complaints).toBe('');
    expect(out).toMatch(said);
  });
});

describe('the list of strategies', () => {
  it('has also those beyond the first page of subscriptions', async () => {
    const rows = Array.from({ length: 101 }, (_, n) => ({
      subscription_id: `s-${n}`,
      strategy_id: `strategy-${n}`,
      relation: 'owner',
      status: n < 100 ? 'cancelled' : 'active',
    }));
    const service = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://any.test');
      const cursor = searchParams.get('cursor');
      const first = rows.findIndex(({ subscription_id }) => subscription_id === cursor) + 1;
      const ids = searchParams.getAll('strategy_id[]');
      const answers: Readonly<Record<string, unknown>> = {
        '/getStrategySubscriptions': rows.slice(first, first + 100),
        '/getStrategies': ids.map((strategy_id) => ({ strategy_id, name: 'Old' })),
        '/getStrategyValues': [],
      };
      response.end(JSON.stringify({ success: true, response: answers[pathname] }));
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const { out } = await run(`http://127.0.0.1:${port}`, 'token', ['strategies']);
    service.close();
    expect(out).toMatch(/\nstrategy-100 +Old /);
  });
});

describe('a list with more than a page', () => {
  type Rows = readonly Record<string, string>[];
  const listOf = (response: object): Rows =>
    (Array.isArray(response)
      ? response
      : (response as { withdrawals?: unknown }).withdrawals) as Rows;

  /** Runs the command against a service that answers a page of so many; with the requests that it got. */
  async function listed(words: readonly string[], operation: OperationName, count: number) {
    const asked: URL[] = [];
    const response = operations[operation].example.response as object;
    const rows = Array(count).fill(listOf(response)[0]);
    const answer = Array.isArray(response) ? rows : { ...response, withdrawals: rows };
    const service = createServer((request, reply) => {
      asked.push(new URL(request.url ?? '', 'http://service'));
      reply.end(JSON.stringify({ success: true, response: answer }));
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const ended = await run(`http://127.0.0.1:${port}`, 'token', words);
    service.close();
    return { ...ended, asked };
  }

  it.each<[string, OperationName, string, readonly string[], number?]>([
    ['halts', 'getTradingHalts', 'halt_id', []],
    ['tokens', 'getTokens', 'token_id', []],
    ['invoices', 'getInvoices', 'invoice_id', []],
    ['earnings', 'getWithdrawals', 'withdrawal_id', []],
    ['subscriptions', 'getStrategySubscriptions', 'subscription_id', []],
    ['alerts list s', 'getAlerts', 'inbox_id', ['strategy_id']],
    ['orders list s --status filled', 'getOrders', 'order_id', ['strategy_id', 'order_status']],
    ['orders list s --limit 7', 'getOrders', 'order_id', ['strategy_id'], 7],
  ])(
    'is told by %s with the command that shows what follows',
    async (line, operation, id, same, page = 100) => {
      const words = line.split(' ');
      const first = await listed(words, operation, page);
      const [, shown, next = ''] =
        /newest (\d+) are shown\. Older ones: .*? (call .*)\n/.exec(first.complaints) ?? [];
      expect(shown).toBe(String(page));
      const { asked, code } = await listed(next.split(' '), operation, 1);
      expect(code).toBe(0);
      const [one, other] = [first.asked.at(-1), asked.at(-1)];
      const [last] = listOf(operations[operation].example.response as object);
      expect(other?.pathname).toBe(one?.pathname);
      expect(other?.searchParams.get('cursor')).toBe(last?.[id]);
      for (const field of same)
        expect(other?.searchParams.get(field)).toBe(one?.searchParams.get(field));
    },
  );

  it('is told to people, and of no shorter one', async () => {
    expect((await listed(['halts'], 'getTradingHalts', 99)).complaints).toBe('');
    expect((await listed(['halts', '--json'], 'getTradingHalts', 100)).complaints).toBe('');
    expect((await listed(['orders', 's', '--limit', '7'], 'getOrders', 6)).complaints).toBe('');
  });

  it.each([
    [
      ['stocks', 'a'],
      20,
      'The first 20 are shown. Search for more of the name, or add --limit 100.\n',
    ],
    [['stocks', 'a', '--limit', '7'], 7, expect.stringMatching(/^The first 7 are shown\./)],
    [
      ['stocks', 'a', '--limit', '100'],
      100,
      'The first 100 are shown. Search for more of the name.\n',
    ],
    [['stocks', 'a'], 19, ''],
    [['stocks', 'a', '--json'], 20, ''],
  ])('is told by a search, which has no next page: %j', async (words, count, said) => {
    expect((await listed(words, 'findStocks', count)).complaints).toEqual(said);
  });
});

describe('the commands that call a server', () => {
  let server: ComposedServer;
  let token: string;
  let strategy_id: string;
  beforeAll(async () => {
    server = await composedServer();
    token = await server.user('ada');
    await server.quotes({ [AAPL]: [199.98, 200.02] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const given = { type: 'stock', name: 'Momentum' };
    ({ strategy_id } = await server.ask('newStrategy', given, token));
  });

  const runHere = (
    args: readonly string[],
    environment?: Record<string, string>,
    onText?: (text: string) => void,
  ) => run(server.url, token, args, environment, onText);

  it('show answers for people as a table', async () => {
    const { out, code } = await runHere(['strategies']);
    expect(code).toBe(0);
    expect(out).toMatch(/^STRATEGY +NAME +TYPE +YOU ARE +VALUE +SUBSCRIBERS +USD\/MONTH\n/);
    expect(out).toMatch(new RegExp(`\n${strategy_id} +Momentum +stock +owner +1 +0 +0\n`));
  });

  it('show answers for programs as the JSON of the service', async () => {
    await runHere([
      'orders',
      'new',
      strategy_id,
      'buy',
      AAPL,
      '--amount',
      '0.001',
      '--type',
      'limit',
      '--price',
      '150',
    ]);
    const { out } = await runHere(['orders', strategy_id, '--json']);
    const [order] = await server.ask('getOrders', { strategy_id }, token);
    expect(JSON.parse(out)).toEqual([order]);
    expect(await runHere(['orders', 'cancel', strategy_id, order?.order_id ?? ''])).toMatchObject({
      code: 0,
    });
    expect((await runHere(['orders', strategy_id])).out).toBe('No open orders.\n');
  });

  it('make a strategy', async () => {
    const { out } = await runHere([
      'strategies',
      'new',
      'Mine',
      '--type',
      'stock',
      '--price',
      '5',
      '--category',
      'a',
      '--category',
      'b',
      '--private',
      '--json',
    ]);
    expect(JSON.parse(out)).toMatchObject({
      name: 'Mine',
      price: 5,
      private: true,
      categories: ['a', 'b'],
    });
  });

  it('allocate, send an alert and preview both', async () => {
    const preview = await runHere(['allocate', strategy_id, `${AAPL}=0.5`, '--preview']);
    expect(preview.out).toMatch(/buy +AAPL:NASDAQ +market/);
    expect(await server.ask('getTrades', { strategy_id }, token)).toEqual([]);
    await runHere(['allocate', strategy_id, `${AAPL}=0.5`]);
    expect(await server.ask('getTrades', { strategy_id }, token)).toHaveLength(1);
    await runHere(['alert', strategy_id, AAPL, 'sell', '--leverage', '0.1']);
    const { positions } = await server.ask('getPositions', { strategy_id }, token);
    expect(positions[0]?.amount).toMatch(/^-/);
    await runHere(['allocate', strategy_id, '--close-all']);
    expect((await server.ask('getPositions', { strategy_id }, token)).positions).toEqual([]);
  });

  it('take effect once, however often a request is sent', async () => {
    const keys: (string | undefined)[] = [];
    const busy = createServer(({ headers }, response) => {
      keys.push(headers['idempotency-key']?.toString());
      const success = keys.length > 1;
      response.statusCode = success ? 200 : 503;
      response.end(JSON.stringify({ success, response: 'Order deleted.' }));
    });
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    try {
      const SLIPSTREAM_URL = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
      const { code } = await runHere(['orders', 'cancel', strategy_id, 'any'], { SLIPSTREAM_URL });
      expect(code).toBe(0);
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
    } finally {
      busy.close();
    }
  });

  it('start and stop a bot and show its account', async () => {
    const given = {
      type: 'stock',
      broker: 'simulated',
      allocations: [{ strategy_id, percent: 1 }],
      credentials: { starting_balance: '10000' },
    };
    const { bot_id } = await server.ask('newBot', given, token);
    expect((await runHere(['bots', 'start', bot_id])).out).toMatch(/STATUS +scheduled_rebalance/);
    expect((await runHere(['bots', 'account', bot_id])).out).toMatch(/EQUITY +10000\n/);
    expect((await runHere(['bots', 'stop', bot_id, '--no-close'])).out).toMatch(
      /STATUS +(stopping|off)/,
    );
    expect((await runHere(['bots'])).out).toContain('simulated (no real money)');
  });

  it('print a stream as lines until it ends', async () => {
    const { out, complaints } = await runHere(
      ['watch', `wsStrategyValue:${strategy_id}`],
      {},
      (text) => {
        if (text.includes('"snapshot"')) void server.ask('deleteStrategy', { strategy_id }, token);
      },
    );
    expect(
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { event: string }).event),
    ).toEqual(['snapshot', 'ended']);
    expect(complaints).toContain(`wsStrategyValue:${strategy_id} ended: `);
  });

  it.each([
    [
      'a refusal of the service, in its sentence',
      ['allocate', 'unknown', `${AAPL}=0.5`],
      {},
      /^Request failed\. .+\.\n$/,
    ],
    [
      'an invalid token, and what to do',
      ['bots'],
      { SLIPSTREAM_TOKEN: 'nobody' },
      /^Authentication failed\. .*--token or SLIPSTREAM_TOKEN/,
    ],
    ...[
      ['anchor'],
      ...Object.values(operations)
        .filter(({ auth }) => auth === 'operator')
        .map(({ name }) => ['call', name]),
    ].map((words): [string, string[], Record<string, string>, RegExp] => [
      `that only the operator may "${words.join(' ')}", which no sign-in changes`,
      words,
      {},
      /^Authentication failed\. Only the operator may do this: use the OPERATOR_TOKEN [^:]+\n$/,
    ]),
    [
      'targets beside --close-all, which contradict it',
      ['allocate', 'any', `${AAPL}=0.3`, '--close-all'],
      {},
      /not both/,
    ],
    [
      'channels that are all refused',
      ['watch', 'wsOrders:019cb95c-e980-72c3-b650-3d3343a3fe26'],
      {},
      /Nothing to watch: /,
    ],
    [
      'an unknown operation, and a similar one',
      ['call', 'getstrategyval'],
      {},
      /^there is no operation getstrategyval; there is getStrategyValues\n$/,
    ],
    [
      'an operation that is mistyped, and the one that was meant',
      ['call', 'newStratgey'],
      {},
      /^there is no operation newStratgey; there is newStrategy\n$/,
    ],
    ...[
      ['bots', 'strat', 'any'],
      ['bots', 'strat'],
      ['bots', 'strat', '--live', 'any'],
      ['orders', 'cancle', 'any', 'other'],
      ['alerts', 'tempalte', 'any', AAPL, '--new-token'],
      ['strategies', 'udpate', 'any'],
      ['tokens', 'delte', 'any'],
      ['cards', 'ad', 'any'],
    ].map((words): [string, string[], Record<string, string>, RegExp] => [
      `a mistyped command, and the one that was meant: ${words.join(' ')}`,
      words,
      {},
      /^error: unknown command '\w+'\n\(Did you mean (start|cancel|template|update|delete|add)\?\)\n/,
    ]),
    [
      'a command that is nothing like another, and all of its group',
      ['invoices', 'nonsense'],
      {},
      /^error: unknown command 'nonsense'\n\(there are list, \w+/,
    ],
    [
      'a mistyped command as JSON to a program',
      ['bots', 'strat', 'any', '--json'],
      {},
      /^\{"success":false,"response":"unknown command 'strat'\\n\(Did you mean start\?\)","code":"bad_arguments","request_id":null\}\n$/,
    ],
    ...[
      ['update', 'any'],
      ['new', 'any', '--type', 'stock'],
    ].flatMap((words) =>
      ['', ' ', '1e1', '0x10', '20.5'].map(
        (price): [string, string[], Record<string, string>, RegExp] => [
          `"${price}" as a price of strategies ${words[0]}, not as nothing to pay`,
          ['strategies', ...words, '--price', price],
          {},
          /It must be a whole number of USD\.\n/,
        ],
      ),
    ),
    [
      'an empty price that somebody agrees to',
      ['follow', 'any', '--price', ''],
      {},
      /It must be a whole number of USD\.\n/,
    ],
    [
      'a strategy that is to be public and private',
      ['strategies', 'update', 'any', '--private', '--public'],
      {},
      /'--p\w+' cannot be used with option '--p\w+'/,
    ],
    [
      'nothing to change in a bot',
      ['bots', 'update', 'any'],
      {},
      /^give a setting as key=value, or --credentials\n$/,
    ],
    [
      'a limit of a bot that is given twice',
      ['bots', 'update', 'any', 'max_order=100', 'max_order=10000'],
      {},
      /^max_order was given twice\n$/,
    ],
    ['a word that is no field', ['call', 'getStocks', 'AAPL'], {}, /key=value/],
    ['what is no JSON', ['call', 'newOrder', 'amount:=x'], {}, /amount takes JSON/],
    [
      'a missing server, and how to start one',
      ['bots', '--url', 'http://127.0.0.1:1'],
      {},
      /^http:\/\/127\.0\.0\.1:1 cannot be reached \(.*Is the server running\?.* serve\n$/,
    ],
    ...[
      [['--url', 'localhost:3000'], '--url'],
      [['--url', 'http://127.0.0.1:3000/#/bots'], '--url'],
      [[], 'SLIPSTREAM_URL'],
    ].map(([words = [], from]): [string, string[], Record<string, string>, RegExp] => [
      `an address in ${String(from)} that is none, and how one is written: ${String(words[1])}`,
      ['bots', ...words],
      { SLIPSTREAM_URL: '127.0.0.1:3000' },
      new RegExp(`^${String(from)} is no address of a server: write one such as http://127`),
    ]),
    [
      'a refusal as JSON to a program',
      ['orders', 'unknown', '--json'],
      {},
      /^\{"success":false,"response":"Request failed\. .*","code":"not_found","request_id":"[0-9a-f-]{36}"\}\n$/,
    ],
    [
      'an unknown option as JSON to a program',
      ['orders', 'list', '--json', '--bogus'],
      {},
      /^\{"success":false,"response":"unknown option '--bogus'","code":"bad_arguments","request_id":null\}\n$/,
    ],
    [
      'a missing argument as JSON to a program',
      ['call', '--json'],
      {},
      /^\{"success":false,"response":"missing required argument 'operation'","code":"bad_arguments","request_id":null\}\n$/,
    ],
    [
      'an unknown option to people, with the way to the help',
      ['orders', 'list', '--bogus'],
      {},
      /^error: unknown option '--bogus'\n\(--help shows how\)\n$/,
    ],
    [
      'a missing folder, before anything is downloaded',
      ['track', 'any', 'nowhere/record.json'],
      {},
      /^there is no folder nowhere\n$/,
    ],
    ['a dangerous slip', ['allocate', 'any'], {}, /--close-all/],
    [
      'a stream without access for the token',
      ['watch', 'wsOrders:x'],
      { SLIPSTREAM_TOKEN: 'nobody' },
      /Authentication failed\./,
    ],
  ])('report %s, with exit code 1', async (_, args, environment, expected) => {
    const { code, complaints, out } = await runHere(args, environment);
    expect({ code, complaints, out }).toEqual({
      code: 1,
      complaints: expect.stringMatching(expected),
      out: expect.any(String),
    });
  });
});

describe('a whole life from the command line', () => {
  let server: ComposedServer;
  beforeAll(async () => {
    server = await composedServer();
    await server.quotes({ [AAPL]: [199.98, 200.02] });
  });
  afterAll(() => server.close());

  /** What a command prints; it must succeed. */
  async function succeed(token: string | undefined, ...args: string[]): Promise<string> {
    const { out, complaints, code } = await run(server.url, token, args);
    expect({ complaints, code }).toEqual({ complaints: '', code: 0 });
    return out;
  }
  async function join(email: string): Promise<string> {
    expect(await succeed(undefined, 'sign-up', email)).toContain(`Made the account ${email}`);
    const scope = ['*', ...ONLY_BY_NAME].join(',');
    const out = await succeed(undefined, 'sign-in', email, '--scope', scope);
    return /^export SLIPSTREAM_TOKEN=(\S+)\n$/.exec(out)?.[1] ?? '';
  }
  const ADDRESS = ['--name', 'Ada', '--city', 'London', '--country', 'GB', '--line', 'Here 1'];
  const card = (token: string) => ['cards', 'add', token, ...ADDRESS, '--postal', 'N1'];

  it('says of a wrong password that it is wrong, and not to sign in', async () => {
    await join('guessing@example.com');
    const given = { SLIPSTREAM_URL: server.url, SLIPSTREAM_PASSWORD: 'not this password' };
    const { complaints, code } = await runCommand(['sign-in', 'guessing@example.com'], given);
    expect([code, complaints]).toEqual([1, 'The address or the password is wrong.\n']);
  });

  /** The six digits that an authenticator app shows (RFC 6238). */
  function codeOf(secret: string): string {
    const bits = [...secret].map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    );
    const bytes = bits.join('').match(/.{8}/g) ?? [];
    const key = Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
    const step = Buffer.alloc(8);
    step.writeBigUInt64BE(BigInt(Math.floor(server.clock.now() / 30_000)));
    const hash = createHmac('sha1', key).update(step).digest();
    const at = (hash.at(-1) ?? 0) & 15;
    return String((hash.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
  }

  it('takes a code of the second factor wherever it takes the password', async () => {
    const email = 'twice@example.com';
    const owner = await join(email);
    const { secret } = await server.ask('newTotp', { password: 'correct horse battery' }, owner);
    const made = await server.ask('confirmTotp', { totp: codeOf(secret) }, owner);
    const scope = ['--scope', ONLY_BY_NAME.join(',')];
    const asking = [
      [['sign-in', email, ...scope], 'export SLIPSTREAM_TOKEN='],
      [[...card('test_bank'), '--out'], 'out'],
      [['withdraw', '5'], 'three days after it was added'],
    ] as const;
    for (const [at, [words, expected]] of asking.entries()) {
      const without = await run(server.url, owner, words);
      expect(without).toMatchObject({ code: 1, complaints: expect.stringContaining('--totp') });
      const wrong = await run(server.url, owner, [...words, '--totp', '000000']);
      expect(wrong).toMatchObject({ code: 1, out: '' });
      const code = made.recovery_codes[at] ?? '';
      const { out, complaints } = await run(server.url, owner, [...words, '--totp', code]);
      expect(out + complaints).toContain(expected);
    }
  });

  it('takes the credentials of a broker from where no other program reads them', async () => {
    const owner = await join('careful@example.com');
    const made = await succeed(owner, 'strategies', 'new', 'Careful', '--type', 'stock');
    const [strategy_id = ''] = /[0-9a-f-]{36}/.exec(made) ?? [];
    const words = ['bots', 'new', strategy_id, '--credentials', '-'];
    const bot = (SLIPSTREAM_CREDENTIALS: string) =>
      run(server.url, owner, words, { SLIPSTREAM_CREDENTIALS });
    expect(await bot('{"starting_balance":"777"}')).toMatchObject({ code: 0, complaints: '' });
    expect(await bot('not JSON')).toMatchObject({ code: 1, out: '' });
    const [made777] = await server.ask('getBots', {}, owner);
    const { equity } = await server.ask('getBotAccount', { bot_id: made777?.bot_id }, owner);
    expect(equity).toBe('777');
    const bot_id = made777?.bot_id ?? '';
    const change = (SLIPSTREAM_CREDENTIALS: string, ...set: string[]) =>
      run(server.url, owner, ['bots', 'update', bot_id, ...set, '--credentials', '-'], {
        SLIPSTREAM_CREDENTIALS,
      });
    expect(await change('{"starting_balance":"888"}')).toMatchObject({
      ...{ code: 1, complaints: expect.stringContaining('starting_balance of account') },
    });
    expect(await change('{}', 'name=Anew')).toMatchObject({ code: 0, complaints: '' });
    expect((await server.ask('getBots', {}, owner))[0]).toMatchObject({ name: 'Anew' });
  });

  it('goes from sign-up through publishing, following, paying, a bot and an alert to earnings', async () => {
    const [owner, follower] = [await join('ada@example.com'), await join('bob@example.com')];
    const made = await succeed(owner, 'strategies', 'new', 'Momentum', '--type', 'stock');
    const [strategy_id = ''] = /[0-9a-f-]{36}/.exec(made) ?? [];
    await succeed(owner, 'strategies', 'update', strategy_id, '--price', '10');

    await succeed(follower, ...card('test_card_paid'));
    expect(await succeed(follower, 'cards')).toMatch(/in +yes +Test card/);
    expect(await succeed(follower, 'follow', strategy_id, '--price', '10')).toMatch(
      /STATUS +active/,
    );
    expect(await succeed(follower, 'invoices')).toMatch(/10 +0 +paid/);
    const lineOf = (relation: string) => new RegExp(`^${strategy_id} +${relation} +active `, 'm');
    expect(await succeed(follower, 'subscriptions')).toMatch(lineOf('subscriber'));
    expect(await succeed(owner, 'subscriptions')).toMatch(lineOf('owner'));

    const credentials = '{"starting_balance":"10000"}';
    const bot = await succeed(follower, 'bots', 'new', strategy_id, '--credentials', credentials);
    const [bot_id = ''] = /[0-9a-f-]{36}/.exec(bot) ?? [];
    expect(await succeed(follower, 'bots', 'start', bot_id)).toMatch(/scheduled_rebalance/);
    expect(await succeed(follower, 'bots', 'reset', bot_id)).toMatch(/scheduled_rebalance/);

    await succeed(owner, 'alert', strategy_id, AAPL, 'buy', '--leverage', '0.5');
    await server.quotes({ [AAPL]: [199.98, 200.02] });
    await server.application.background.runBots();
    await server.application.background.runBots();
    expect(await succeed(follower, 'bots', 'account', bot_id)).toMatch(/^AAPL +[\d.]+ +[\d.]+ +/m);
    expect(await succeed(owner, 'alerts', strategy_id)).toMatch(/aapl\.nasdaq +accepted/);
    expect(await succeed(owner, 'alerts', 'template', strategy_id, AAPL)).toContain('"api_token"');
    expect(await succeed(owner, 'stocks', 'apple')).toMatch(/AAPL:NASDAQ +Apple/);

    expect(await succeed(owner, 'earnings')).toMatch(/BALANCE +8\nCAN BE PAID OUT +0\n/);
    const refused = await run(server.url, owner, ['withdraw', '5']);
    expect(refused).toMatchObject({
      code: 1,
      complaints: expect.stringMatching(/^Request failed/),
    });
    const unnamed = await server.ask('newToken', { name: 'all', scope: ['*'] }, owner);
    expect(await run(server.url, unnamed.token, ['withdraw', '5'])).toMatchObject({
      code: 1,
      complaints: expect.stringContaining(
        "To get one: slipstream sign-in <email> --scope '*,newWithdrawal'",
      ),
    });

    await succeed(follower, 'bots', 'stop', bot_id, '--no-close');
    await server.application.background.runBots();
    await succeed(follower, 'bots', 'delete', bot_id);
    await succeed(follower, 'unfollow', strategy_id);
    await succeed(owner, 'strategies', 'delete', strategy_id);
    const [, token_id = ''] =
      /^([0-9a-f-]{36}) +command line/m.exec(await succeed(owner, 'tokens')) ?? [];
    await succeed(owner, 'tokens', 'delete', token_id);
    expect((await run(server.url, owner, ['bots'])).code).toBe(1);
  });

  it('confirms an address with the link of the mail', async () => {
    const { code, complaints } = await run(server.url, undefined, [
      'confirm',
      `${server.url}/confirm#code=wrong`,
    ]);
    expect({ code, complaints }).toEqual({
      code: 1,
      complaints: 'Request failed. the code is wrong, used or too old; ask for a new one.\n',
    });
  });
});

describe('call', () => {
  const rows = Object.entries(operations).map(([name, row]): [string, Operation] => [name, row]);

  /** The request as a person would write it. */
  const wordsOf = (request: Readonly<Record<string, unknown>>): string[] =>
    Object.entries(request).flatMap(([key, value]) => {
      if (typeof value === 'string') return [`${key}=${value}`];
      if (
        Array.isArray(value) &&
        value.length > 0 &&
        value.every((item) => typeof item === 'string')
      )
        return value.map((item) => `${key}=${item}`);
      return [`${key}:=${JSON.stringify(value)}`];
    });

  it.each(rows)('writes the example of %s', (_, operation) => {
    const example = operation.example.request as Record<string, unknown>;
    expect(requestOf(operation, wordsOf(example))).toEqual(example);
  });

  it('accepts whole numbers and booleans without JSON if the field accepts nothing else', () => {
    const words = ['type=stock', 'name=5', 'price=15', 'private=true', 'categories=a'];
    expect(requestOf(operations.newStrategy, words)).toEqual({
      type: 'stock',
      name: '5',
      price: 15,
      private: true,
      categories: ['a'],
    });
  });

  it.each(['__proto__', 'constructor'])('sends a field named %s as any other', (name) => {
    expect(Object.entries(requestOf(operations.newStrategy, [`${name}=1`]))).toEqual([[name, '1']]);
  });

  it.each(rows)('has help for %s', async (name) => {
    const { out, code } = await run('http://127.0.0.1:1', undefined, ['operations', name]);
    expect(code).toBe(0);
    expect(out).toMatch(/^(GET|POST) \/\w+\n.*Example request:.*Example response:/s);
  });
});

describe('hints', () => {
  it.each([
    [['node', '/usr/local/bin/slipstream'], {}, 'slipstream'],
    [['node', '/clone/packages/server/dist/main.js'], {}, 'node packages/server/dist/main.js'],
    [['node', "/clone/my o'wn/main.js"], {}, String.raw`node 'my o'\''wn/main.js'`],
    [['node', '/clone/größe/main.js'], {}, 'node größe/main.js'],
    [
      ['node', '/clone/packages/server/dist/main.js'],
      { npm_lifecycle_event: 'slipstream' },
      'npm run -s slipstream --',
    ],
    [
      ['node', '/project/node_modules/.bin/slipstream'],
      { npm_lifecycle_event: 'npx' },
      'npm exec slipstream --',
    ],
  ])('name the program as called by %j %j', (argv, environment, name) => {
    expect(calledAs(argv, environment, '/clone')).toBe(name);
  });
});

describe('a table', () => {
  it('aligns numbers to the right, and removes control characters', () => {
    const rows = [
      { name: 'a\u001b[2Jb\nc', amount: '1.5' },
      { name: 'd', amount: null },
    ];
    expect(table(rows, { NAME: ({ name }) => name, AMOUNT: ({ amount }) => amount })).toBe(
      ['NAME      AMOUNT', 'a [2Jb c     1.5', 'd              -'].join('\n'),
    );
  });
});
