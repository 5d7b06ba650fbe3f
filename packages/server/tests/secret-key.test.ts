import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { masterKeys } from '../src/secret-key.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipstream-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const database = () => join(folder, 'data', 'slipstream.db');
const keyFile = () => join(folder, 'data', 'secret.key');

describe('the master key', () => {
  it('is made once beside the database, readable by its owner alone, with nothing left over', () => {
    const [made] = masterKeys(undefined, database());
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'data'))).toEqual(['secret.key']);
    expect(masterKeys(undefined, database())).toEqual([made]);
  });

  it('is refused when it was not written to the end, and the file stays as it is', () => {
    masterKeys(undefined, database());
    writeFileSync(keyFile(), '');
    expect(() => masterKeys(undefined, database())).toThrow(/secret\.key has fewer than 32/);
    expect(readFileSync(keyFile(), 'utf8')).toBe('');
  });

  it('is that of the setting when there is one', () => {
    expect(masterKeys(['a', 'b'], database())).toEqual(['a', 'b']);
    expect(readdirSync(folder)).toEqual([]);
  });
});
