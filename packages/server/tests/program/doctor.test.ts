import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import {
  type AddressInfo,
  type Server as TcpServer,
  createServer as createTcpServer,
} from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import { NOTICED_EVENTS } from '@slipstream/adapter-payment-stripe';
import { openSqlite } from '@slipstream/adapter-sql';
import { openHandle } from '@slipstream/adapter-sql/testing';
import { aBot, aMail } from '@slipstream/port-contracts';
import { localIdentity, tlsProxy } from '@slipstream/stand-ins';
import { examine } from '../../src/doctor/doctor.js';
import type { Finding } from '../../src/doctor/finding.js';
import { makeKey } from '../../src/composition/secret-key.js';
import { readSettings } from '../../src/index.js';
import { DISK_IS_SHORT } from '../../src/monitoring/disk.js';
import { toWriteIn } from '../../src/doctor/machine.js';
import type { TestAlert } from '../../src/doctor/running.js';
import { freshFolders, run } from '../helpers/child-server.js';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';

const HOUR = 3_600_000;
const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const SECRET = 'hunter2-of-the-mail-server';

/** Where nobody answers. */
let nowhere: string;
let server: ComposedServer;
let folder: string;
let owner: string;
let strategyId: string;
const others: TcpServer[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  server = await composedServer();
  nowhere = await serverThat(() => undefined);
  await new Promise((resolve) => others.pop()?.close(resolve));
  owner = await server.user('ada');
  ({ strategy_id: strategyId } = await server.ask(
    'newStrategy',
    { type: 'stock', name: 'Looked at' },
    owner,
  ));
  await server.quotes({ 'AAPL:NASDAQ': 200 });
});
afterAll(async () => {
  for (const one of others) one.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Another server of this machine. */
async function serverThat(answers: Parameters<typeof createServer>[1]): Promise<string> {
  const one = createServer(answers ?? (() => undefined));
  others.push(one);
  await new Promise<void>((resolve) => void one.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

const here = (): Record<string, string> => ({
  PORT: new URL(server.url).port,
  DATABASE_URL: `sqlite:${join(folder, 'slipstream.db')}`,
});

const visit = (
  environment: Record<string, string> = {},
  alert?: TestAlert,
): Promise<readonly Finding[]> =>
  examine({
    environment: { ...here(), ...environment },
    now: Date.now,
    ...{ alert, thorough: false, onFinding: () => undefined },
  });

const about = async (
  name: string,
  environment?: Record<string, string>,
  alert?: TestAlert,
): Promise<string[]> =>
  (await visit(environment, alert))
    .filter((one) => one.about === name)
    .map(({ state, says }) => `${state}: ${says}`);

describe('the doctor', () => {
  it('finds a new installation well, with what an operator would rather have', async () => {
    const found = await visit();
    expect(found.map(({ about: name, state }) => `${name} ${state}`)).toEqual([
      'settings good',
      // Beside other work of the machine its disk may be slow.
      expect.stringMatching(/^disk (good|doubtful)$/),
      ...['key good', 'database good', 'server good'],
      ...['clock doubtful', 'mail doubtful', 'address doubtful'],
    ]);
    expect(found.filter(({ state, mend }) => (state === 'good') !== (mend === undefined))).toEqual(
      [],
    );
  });

  it('names wrong and misspelt settings, and then looks at nothing else', async () => {
    const found = await visit({ PORT: 'abc', SMTP_URLL: 'x' });
    expect(found.map(({ state, says }) => `${state}: ${says}`)).toEqual([
      'doubtful: SMTP_URLL is not a setting and was ignored. Did you mean SMTP_URL?',
      'bad: PORT must be a whole number from 0 to 65535',
    ]);
  });

  it('tells of a value in quotes, because they are a part of it, without the value', async () => {
    const DISCLOSURE = `"${SECRET}"`;
    expect(await about('settings', { DISCLOSURE })).toEqual([
      'good: every setting can be used',
      'doubtful: DISCLOSURE is in quotes, and they are taken as a part of it.',
    ]);
  });

  it('says who gets no mails where no address has to be confirmed', async () => {
    const SMTP_URL = 'smtp://127.0.0.1:1';
    const [first] = await about('mail', { SMTP_URL, CONFIRM_EMAIL: 'off' });
    expect(first).toMatch(/^doubtful: accounts whose address is not confirmed get no mails/);
    for (const environment of [{ SMTP_URL }, { SMTP_URL, CONFIRM_EMAIL: 'required' }])
      expect(await about('mail', environment)).toEqual([expect.stringMatching(/^bad: /)]);
  });

  it('never repeats a secret, whatever fails', async () => {
    const found = await visit({
      SMTP_URL: `smtp://me:${SECRET}@127.0.0.1:1`,
      DATABASE_URL: `postgres://me:${SECRET}@127.0.0.1:1/none`,
      SECRET_KEY: `${SECRET}${SECRET}`,
    });
    expect(found.filter(({ state }) => state === 'bad').map((one) => one.about)).toEqual([
      'database',
      'mail',
    ]);
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  const saying = async (status: number, text: string, name: string) => {
    const url = await serverThat((_, response) => response.writeHead(status).end(text));
    return visit({ PORT: new URL(url).port }).then((found) =>
      found.filter(({ about: one }) => one === name),
    );
  };

  it('says why the server is not ready, if it does, and what to do about that', async () => {
    const unready = async (text: string) => {
      const [found] = await saying(503, text, 'server');
      return [found?.says.replace(/^.* says /, ''), found?.mend];
    };
    expect(await unready('not ready\n')).toEqual(['not ready', expect.stringMatching(/^Wait /)]);
    expect(await unready(`not ready\n${DISK_IS_SHORT}\n`)).toEqual([
      `not ready: ${DISK_IS_SHORT}`,
      expect.stringMatching(/^Make room /),
    ]);
    const lost = 'this server cannot reach the one that owns the database';
    expect(await unready(`not ready\n${lost}\n`)).toEqual([
      `not ready: ${lost}`,
      expect.stringContaining('docs/several-nodes.md'),
    ]);
    expect(await unready('<html>\n<p>Gone\n')).toEqual(['<html>', expect.stringMatching(/^Wait /)]);
  });

  it('says that the server doubts its clock, or that a node has another one than the database', async () => {
    const doubt = 'the clock is in doubt: since noon it jumped ahead';
    expect((await saying(200, `ready\n${doubt}\n`, 'clock'))[0]).toMatchObject({
      ...{ state: 'doubtful', says: doubt, mend: expect.stringContaining('timedatectl') },
    });
    const apart = "the clock of this node is 3.0 s ahead of the database's";
    expect(await saying(503, `not ready\n${apart}\n`, 'server')).toMatchObject([
      {
        ...{ state: 'bad', says: expect.stringContaining(`not ready: ${apart}`) },
        mend: expect.stringContaining('timedatectl'),
      },
    ]);
  });

  it('says that no server runs', async () => {
    expect(await about('server', { PORT: new URL(nowhere).port })).toEqual([
      `bad: no server answers at ${nowhere} (ECONNREFUSED)`,
    ]);
  });
});

describe('the database, to the doctor', () => {
  let count = 0;
  beforeEach(() => {
    count += 1;
  });
  const file = (): string => join(folder, `kept-${count}`, 'other.db');
  const database = (): Record<string, string> => ({
    DATABASE_URL: `sqlite:${file()}`,
    SECRET_KEY: 'k'.repeat(32),
  });

  it('is made by the first start, and missed where its key is', async () => {
    const DATABASE_URL = `sqlite:${join(folder, 'fresh', 'slipstream.db')}`;
    expect(await about('database', { DATABASE_URL })).toEqual([
      expect.stringMatching(/^good: the first start makes /),
    ]);
    makeKey(readSettings({ DATABASE_URL }));
    expect(await about('database', { DATABASE_URL })).toEqual([
      expect.stringMatching(/^doubtful: there is no database .*, though its master key is there/),
    ]);
  });

  it('is whole and up to date after a run', async () => {
    const storage = await openSqlite({ path: file() });
    expect(await about('database', database())).toEqual([
      expect.stringMatching(
        /^good: the SQLite [\d.]+ database is whole and is up to date; process \d+ on .+ uses it$/,
      ),
    ]);
    await storage.close();
    expect((await about('database', database()))[0]).toMatch(/whole and is up to date$/);
  });

  it('knows of a later moment than the clock shows', async () => {
    const path = join(folder, 'later.db');
    const settings = { DATABASE_URL: `sqlite:${path}`, SECRET_KEY: 'k'.repeat(32) };
    const storage = await openSqlite({ path });
    const ran = async (at: number): Promise<string[]> => {
      await storage.run(({ marketRuns }) => marketRuns.save({ market: 'push', at }));
      return about('clock', settings);
    };
    const now = Date.now();
    expect(await ran(now - HOUR)).toEqual([expect.stringMatching(/^doubtful: there is no broker/)]);
    expect((await ran(now + HOUR))[0]).toBe(
      `bad: it is behind the last moment of the database, ${new Date(now + HOUR).toISOString()}`,
    );
    await storage.close();
  });

  it('misses MARKET where the next start would: real prices were the last ones', async () => {
    const path = join(folder, 'real.db');
    const settings = { DATABASE_URL: `sqlite:${path}`, SECRET_KEY: 'k'.repeat(32) };
    const storage = await openSqlite({ path });
    await storage.run(({ marketRuns }) => marketRuns.save({ market: 'live', at: Date.now() }));
    const missing =
      'bad: MARKET is not set, which means simulated prices, and this database was last used with MARKET=live';
    expect(await about('market', settings)).toEqual([missing]);
    for (const MARKET of ['live', 'push', 'demo'])
      expect(await about('market', { ...settings, MARKET })).toEqual([]);
    await storage.run(({ marketRuns }) => marketRuns.save({ market: 'demo', at: Date.now() }));
    expect(await about('market', settings)).toEqual([]);
    await storage.close();
  });

  it('is missed with its key, when only the file is there', async () => {
    await (await openSqlite({ path: file() })).close();
    expect(await about('key', { DATABASE_URL: `sqlite:${file()}` })).toEqual([
      expect.stringMatching(/^bad: the database exists, and its master key .+ does not$/),
    ]);
  });

  it('says what each key of a rotation decrypts, and what none does', async () => {
    const path = join(folder, 'rotated.db');
    const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    const sealedBy = (key = ''): string => aesSecretBox([key]).seal('text', 'context');
    const storage = await openSqlite({ path });
    await storage.run(async ({ keyProof, bots, mails }) => {
      await keyProof.save(sealedBy(third));
      await bots.save(aBot({ sealedCredentials: sealedBy(first) }));
      await mails.save(aMail({ sealedText: sealedBy(third) }));
    });
    await storage.close();
    const says = async (...keys: (string | undefined)[]): Promise<string[]> =>
      (await about('key', { DATABASE_URL: `sqlite:${path}`, SECRET_KEY: keys.join(',') })).slice(1);
    expect(await says(third, second, first)).toEqual([
      'good: the master key at place 2 decrypts nothing that lasts',
      'good: keep the master key at place 3: it decrypts bots (1); "rotate-key" encrypts them with the first',
    ]);
    expect(await says(third)).toEqual(['bad: no master key decrypts bots (1)']);
    expect(await says(first)).toEqual([
      'bad: the secrets of the database were encrypted with another master key',
    ]);
  });

  it.each([
    ['disk is full', 'ENOSPC', /^Make room/],
    ['quota is used up', 'EDQUOT', /^Make room/],
    ['disk can only be read', 'EROFS', /^Mount .+ to be written/],
    ['disk fails', 'EIO', /^Check the disk of data/],
    ['folder belongs to somebody else', 'EACCES', /^Let the user .+ write in data/],
  ])('gets its advice where its %s', (_, code, mend) => {
    expect(toWriteIn('data', { code })).toMatch(mend);
  });

  it('is not taken for a new one where nobody may look', async () => {
    symlinkSync('loop', join(folder, 'loop'));
    const hidden = { DATABASE_URL: `sqlite:${join(folder, 'loop', 'slipstream.db')}` };
    expect(await about('database', hidden)).toEqual(['bad: the database cannot be read (ELOOP)']);
    expect(await about('key', hidden)).toEqual([
      expect.stringMatching(/^bad: the master key .+ cannot be read \(ELOOP\)$/),
    ]);
    for (const command of [['migrate'], ['audit'], ['backup', join(folder, 'copy.db')]])
      expect((await runCommand(command, hidden)).complaints).toMatch(
        /cannot be read or written \(ELOOP\)$/m,
      );
  });

  it('may not speak as its address asks: the driver has words for it, and no code', async () => {
    const bare = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write('N'));
    });
    others.push(bare);
    await new Promise<void>((resolve) => void bare.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(bare.address() as AddressInfo).port}`;
    const asked = {
      DATABASE_URL: `postgres://me:${SECRET}@${host}/here?sslmode=verify-full`,
      SECRET_KEY: 'k'.repeat(32),
    };
    const reason = 'The server does not support SSL connections';
    expect(await about('database', asked)).toEqual([
      `bad: the database cannot be read (${reason})`,
    ]);
    expect((await runCommand(['nodes'], asked)).complaints).toBe(
      `DATABASE_URL: the database cannot be reached (${reason})\n`,
    );
  });

  /** Only who may change the owner of a file can make one that belongs to somebody else. */
  (process.getuid?.() === 0 ? it : it.skip)(
    'belongs to another user, as a file beside it may: the server could not open it',
    async () => {
      const [place, somebody] = [join(folder, 'of-root'), 65_534];
      const path = join(place, 'slipstream.db');
      mkdirSync(place);
      await (await openSqlite({ path })).close();
      for (const open of [folder, place]) chmodSync(open, 0o755);
      for (const mine of [place, path]) chownSync(mine, somebody, somebody);
      chmodSync(`${path}-lock`, 0o666);
      process.seteuid?.(somebody);
      try {
        expect(await about('database', { DATABASE_URL: `sqlite:${path}` })).toEqual([
          `bad: ${path}-lock belongs to another user: the server cannot open it`,
        ]);
      } finally {
        process.seteuid?.(0);
      }
    },
  );

  it('may be something else', async () => {
    const text = join(folder, 'notes.txt');
    writeFileSync(text, 'no database');
    expect((await about('database', { DATABASE_URL: `sqlite:${text}` }))[0]).toMatch(
      /^bad: the database cannot be read \(.*is not a database of Slipstream/,
    );
  });

  it('may lack what somebody has removed', async () => {
    const storage = await openSqlite({ path: file() });
    await storage.close();
    const handle = openHandle(file());
    handle.exec('DROP TRIGGER audit_entries_stay');
    handle.exec('DROP TABLE likes');
    handle.close();
    expect((await about('database', database()))[0]).toMatch(
      /database is damaged: the table likes is missing; the trigger audit_entries_stay is missing$/,
    );
  });

  it('may be damaged', async () => {
    const storage = await openSqlite({ path: file() });
    await storage.close();
    const bytes = readFileSync(file());
    bytes.fill(0xff, 4096 * 3, 4096 * 9);
    writeFileSync(file(), bytes);
    expect((await about('database', database()))[0]).toMatch(
      /^bad: the SQLite [\d.]* ?database is damaged: /,
    );
  });
});

const mendOf = async (name: string, environment: Record<string, string>) =>
  (await visit(environment)).find((one) => one.about === name && one.state !== 'good')?.mend;

describe('a stock that is held, to the doctor', () => {
  it('waits for its corporate action, and is no halt', async () => {
    const url = await serverThat((_, response) =>
      response.end('ready\nall trading is halted\nAAPL is held: split of 2026-03-04, not booked\n'),
    );
    const found = (await visit({ PORT: new URL(url).port })).filter(
      ({ about: name, state }) => name === 'server' && state !== 'good',
    );
    expect(found.map(({ mend }) => mend)).toEqual([
      expect.stringMatching(/^halts list says/),
      expect.stringMatching(/^Book the corporate action with newStockAction/),
    ]);
  });
});

describe('the mail server, to the doctor', () => {
  /** One that answers, and takes no password. */
  async function strict(): Promise<string> {
    const one = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 mail\r\n');
      socket.on('data', (data: Buffer) => {
        const said = data.toString();
        if (said.startsWith('EHLO')) socket.write('250-mail\r\n250 AUTH PLAIN\r\n');
        else if (said.startsWith('AUTH')) socket.write('535 5.7.8 wrong\r\n');
        else socket.end('221 bye\r\n');
      });
    });
    others.push(one);
    await new Promise<void>((resolve) => void one.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(one.address() as AddressInfo).port}`;
  }

  it('has another advice for a wrong password than for a wrong port', async () => {
    const wrong = await mendOf('mail', { SMTP_URL: `smtp://me:${SECRET}@${await strict()}` });
    expect(wrong).toMatch(/^Correct the user and the password/);
    const away = await mendOf('mail', {
      SMTP_URL: `smtp://me:${SECRET}@127.0.0.1:${new URL(nowhere).port}`,
    });
    expect(away).toMatch(/^Check the host and the port/);
  });
});

describe('the certificate, to the doctor', () => {
  const folders = freshFolders();
  const DAY = 24 * HOUR;

  it.each([
    [90, 'good', /^the certificate is valid for (89|90) days$/],
    [5, 'doubtful', /^the certificate ends in [45] days$/],
  ])('that ends in %d days is %s', async (days, state, says) => {
    const place = folders();
    const identity = await localIdentity(Date.now() - DAY, Date.now() + days * DAY + HOUR);
    const proxy = await tlsProxy(identity, server.url);
    try {
      writeFileSync(join(place, 'authority.pem'), identity.authority);
      // Only a process that starts trusts another authority.
      const { out } = await run(place, ['doctor', '--json'], {
        ...here(),
        PUBLIC_URL: proxy.url,
        TRUST_PROXY: '1',
        NODE_EXTRA_CA_CERTS: join(place, 'authority.pem'),
      });
      const found = JSON.parse(out) as Finding[];
      const address = found.filter((one) => one.about === 'address');
      expect(address.map((one) => one.says)).toContain(`the server answers at ${proxy.url}`);
      expect(address.at(-1)).toMatchObject({ state, says: expect.stringMatching(says) });
    } finally {
      await proxy.close();
    }
  });
});

describe('what is outside, to the doctor', () => {
  it('tells brokers that answer, those that do not, and a clock that differs', async () => {
    const late = await serverThat((_, response) => {
      response.setHeader('Date', new Date(Date.now() - HOUR).toUTCString());
      response.end();
    });
    const settings = { BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: late };
    expect(await about('broker alpaca_paper', settings)).toEqual([
      `good: ${new URL(late).host} answers`,
    ]);
    expect(await about('clock', settings)).toEqual([
      expect.stringMatching(/^bad: the clock is 3[56]\d\d\.\d s ahead of those of the brokers$/),
    ]);
    const away = { ...settings, ALPACA_PAPER_URL: nowhere };
    expect(await about('broker alpaca_paper', away)).toEqual([
      `bad: ${new URL(nowhere).host} cannot be reached (ECONNREFUSED)`,
    ]);
  });

  it('knows the server at its public address, and something else there', async () => {
    const right = (await about('address', { PUBLIC_URL: server.url })).at(-1);
    expect(right).toBe(`good: the server answers at ${server.url}`);
    const other = await serverThat((_, response) => void response.end('<html>'));
    expect((await about('address', { PUBLIC_URL: other })).at(-1)).toBe(
      `bad: something else answers at ${other} (status 200)`,
    );
  });

  (hasIPv6 ? it : it.skip)('warns of an address that charting platforms do not call', async () => {
    const healthy = createServer((_, response) => void response.end('ok'));
    await new Promise<void>((resolve) => healthy.listen(0, '::1', resolve));
    const { port } = healthy.address() as AddressInfo;
    const PUBLIC_URL = `http://[::1]:${port}`;
    const said = await about('address', { PUBLIC_URL });
    await new Promise((resolve) => healthy.close(resolve));
    expect(said.slice(-2)).toEqual([
      `good: the server answers at ${PUBLIC_URL}`,
      'doubtful: [::1] has an IPv6 address only',
    ]);
  });

  it('warns of a port that charting platforms do not call, and of a proxy that is not trusted', async () => {
    const said = await about('address', { PUBLIC_URL: nowhere.replace('http', 'https') });
    expect(said).toEqual([
      `doubtful: PUBLIC_URL has the port ${new URL(nowhere).port}`,
      expect.stringMatching(/^doubtful: TRUST_PROXY is 0/),
      `bad: nobody answers at ${nowhere.replace('http', 'https')} (ECONNREFUSED)`,
    ]);
  });
});

describe('payments, to the doctor', () => {
  const STRIPE_SECRET_KEY = `sk_live_${SECRET.replaceAll('-', '_')}`;
  /** Stripe, which answers that to a question for the webhooks of the account; also this service at its public address. */
  const looked = async (
    status: number,
    answer: object,
    { key = STRIPE_SECRET_KEY, isPublic = true, currency = 'usd' } = {},
  ) => {
    const balance = { object: 'balance', available: [{ amount: 0, currency }], pending: [] };
    const STRIPE_URL = await serverThat(({ url = '' }, response) => {
      const isBalance = url === '/v1/balance' && status === 200;
      response.writeHead(isBalance || url.startsWith('/v1/webhook_endpoints') ? status : 404);
      response.end(JSON.stringify(isBalance ? balance : answer));
    });
    const found = await about('payments', {
      ...{ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_URL },
      ...(isPublic && { PUBLIC_URL: server.url }),
    });
    return found.map((line) => line.replace(new URL(STRIPE_URL).host, 'Stripe'));
  };
  const refusal = (type: string) => ({ error: { type, message: SECRET } });
  const webhooks = (...data: readonly object[]) => ({ object: 'list', data, has_more: false });
  const hook = (fields: object = {}) => ({
    ...{ url: `${server.url}/stripe`, status: 'enabled', enabled_events: ['*'], ...fields },
  });
  const TAKES = /^good: Stripe takes the key$/;

  it('are simulated without a key, which is told where the service is public', async () => {
    expect(await about('payments')).toEqual([]);
    expect(await about('payments', { PUBLIC_URL: server.url })).toEqual([
      'doubtful: payments are simulated: nobody is charged, and nothing is paid out',
    ]);
  });

  it.each<[string, number, () => object, RegExp[]]>([
    ['a wrong key', 401, () => refusal('invalid_request_error'), [/^bad: Stripe refuses the key$/]],
    [
      'an answer that is none',
      500,
      () => refusal('api_error'),
      [/^bad: Stripe cannot be reached, or is in trouble \(StripeAPIError\)$/],
    ],
    [
      'a key that may not list webhooks',
      403,
      () => refusal('invalid_request_error'),
      [TAKES, /^doubtful: the key may not list webhooks/],
    ],
    [
      'a webhook that leads here',
      200,
      () => webhooks(hook()),
      [TAKES, /^good: Stripe posts what changes to/],
    ],
    [
      'a webhook that leads elsewhere',
      200,
      () => webhooks(hook({ url: 'https://elsewhere.example/stripe' })),
      [TAKES, /^doubtful: no webhook of Stripe leads to/],
    ],
    [
      'a webhook that is disabled',
      200,
      () => webhooks(hook({ status: 'disabled' })),
      [TAKES, /^doubtful: no webhook of Stripe leads to/],
    ],
    [
      'a webhook without an event',
      200,
      () => webhooks(hook({ enabled_events: NOTICED_EVENTS.slice(1) })),
      [TAKES, /^doubtful: .* lacks charge\.dispute\.created$/],
    ],
  ])('show %s', async (_, status, answer, says) => {
    const found = await looked(status, answer());
    expect(found).toEqual(says.map((line) => expect.stringMatching(line) as unknown));
  });

  it('are never paid out by an account without USD, which is told', async () => {
    const [, found] = await looked(200, webhooks(hook()), { currency: 'eur' });
    expect(found).toMatch(/^doubtful: the account at Stripe keeps no balance in USD/);
  });

  it('with a key for tests charge nobody, which is told where the service is public', async () => {
    const key = 'rk_test_1';
    const [, test] = await looked(200, webhooks(hook()), { key });
    expect(test).toBe('doubtful: the key is for tests: nobody is charged');
    expect(await looked(200, webhooks(), { key, isPublic: false })).toEqual([
      expect.stringMatching(TAKES),
    ]);
  });
});

describe("a strategy's alert, to the doctor", () => {
  const alert = (token?: string): TestAlert => ({ strategyId, stockId: 'AAPL:NASDAQ', token });

  it('is understood, and places nothing', async () => {
    expect(await about('alert', { PUBLIC_URL: server.url }, alert(owner))).toEqual([
      `good: the address for the charting platform is ${server.url}/newOrderWebhook`,
      expect.stringContaining(`"strategy_id": "${strategyId}"`),
      'good: an alert to buy is understood; it would place 1 order, and placed none',
    ]);
    const orders = await server.ask('getOrders', { strategy_id: strategyId }, owner);
    expect(orders).toEqual([]);
    const alerts = await server.ask('getAlerts', { strategy_id: strategyId }, owner);
    expect(alerts).toEqual([]);
  });

  it.each([
    ['stock', false],
    ['stock', true],
    ['cryptocurrency', false],
    ['cryptocurrency', true],
  ] as const)(
    'is of an instrument with a quote that the strategy trades: %s, private %s',
    async (type, isPrivate) => {
      const token = await server.user(`owner-of-${type}-${String(isPrivate)}`);
      const wanted = { type, name: 'Tried', private: isPrivate };
      const { strategy_id } = await server.ask('newStrategy', wanted, token);
      await server.quotes({ 'ETHUSD:COINBASE': 2_000 });
      const found = await about(
        'alert',
        {},
        { strategyId: strategy_id, stockId: undefined, token },
      );
      expect(found.at(-1)).toBe(
        'good: an alert to buy is understood; it would place 1 order, and placed none',
      );
    },
  );

  it('is understood where the strategy has no room for it', async () => {
    const token = await server.user('dora');
    const wanted = { type: 'stock', name: 'Full' } as const;
    const { strategy_id } = await server.ask('newStrategy', wanted, token);
    await server.quotes({ 'MSFT:NASDAQ': 400 });
    const allocations = [{ stock_id: 'MSFT:NASDAQ', percent: '2' }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, token);
    const found = await about('alert', {}, { strategyId: strategy_id, stockId: undefined, token });
    expect(found.at(-1)).toMatch(
      /^good: an alert to buy is understood; the strategy has no room for it now: .* no leverage fits/,
    );
  });

  it('is of one that is named where the token may not read what the strategy trades', async () => {
    const token = await server.user('carl');
    const wanted = { type: 'cryptocurrency', name: 'Hidden', private: true } as const;
    const { strategy_id } = await server.ask('newStrategy', wanted, token);
    const scope = ['newOrder', 'getAlertTemplate'];
    const narrow = await server.ask('newToken', { name: 'narrow', scope }, token);
    const found = await visit(
      {},
      {
        ...{ strategyId: strategy_id, stockId: undefined, token: narrow.token },
      },
    );
    expect(found.find(({ state }) => state === 'bad')?.mend).toContain(
      'Name an instrument that it trades behind the id of the strategy',
    );
  });

  it('is of no instrument that was delisted, although its last quote is there', async () => {
    const token = await server.user('finn');
    const wanted = { type: 'cryptocurrency', name: 'Goes on' } as const;
    const { strategy_id } = await server.ask('newStrategy', wanted, token);
    await server.quotes({ 'BTCUSD:COINBASE': 50_000, 'ETHUSD:COINBASE': 2_000 });
    const gone = { stock_id: 'BTCUSD:COINBASE', stock_status: 'delisted' };
    await server.ask('updateStocks', { stocks: [gone] }, OPERATOR_TOKEN);
    const found = await about('alert', {}, { strategyId: strategy_id, stockId: undefined, token });
    expect(found.at(-1)).toBe(
      'good: an alert to buy is understood; it would place 1 order, and placed none',
    );
  });

  it('needs a token that may send it', async () => {
    expect((await about('alert', {}, alert()))[0]).toMatch(/^bad: there is no token/);
    const stranger = await server.user('eve');
    expect((await about('alert', {}, alert(stranger)))[0]).toMatch(
      /^bad: a test alert is refused: /,
    );
  });
});

describe('slipstream doctor', () => {
  it('prints what it saw and what to mend, and ends with 1 when something does not work', async () => {
    const { out, code } = await runCommand(['doctor'], {
      ...here(),
      PORT: new URL(nowhere).port,
    });
    expect(out).toMatch(/^BAD {7}server: no server answers/m);
    expect(out).toMatch(/To mend, in this order:\n {2}1\. server: Start it: serve\n/);
    expect(code).toBe(1);
    expect((await runCommand(['doctor'], here())).code).toBe(0);
  });

  it('prints findings for programs', async () => {
    const { out } = await runCommand(['doctor', '--json'], here());
    expect((JSON.parse(out) as Finding[])[0]).toEqual({
      about: 'settings',
      state: 'good',
      says: 'every setting can be used',
    });
  });
});
