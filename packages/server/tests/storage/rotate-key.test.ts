import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import { openHandle } from '@slipstream/adapter-sql/testing';
import type { OneTimePasswords } from '@slipstream/ports';
import { someDetails } from '../../../wire/src/billing/examples.js';
import { rotateKey } from '../../src/cli/operator/database.js';
import { SettingError, readSettings } from '../../src/index.js';
import { type ComposedServer, composedServer, newFolder } from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';
import { vault } from '../helpers/vault-broker.js';

const A = 'a master key of the tests; the first';
const B = 'a master key of the tests; the second';
const CREDENTIALS = { key: 'a key', secret: 'a secret' };
const URL = 'https://receiver.invalid/hook';

let folder = '';
let seen: unknown[] = [];
let secrets: string[] = [];
let server: ComposedServer | undefined;
beforeEach(() => {
  folder = newFolder();
  seen = [];
  secrets = [];
});
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Notes the secrets that codes are compared with, and takes every code. */
const oneTimePasswords: OneTimePasswords = {
  newSecret: () => ({ secret: 'a second factor', uri: 'otpauth://totp/it' }),
  newRecoveryCode: () => 'a recovery code',
  stepOf: (secret) => secrets.push(secret),
};

async function started(environment: Readonly<Record<string, string>> = {}) {
  server = await composedServer({
    ...{ storage: 'sqlite', folder, environment },
    adapters: { addBrokers: [vault(seen)], oneTimePasswords },
  });
  return server;
}

async function stopped(): Promise<void> {
  await server?.close();
  server = undefined;
}

const file = (name: string): string => join(folder, name);
const rotated = (environment: Readonly<Record<string, string>> = {}) =>
  rotateKey(
    readSettings({ DATABASE_URL: `sqlite:${file('slipstream.db')}`, ...environment }),
    undefined,
    () => undefined,
  );

/** Somebody with a secret of every kind. */
async function someone({ ask }: ComposedServer) {
  const password = 'a password of somebody';
  await ask('newUser', { email: 'ada@example.com', password });
  const session = await ask('newSession', { email: 'ada@example.com', password });
  const { token } = await ask(
    'newToken',
    { name: 'all', scope: ['*', 'newPaymentSource'] },
    session.token,
  );
  const { strategy_id } = await ask('newStrategy', { type: 'stock', name: 'Mine' }, token);
  const allocations = [{ strategy_id, percent: '1' }];
  const bot = { type: 'stock', broker: 'vault', allocations, credentials: CREDENTIALS };
  const { bot_id } = await ask('newBot', bot, token);
  await ask('newPaymentSource', { token: 'test_card_paid', ...someDetails }, token);
  await ask('newTotp', { password }, token);
  await ask('newEndpoint', { kind: 'webhook', url: URL, events: ['order.filled'] }, token);
  return { token, bot_id };
}

/** The tables with a text that this key encrypted. */
function tablesWith(master: string): string[] {
  const [beginning] = /^v1\.[^.]+\./.exec(aesSecretBox([master]).seal('text', 'context')) ?? [];
  const database = openHandle(file('slipstream.db'), { readonly: true });
  try {
    const tables = database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all();
    return tables
      .map(({ name }) => name)
      .filter((name) =>
        JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()).includes(`${beginning}`),
      );
  } finally {
    database.close();
  }
}

const LASTING = ['bots', 'endpoints', 'key_proofs', 'mails', 'payment_sources', 'users'];

/** Everything that was encrypted is read as before. */
async function expectAllReadable({
  token,
  bot_id,
}: Awaited<ReturnType<typeof someone>>): Promise<void> {
  seen = [];
  const { ask } = await started();
  await ask('getBotAccount', { bot_id }, token);
  expect(seen).toEqual([CREDENTIALS]);
  expect(await ask('getPaymentSources', {}, token)).toMatchObject([{ name: someDetails.name }]);
  expect(await ask('getEndpoints', {}, token)).toMatchObject([{ url: URL }]);
  await ask('confirmTotp', { totp: '000000' }, token);
  expect(secrets).toEqual(['a second factor']);
  await stopped();
}

const itHere = itOne('it looks into the SQLite file');

describe('a rotation of the master key', () => {
  itHere(
    'encrypts all that lasts with a new key in the key file, which alone reads it then',
    async () => {
      const ada = await someone(await started());
      await stopped();
      const keys = file('secret.key');
      const old = readFileSync(keys, 'utf8').trim();
      expect(tablesWith(old)).toEqual(expect.arrayContaining(LASTING));

      expect(await rotated()).toEqual({
        encrypted: [
          { kind: 'bots', count: 1, unreadable: 0 },
          { kind: 'payment sources', count: 1, unreadable: 0 },
          { kind: 'second factors', count: 1, unreadable: 0 },
          { kind: 'endpoints', count: 1, unreadable: 0 },
          { kind: 'mails', count: expect.any(Number), unreadable: 0 },
        ],
        keys,
        isNew: true,
      });
      const [next = '', ...others] = readFileSync(keys, 'utf8').trim().split('\n');
      expect(others).toEqual([old]);
      expect(statSync(keys).mode & 0o777).toBe(0o600);
      expect(tablesWith(next)).toEqual(expect.arrayContaining(LASTING));
      expect(tablesWith(old).filter((table) => LASTING.includes(table))).toEqual([]);

      writeFileSync(keys, `${next}\n`);
      await expectAllReadable(ada);
    },
  );

  itHere('is repeated without another new key', async () => {
    await someone(await started());
    await stopped();
    await rotated();
    const keys = readFileSync(file('secret.key'), 'utf8');
    expect(await rotated()).toMatchObject({ isNew: false });
    expect(readFileSync(file('secret.key'), 'utf8')).toBe(keys);
  });

  itHere('takes the first key of SECRET_KEY, and is refused while there is no second', async () => {
    await someone(await started({ SECRET_KEY: A }));
    await stopped();
    const alone = rotated({ SECRET_KEY: A });
    await expect(alone).rejects.toThrow(/^SECRET_KEY: put a new master key in front/);
    await expect(alone).rejects.toBeInstanceOf(SettingError);
    expect(await rotated({ SECRET_KEY: `${B},${A}` })).toMatchObject({ keys: 'SECRET_KEY' });
    expect(tablesWith(A).filter((table) => LASTING.includes(table))).toEqual([]);
  });

  itHere.each([
    ['a comma', 'a passphrase of more words, with a comma, as somebody may write it', true],
    ['two lines', `${'a first line of a key, as base64 breaks it'}\n${'a second'}`, false],
  ])('of a key with %s loses nothing', async (_, key, isDone) => {
    writeFileSync(file('secret.key'), `${key}\n`);
    const ada = await someone(await started());
    await stopped();
    if (isDone) {
      const { encrypted } = await rotated();
      expect(encrypted.every(({ unreadable }) => unreadable === 0)).toBe(true);
    } else {
      await expect(rotated()).rejects.toThrow(/several lines/);
      expect(readFileSync(file('secret.key'), 'utf8')).toBe(`${key}\n`);
    }
    await expectAllReadable(ada);
  });

  itHere('leaves and counts what no key reads', async () => {
    await someone(await started({ SECRET_KEY: A }));
    await stopped();
    openHandle(file('slipstream.db'))
      .exec("UPDATE endpoints SET sealed_target = 'v1.lost.a.b'")
      .close();
    expect((await rotated({ SECRET_KEY: `${B},${A}` })).encrypted).toContainEqual({
      ...{ kind: 'endpoints', count: 0, unreadable: 1 },
    });
  });

  itHere('is refused while the server runs, and changes no key', async () => {
    await started();
    const keys = readFileSync(file('secret.key'), 'utf8');
    await expect(rotated()).rejects.toThrow(/is in use by/);
    expect(readFileSync(file('secret.key'), 'utf8')).toBe(keys);
  });
});
