import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { silentLog } from '@slipstream/adapter-memory/testing';
import { replaceKey } from '../../src/cli/operator/database.js';
import { masterKeys } from '../../src/composition/secret-key.js';
import { SettingError, openServer, readSettings } from '../../src/index.js';
import { composedServer } from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipstream-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keyFile = () => join(folder, 'data', 'secret.key');
const settingsWith = (environment: Readonly<Record<string, string>> = {}) =>
  readSettings({ DATABASE_URL: `sqlite:${join(folder, 'data', 'slipstream.db')}`, ...environment });
const unused = { isForeign: false, isUsed: async () => false };
const used = { isForeign: false, isUsed: async () => true };

const A = 'a master key of the tests; the first';
const B = 'a master key of the tests; the second';

describe('the master key', () => {
  it('is made once beside the database, readable only by its owner, without other files', async () => {
    const [made] = await masterKeys(settingsWith(), unused, silentLog());
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'data'))).toEqual(['secret.key']);
    expect(await masterKeys(settingsWith(), used, silentLog())).toEqual([made]);
  });

  it.each([
    [{}, 0o600],
    [{ SECRET_KEY_FILE: 'KEY' }, 0o644],
  ])(
    'that others could read is logged, and is restricted to its owner beside the database: %j',
    async (named, mode) => {
      const environment = 'SECRET_KEY_FILE' in named ? { SECRET_KEY_FILE: keyFile() } : {};
      const [made] = await masterKeys(settingsWith(environment), unused, silentLog());
      chmodSync(keyFile(), 0o644);
      const warnings: string[] = [];
      const log = {
        ...silentLog(),
        warn: (_: unknown, message: string) => void warnings.push(message),
      };
      expect(await masterKeys(settingsWith(environment), used, log)).toEqual([made]);
      expect(statSync(keyFile()).mode & 0o777).toBe(mode);
      expect(warnings).toEqual([expect.stringContaining('other users')]);
      expect(JSON.stringify(warnings)).not.toContain(made);
    },
  );

  it('is not called lost where the server may not look: replacing it would lose what it encrypted', async () => {
    symlinkSync('loop', join(folder, 'loop'));
    const hidden = settingsWith({ SECRET_KEY_FILE: join(folder, 'loop', 'secret.key') });
    const start = masterKeys(hidden, used, silentLog());
    await expect(start).rejects.toThrow(/^SECRET_KEY_FILE: .+ cannot be made or read \(ELOOP\)$/);
  });

  it('is refused when it is incomplete, and the file does not change', async () => {
    await masterKeys(settingsWith(), unused, silentLog());
    writeFileSync(keyFile(), '');
    await expect(masterKeys(settingsWith(), used, silentLog())).rejects.toThrow(
      /secret\.key has fewer than 32/,
    );
    expect(readFileSync(keyFile(), 'utf8')).toBe('');
  });

  it('comes from the setting if there is one', async () => {
    expect(await masterKeys(settingsWith({ SECRET_KEY: `${A},${B}` }), used, silentLog())).toEqual([
      A,
      B,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lies at SECRET_KEY_FILE, whatever the database is', async () => {
    const file = join(folder, 'keys', 'master');
    const environment = { DATABASE_URL: 'memory:', SECRET_KEY_FILE: file };
    const [made] = await masterKeys(
      settingsWith(environment),
      { ...unused, isForeign: true },
      silentLog(),
    );
    expect(readFileSync(file, 'utf8').trim()).toBe(made);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('must not be given in two ways', () => {
    expect(() => settingsWith({ SECRET_KEY: A, SECRET_KEY_FILE: 'x' })).toThrow(
      'SECRET_KEY and SECRET_KEY_FILE must not be given together',
    );
  });

  it('is never made for a database that has secrets', async () => {
    await expect(masterKeys(settingsWith(), used, silentLog())).rejects.toThrow(
      /^SECRET_KEY: the master key of this database is missing/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a server', () => {
  const startWith = async (environment: Readonly<Record<string, string>> = {}) => {
    const server = await composedServer({ storage: 'sqlite', folder, environment });
    await server.close();
  };

  it('starts only with the key of its database', async () => {
    await startWith({ SECRET_KEY: A });
    await startWith({ SECRET_KEY: A });
    await expect(startWith({ SECRET_KEY: B })).rejects.toThrow(
      /^SECRET_KEY: the secrets of this database were encrypted with another master key/,
    );
    await startWith({ SECRET_KEY: A });
  });

  itOne('nodes make no key file')(
    'is refused when its key file is missing, and makes none',
    async () => {
      await startWith();
      rmSync(join(folder, 'secret.key'));
      await expect(startWith()).rejects.toThrow(/the master key of this database is missing/);
      expect(readdirSync(folder)).not.toContain('secret.key');
    },
  );

  itOne('it names the SQLite file')(
    'continues without a lost key on command, and then only with the new one',
    async () => {
      await startWith({ SECRET_KEY: A });
      const settings = readSettings({
        DATABASE_URL: `sqlite:${join(folder, 'slipstream.db')}`,
        SECRET_KEY: B,
      });
      await replaceKey(settings, undefined);
      await startWith({ SECRET_KEY: B });
      await expect(startWith({ SECRET_KEY: A })).rejects.toBeInstanceOf(SettingError);
    },
  );

  it('rotates: after a start with a new key in front, the old one can be removed', async () => {
    const [old, next] = [A, B].map((key) => key);
    await startWith({ SECRET_KEY: `${old}` });
    await startWith({ SECRET_KEY: `${next},${old}` });
    await startWith({ SECRET_KEY: `${next}` });
    await expect(startWith({ SECRET_KEY: `${old}` })).rejects.toBeInstanceOf(SettingError);
  });

  it("refuses a host's storage with a key that ends with the process", async () => {
    const settings = readSettings({ PORT: '0', DATABASE_URL: 'memory:' });
    const unitOfWork = openMemory();
    await expect(openServer(settings, silentLog(), { unitOfWork })).rejects.toThrow(
      /^set SECRET_KEY or SECRET_KEY_FILE/,
    );
    // It closes what it was given, even then.
    await expect(unitOfWork.read(async () => 1)).rejects.toThrow(/closed/);
  });
});
