import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from '@jest/globals';
import { backupSqlite } from '@slipstream/adapter-sql';
import { jsonLogger, logFrom } from '../../src/index.js';
import {
  type ComposedServer,
  OPERATOR_TOKEN,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';
import { vault } from '../helpers/vault-broker.js';

const AAPL = 'AAPL:NASDAQ';
const EMAIL = 'canary.address@example.com';
const MASTER_KEY = 'canary-master-key-of-more-than-32-characters';
const PAYER = {
  name: 'Canary Lovelace',
  city: 'Canarytown',
  country: 'GB',
  line_one: '12 Canary Square',
  line_two: 'Canary Tower',
  district: 'Canary District',
  postal: 'CA9 4RY',
};

/** Texts by the place they were found in. */
type Place = readonly [name: string, text: string];

const filesIn = (folder: string): Place[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [[path, readFileSync(path, 'latin1')] as const];
  });

const folder = newFolder();
let server: ComposedServer;
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the private data of users', () => {
  itOne('it looks into the SQLite file')(
    'is in no answer or frame of another user, log line, metric, file or copy',
    async () => {
      const lines: string[] = [];
      const seen: unknown[] = [];
      const backups = newFolder();
      server = await composedServer({
        storage: 'sqlite',
        folder,
        log: logFrom(jsonLogger('debug', { write: (line) => lines.push(line) })),
        environment: { SECRET_KEY: MASTER_KEY },
        adapters: { addBrokers: [vault(seen)] },
      });
      await server.quotes({ [AAPL]: [199.98, 200.02] });
      const mailed = async (pattern: RegExp): Promise<string> => {
        await server.application.background.sendMails();
        const found = filesIn(join(folder, 'outbox')).map(([, text]) => pattern.exec(text)?.[1]);
        return found.find((code) => code !== undefined) ?? '';
      };

      // An owner who uses everything that is secret.
      const [first, second] = ['canary password one', 'canary password two'];
      const { user_id } = await server.ask('newUser', { email: EMAIL, password: first });
      const confirmation = await mailed(/confirm#code=(\S+)/);
      await server.ask('confirmEmail', { code: confirmation });
      await server.ask('newPasswordReset', { email: EMAIL });
      const reset = await mailed(/reset-password#code=(\S+)/);
      await server.ask('updatePassword', { reset_code: reset, new_password: second });
      const session = await server.ask('newSession', { email: EMAIL, password: second });
      const keyed = { token: session.token, headers: { 'idempotency-key': 'canary-key' } };
      const made = await server.call('POST', '/newToken', {
        ...keyed,
        body: { name: 'keyed', scope: ['*', 'newPaymentSource'] },
      });
      const again = await server.call('POST', '/newToken', {
        ...keyed,
        body: { name: 'keyed', scope: ['*', 'newPaymentSource'] },
      });
      expect(again.text).toBe(made.text);
      const { token } = made.body?.response as { token: string };
      const { strategy_id } = await server.ask(
        'newStrategy',
        { type: 'stock', name: 'Mine', price: 15 },
        token,
      );
      const credentials = { key: 'canary-broker-key', secret: 'canary-broker-secret' };
      const allocations = [{ strategy_id, percent: 1 }];
      const bot = { type: 'stock', broker: 'vault', allocations, credentials };
      const { bot_id } = await server.ask('newBot', bot, token);
      const source = await server.ask(
        'newPaymentSource',
        { token: 'test_card_paid', ...PAYER },
        token,
      );
      await server.ask('newPost', { text: 'Hello', strategy_id }, token);

      // Somebody else, who follows, pays, watches, and pokes about.
      const other = await server.user('bob');
      const heard: string[] = [];
      const frames = await server.stream(other);
      await server.ask(
        'newPaymentSource',
        {
          token: 'test_card_paid',
          ...PAYER,
          name: 'Bob',
          city: 'B',
          country: 'FR',
          line_one: 'B',
          line_two: '',
          district: '',
          postal: '1',
        },
        other,
      );
      await server.ask('newStrategySubscription', { strategy_id, price: 15 }, other);
      const { user_id: otherId } = await server.ask('verifyToken', {}, other);
      await frames.subscribe(
        `wsStrategyValue:${strategy_id}`,
        `wsPositions:${strategy_id}`,
        `wsOrders:${strategy_id}`,
        `wsNotifications:${otherId}`,
      );
      for (const channel of [`wsBot:${bot_id}`, `wsNotifications:${user_id}`])
        expect((await frames.ask({ action: 'subscribe', channels: [channel] })).success).toBe(
          false,
        );
      await server.ask('newOrderWebhook', { strategy_id, stock_id: AAPL, action: 'buy' }, token);
      await server.ask('startBot', { bot_id }, token);
      await server.application.background.runBots();
      await server.application.background.tick();
      const { source_id } = source;
      const asked = [
        ['getUsers', { user_id: [user_id] }],
        ['getStrategies', { strategy_id: [strategy_id] }],
        ['getRecommendedStrategies', {}],
        ['getPositions', { strategy_id }],
        ['getOrders', { strategy_id, order_status: 'filled' }],
        ['getTrades', { strategy_id }],
        ['getTrackRecord', { strategy_id }],
        ['getStrategySubscriptions', {}],
        ['getTimeline', { user_id }],
        ['getInvoices', {}],
        ['getInvoices', { source_id }],
        ['getPaymentSources', {}],
        ['deletePaymentSource', { source_id }],
        ['getBots', { bot_id: [bot_id] }],
        ['getBotOrders', { bot_id }],
        ['getBotAccount', { bot_id }],
        ['getAlerts', {}],
        ['getAlerts', { strategy_id }],
        ['getTokens', {}],
        ['getUserExport', {}],
        ['getUserInfo', {}],
        ['getNotifications', {}],
        ['newUser', { email: EMAIL, password: 'something else' }],
        ['newSession', { email: EMAIL, password: 'something else' }],
        ['updatePassword', { reset_code: reset, new_password: 'something else' }],
        ['newPasswordReset', { email: EMAIL }],
      ] as const;
      for (const [name, fields] of asked)
        heard.push((await server.attempt(name, fields, other)).text);
      for (const path of ['/metrics', '/openapi.json', '/asyncapi.json', '/docs', '/healthz'])
        heard.push((await server.call('GET', path)).text);
      heard.push(...(await frames.settled()).map((frame) => JSON.stringify(frame)));
      expect(seen[0]).toEqual(credentials);
      expect(heard.join()).toContain('"filled"');

      await backupSqlite(join(folder, 'slipstream.db'), join(backups, 'copy.db'));
      const running = filesIn(folder);
      await server.close();
      const isMail = ([name]: Place): boolean => name.includes('outbox');
      const files = [...running, ...filesIn(folder), ...filesIn(backups)];
      const places: Place[] = [
        ...heard.map((text): Place => ['an answer', text]),
        ...lines.map((text): Place => ['a log line', text]),
        ...files.filter((place) => !isMail(place)),
      ];
      rmSync(backups, { recursive: true, force: true });

      const codes = [confirmation, reset];
      for (const code of codes) expect(code).toMatch(/^\S{20,}$/);
      const secrets = [
        first,
        second,
        session.token,
        token,
        'canary-key',
        OPERATOR_TOKEN,
        MASTER_KEY,
        ...codes,
        credentials.key,
        credentials.secret,
        PAYER.name,
        PAYER.city,
        PAYER.line_one,
        PAYER.line_two,
        PAYER.district,
        PAYER.postal,
      ];
      expect(leaks(secrets, places)).toEqual([]);
      // Mails are the one place for codes, and hold nothing else.
      expect(
        leaks(
          secrets.filter((secret) => !codes.includes(secret)),
          files.filter(isMail),
        ),
      ).toEqual([]);
      // An address is in the database, to sign in by, and in mails; nobody else learns it.
      expect(
        leaks(
          [EMAIL],
          places.filter(([name]) => !name.includes(folder) && !name.includes(backups)),
        ),
      ).toEqual([]);
      const found = files.map(([name]) => name).join();
      for (const file of ['slipstream.db-wal', 'copy.db', 'outbox']) expect(found).toContain(file);
    },
  );
});

const leaks = (secrets: readonly string[], places: readonly Place[]): string[] =>
  secrets.flatMap((secret) =>
    places
      .filter(([, text]) => text.includes(secret))
      .map(([name, text]) => `${secret} in ${name}: ${text.slice(0, 200)}`),
  );
