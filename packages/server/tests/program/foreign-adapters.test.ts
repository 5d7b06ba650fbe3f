import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { silentLog, silentFeed } from '@slipstream/adapter-memory/testing';
import { anAccess } from '@slipstream/port-contracts';
import { BrokerUnreachable } from '@slipstream/ports';
import { openServer, readSettings } from '../../src/index.js';
import { inTime } from '../../src/composition/in-time.js';
import { openNode } from '../../src/nodes/open-node.js';
import { freshFolders, run, serveIn } from '../helpers/child-server.js';
import { attempt, composedServer } from '../helpers/composed-server.js';
import { vault } from '../helpers/vault-broker.js';
import { PACKAGES } from '../helpers/repository.js';
import { itOne } from '../helpers/three-nodes.js';

const freshFolder = freshFolders();
const SECRET_KEY = 'the master key of the tests and their servers';
const BOT = { type: 'stock', allocations: [{ strategy_id: 'x', percent: 1 }], credentials: {} };

interface RequestSchema {
  readonly properties: { readonly credentials: { readonly anyOf: unknown } };
}

/** How the document says which credentials each broker takes. */
function credentialSchemas(text: string) {
  const { paths } = JSON.parse(text) as {
    readonly paths: Record<
      string,
      { post: { requestBody: { content: { 'application/json': { schema: RequestSchema } } } } }
    >;
  };
  const of = (path: string) =>
    paths[path]?.post.requestBody.content['application/json'].schema.properties.credentials.anyOf;
  return { newBot: of('/newBot'), updateBot: of('/updateBot') };
}

const openOneOfSeveral: typeof openServer = async (settings, log, adapters) => {
  await openNode(settings, log, adapters ?? {}, () => undefined);
  throw new Error('it began to listen');
};

describe('adapters of a host', () => {
  itOne('it has a storage of its own')(
    'join the built-in brokers, and are closed with the server, the storage last',
    async () => {
      const closed: string[] = [];
      const storage = openMemory();
      const closing = (name: string) => async () => void closed.push(name);
      const unitOfWork = {
        ...storage,
        close: async () => {
          await storage.close();
          closed.push('storage');
        },
      };
      const broker = { ...vault([]), close: closing('broker') };
      const marketFeed = { ...silentFeed(), close: closing('feed') };
      const server = await composedServer({
        environment: { SECRET_KEY },
        adapters: { unitOfWork, marketFeed, addBrokers: [broker] },
      });
      const token = await server.user('ada');
      const refused = await server.attempt('newBot', { ...BOT, broker: 'nobody' }, token);
      const missing = await server.attempt('newBot', { ...BOT, broker: 'vault' }, token);
      const { text: document } = await server.call('GET', '/openapi.json');
      const { text: page } = await server.call('GET', '/docs');
      await server.close();
      expect(refused.text).toContain('broker must be one of: simulated, vault');
      expect(missing.text).toContain('credentials.key is missing: The key of the vault.');
      const { newBot, updateBot } = credentialSchemas(document);
      expect(newBot).toEqual(updateBot);
      expect(newBot).toMatchObject([
        { title: 'simulated', properties: { starting_balance: {} }, required: [] },
        { title: 'vault', properties: { key: {}, secret: {} }, required: ['key'] },
      ]);
      expect(page).toContain('vault asks for key: The key of the vault; secret (optional)');
      expect(closed.toSorted()).toEqual(['broker', 'feed', 'storage']);
      expect(closed.at(-1)).toBe('storage');
    },
  );

  it('are closed when the server cannot start', async () => {
    const unitOfWork = openMemory();
    const settings = readSettings({
      HOST: '127.0.0.1',
      PORT: '1',
      DATABASE_URL: 'memory:',
      SECRET_KEY,
    });
    const failing = { ...silentFeed(), start: async () => Promise.reject(new Error('no feed')) };
    const adapters = { unitOfWork, marketFeed: failing };
    await expect(openServer(settings, silentLog(), adapters)).rejects.toThrow('no feed');
    await expect(unitOfWork.read(async () => 1)).rejects.toThrow(/closed/);
  });

  it('leave the disk of the settings alone: where their storage lies, only they know', async () => {
    const warned: string[] = [];
    const log = { ...silentLog(), warn: (_: object, message: string) => void warned.push(message) };
    const settings = readSettings({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: `sqlite:${freshFolder()}/nowhere/slipstream.db`,
      SECRET_KEY,
    });
    const adapters = { unitOfWork: openMemory(), marketFeed: silentFeed() };
    const server = await openServer(settings, log, adapters);
    await server.close();
    expect(warned).not.toContain('could not read the free disk space');
  });

  it.each([
    ['alone', openServer],
    ['of several servers', openOneOfSeveral],
  ])(
    'are refused by a server %s when one is misspelt, in whose place the settings would choose one',
    async (_, open) => {
      const folder = freshFolder();
      const settings = readSettings({
        ...{ DATABASE_URL: `sqlite:${folder}/slipstream.db`, PORT: '0', SECRET_KEY },
      });
      const closed: string[] = [];
      const marketFeed = { ...silentFeed(), close: async () => void closed.push('feed') };
      const misspelt = { unitofWork: { close: () => closed.push('storage') }, marketFeed };
      await expect(open(settings, silentLog(), misspelt)).rejects.toThrow(
        /^"unitofWork" is no adapter; there are unitOfWork, /,
      );
      expect(closed.toSorted()).toEqual(['feed', 'storage']);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  const elsewhere = {
    NODE_URL: 'http://127.0.0.1:0',
    DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none',
  };
  it.each([
    ['is told of no other', {}, 'NODE_URL needs a DATABASE_URL of PostgreSQL'],
    [
      'has no master key',
      { ...elsewhere, SECRET_KEY: undefined, SECRET_KEY_FILE: 'nowhere/slipstream.key' },
      'nowhere/slipstream.key',
    ],
    ['does not reach the database', elsewhere, 'the connection to the database was lost'],
  ])(
    'are closed where one of several servers %s: they would keep its process',
    async (_, environment, reason) => {
      const settings = readSettings({
        ...{ HOST: '127.0.0.1', PORT: '0', SECRET_KEY, DATABASE_URL: 'memory:' },
        ...environment,
      });
      const closed: string[] = [];
      const marketFeed = { ...silentFeed(), close: async () => void closed.push('feed') };
      const addBrokers = [{ ...vault([]), close: async () => void closed.push('broker') }];
      await expect(
        openOneOfSeveral(settings, silentLog(), { marketFeed, addBrokers }),
      ).rejects.toThrow(reason);
      expect(closed.toSorted()).toEqual(['broker', 'feed']);
    },
  );

  describe('that trade real money', () => {
    const settingsOf = (market: object) =>
      readSettings({
        DATABASE_URL: 'memory:',
        HOST: '127.0.0.1',
        PORT: '0',
        SECRET_KEY,
        ...market,
      });
    const live = { ...vault([]), live: true };

    it.each([
      ['demo', openServer, {}],
      ['demo', openServer, { MARKET: 'demo' }],
      ['replay', openServer, { MARKET: 'replay', REPLAY_FILES: 'quotes.csv' }],
      ['demo', openOneOfSeveral, {}],
    ])('are refused on the prices of MARKET=%s', async (market, open, given) => {
      const closed: string[] = [];
      const addBrokers = [{ ...live, close: async () => void closed.push('broker') }];
      await expect(open(settingsOf(given), silentLog(), { addBrokers })).rejects.toThrow(
        `addBrokers adds vault, which trades real money, and the prices of MARKET=${market} are not the market's`,
      );
      expect(closed).toEqual(['broker']);
    });

    it.each([
      ['a feed of the host', {}, { marketFeed: silentFeed() }],
      ['MARKET=push', { MARKET: 'push' }, {}],
    ])('serve on the prices of %s', async (_, given, feed) => {
      const server = await openServer(settingsOf(given), silentLog(), {
        addBrokers: [live],
        ...feed,
      });
      await server.close();
    });
  });

  it('end by themselves: a broker that never answers is one that was not reached', async () => {
    const access = anAccess({ accountId: 'a-1', credentials: {} });
    const silent = inTime({ ...vault([]), find: () => new Promise(() => undefined) }, 1);
    await expect(silent.find(access, ['a'])).rejects.toThrow(
      new BrokerUnreachable('vault did not answer find in time'),
    );
    const none = { find: () => undefined, all: () => [] };
    const account = await inTime(vault([])).account(access, none);
    expect(account.equity.toFixed()).toBe('5000');
  });

  const whole = vault([]);
  it.each([
    ['a mailer without send', { mailer: {} }, 'mailer has no function send'],
    [
      'a mailer that is a function',
      { mailer: async () => undefined },
      'mailer has no function send',
    ],
    ['none at all', { mailer: null }, 'mailer has no function send'],
    [
      'a storage that is still opening',
      { unitOfWork: Promise.resolve(openMemory()) },
      'unitOfWork is a promise: await it first',
    ],
    [
      'a feed without its health',
      { marketFeed: { ...silentFeed(), health: undefined } },
      'marketFeed has no function health',
    ],
    [
      'two brokers of one name',
      { addBrokers: [whole, { ...whole }] },
      'the broker "vault" of addBrokers is there twice: give each its own name',
    ],
    [
      'a broker whose name is no word',
      { addBrokers: [{ ...whole, name: 'My broker' }] },
      'the broker "My broker" of addBrokers must have a name of letters a to z, digits and _, such as my_broker',
    ],
    [
      'a broker that does not tell whether its money is real',
      { addBrokers: [{ ...whole, live: undefined }] },
      'the broker "vault" of addBrokers must tell by `live`, true or false, whether it trades real money',
    ],
    [
      'a broker that lists no credentials',
      { addBrokers: [{ ...whole, asksFor: undefined }] },
      'the broker "vault" of addBrokers must have a list asksFor, which may be empty',
    ],
    [
      'a broker that cannot cancel',
      { addBrokers: [{ ...whole, cancel: undefined }] },
      'the broker "vault" of addBrokers has no function cancel',
    ],
  ])('are refused before anything is opened: %s', async (_, adapters, expected) => {
    const settings = readSettings({ DATABASE_URL: 'memory:', PORT: '0', SECRET_KEY });
    const wrong = adapters as unknown as Parameters<typeof openServer>[2];
    await expect(openServer(settings, silentLog(), wrong)).rejects.toThrow(expected);
  });

  it('may be the source of corporate actions, the calendar and the authority of stamps', async () => {
    const asked: string[] = [];
    const server = await composedServer({
      environment: { SECRET_KEY },
      adapters: {
        announcedActions: {
          source: 'mine',
          between: async () => {
            asked.push('actions');
            return { actions: [], unanswered: [] };
          },
        },
        marketCalendar: {
          between: async () => {
            asked.push('calendar');
            return [];
          },
        },
        timestampAuthority: {
          stamp: async () => {
            asked.push('stamp');
            return { token: 'MIIB', nonce: '0a1b', at: 0 };
          },
        },
      },
    });
    try {
      const ada = await server.user('ada');
      await server.ask('newStrategy', { type: 'stock', name: 'Mine' }, ada);
      const { background } = server.application;
      await background.tick();
      for (let day = 0; day < 2; day += 1) {
        server.clock.advance(86_400_000);
        await background.tick();
      }
      await background.followMarket();
      await background.makeAnchors();
      expect(new Set(asked)).toEqual(new Set(['actions', 'calendar', 'stamp']));
    } finally {
      await server.close();
    }
  });

  it.each([
    [{ name: 'desk' }, /^addBrokers must be a list of brokers$/],
    [[undefined], /^each of addBrokers must be a broker with a name$/],
    [[{}], /^each of addBrokers must be a broker with a name$/],
  ])('are refused when the brokers to add are none: %j', async (addBrokers, expected) => {
    const settings = readSettings({ DATABASE_URL: 'memory:', PORT: '0' });
    const closed: string[] = [];
    const marketFeed = { ...silentFeed(), close: async () => void closed.push('feed') };
    const wrong = { addBrokers, marketFeed } as unknown as Parameters<typeof openServer>[2];
    await expect(openServer(settings, silentLog(), wrong)).rejects.toThrow(expected);
    expect(closed).toEqual(['feed']);
  });

  it.each([
    [
      'of a misspelt adapter, in whose place the settings would choose one',
      'mine.mjs',
      'export default async () => ({ unitofWork: {} });',
      '"unitofWork" is no adapter; there are unitOfWork, ',
    ],
    [
      'that opens none',
      'mine.mjs',
      'export default async () => undefined;',
      '--with mine.mjs must have adapters, or a function that opens them',
    ],
    [
      'that is none',
      'mine.txt',
      'unitOfWork',
      '--with mine.txt: it cannot be loaded as a module: Unknown file extension',
    ],
    [
      'with a mistake',
      'mine.mjs',
      'export default {{',
      '--with mine.mjs: it cannot be loaded as a module: Un',
    ],
  ])('are refused by name in a module %s', async (_, file, text, reason) => {
    const folder = freshFolder();
    writeFileSync(join(folder, file), text);
    const environment = { DATABASE_URL: 'memory:', SECRET_KEY };
    const { code, complaints } = await run(folder, ['migrate', '--with', file], environment);
    expect(complaints).toContain(`A setting cannot be used:\n${reason}`);
    expect(complaints).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });

  it('reach every command with --with', async () => {
    const folder = freshFolder();
    const sql = pathToFileURL(join(PACKAGES, 'adapter-sql/dist/index.js')).href;
    writeFileSync(
      join(folder, 'mine.mjs'),
      `import { openSqlite } from '${sql}';
       export default async () => ({ unitOfWork: await openSqlite({ path: 'mine.db' }) });`,
    );
    writeFileSync(join(folder, 'wrong.mjs'), 'export default 5;');
    const environment = { DATABASE_URL: 'memory:', SECRET_KEY };
    expect(await run(folder, ['migrate', '--with', 'wrong.mjs'], environment)).toMatchObject({
      code: 1,
      complaints: expect.stringMatching(
        /^A setting cannot be used:\n--with wrong\.mjs must have adapters/,
      ),
    });
    expect(await run(folder, ['migrate', '--with', './absent.mjs'], environment)).toMatchObject({
      code: 1,
      complaints: 'A setting cannot be used:\n--with ./absent.mjs: there is no such file\n',
    });
    const made = await run(
      folder,
      ['token', '--with', './mine.mjs', '--email', 'a@example.com', '--scope', '*', '--create'],
      environment,
    );
    expect(made.code).toBe(0);
    const server = await serveIn(folder, environment, ['--with', './mine.mjs']);
    try {
      const { status } = await attempt(server.url, 'getBots', {}, made.out.trim());
      expect(status).toBe(200);
    } finally {
      server.process.kill('SIGKILL');
    }
  });
});
