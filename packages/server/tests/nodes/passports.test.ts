import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import { passports } from '@slipstream/adapter-http';

const NOW = Date.parse('2026-03-04T15:00:00.000Z');
const MINUTE = 60_000;
const passport = { requestId: 'r-1', address: '192.0.2.7', waited: 3, news: [] };

const asked = (header: string, method = 'POST', url = '/newOrder'): IncomingMessage =>
  Object.assign(new IncomingMessage(new Socket()), {
    ...{ method, url },
    headers: { 'slipstream-passport': header },
  });

describe('the passport of a forwarded request', () => {
  const box = aesSecretBox(['the master key of the tests and their servers']);
  const { issue, read } = passports(box, () => NOW);
  const header = issue(passport, { method: 'POST', url: '/newOrder' });

  it('is read by whoever has the master key, also one that is being replaced', () => {
    expect(read(asked(header))).toMatchObject(passport);
    const rotated = aesSecretBox([
      'a new master key of the tests',
      'the master key of the tests and their servers',
    ]);
    expect(passports(rotated, () => NOW).read(asked(header))).toMatchObject(passport);
  });

  it('is refused under another key, for another request, changed, or later', () => {
    const others = passports(aesSecretBox(['another master key of the tests']), () => NOW);
    expect(others.read(asked(header))).toBeUndefined();
    expect(read(asked(header, 'POST', '/deleteUser'))).toBeUndefined();
    expect(read(asked(header, 'GET'))).toBeUndefined();
    expect(read(asked(`x${header}`))).toBeUndefined();
    expect(read(asked(''))).toBeUndefined();
    expect(passports(box, () => NOW + 2 * MINUTE).read(asked(header))).toBeUndefined();
  });
});
