import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TimeStamp } from '@slipstream/domain';
import { StampFailed } from '@slipstream/ports';
import {
  type Listening,
  type StampFault,
  type TimestampStandIn,
  timestampAuthority,
} from '@slipstream/stand-ins';
import { checkStamp, readCertificates, rfc3161Authority } from '../src/index.js';

const NOW = Date.parse('2026-11-23T00:10:00Z');
/** Whatever words Node has for it. */
const WHY = /did not answer: (?!fetch failed).+/;
const TEXT = 'slipstream anchor 1\n2026-11-22\n3\nabc';

let standIn: TimestampStandIn;
let another: TimestampStandIn;

beforeAll(async () => {
  standIn = await timestampAuthority({ now: () => NOW });
  another = await timestampAuthority({ now: () => NOW + 1 });
});

const authority = (timeout = 10_000) =>
  rfc3161Authority({ url: 'http://stand-in.test', timeout, fetch: standIn.fetch });

describe('an authority (RFC 3161)', () => {
  it('stamps a text at its own time', async () => {
    const stamp = await authority().stamp(TEXT);
    expect(stamp).toMatchObject({ at: NOW, nonce: expect.stringMatching(/^[4-7][\da-f]{15}$/) });
    expect(await checkStamp(stamp, TEXT)).toBe(NOW);
  });

  it('is asked with another nonce each time', async () => {
    const [one, other] = [await authority().stamp(TEXT), await authority().stamp(TEXT)];
    expect(one.nonce).not.toBe(other.nonce);
  });

  it.each<[StampFault, RegExp]>([
    ['wrong_nonce', /answers another request/],
    ['no_nonce', /answers another request/],
    ['wrong_imprint', /of something else/],
    ['rejected', /rejected the request \(status 2\): no more stamps today/],
    ['expired', /was not valid at its time/],
    ['wrong_purpose', /not made for time stamps alone/],
    ['purpose_not_critical', /not made for time stamps alone/],
    ['wrong_key', /signature is wrong/],
    ['dropped', /did not answer: fetch failed/],
    ['garbage', /not one of RFC 3161/],
    ['too_long', /too long/],
    ['unavailable', /status 503/],
    ['redirected', /status 302/],
  ])('has not stamped: %s', async (fault, reason) => {
    standIn.fail(fault);
    const stamping = authority().stamp(TEXT);
    await expect(stamping).rejects.toThrow(StampFailed);
    await expect(stamping).rejects.toThrow(reason);
    expect((await authority().stamp(TEXT)).at).toBe(NOW);
  });

  it('has not stamped when it stays silent for too long', async () => {
    standIn.fail('silent');
    await expect(authority(1).stamp(TEXT)).rejects.toThrow(/did not answer: .*timeout/);
  });
});

describe('over a socket', () => {
  let listening: Listening;
  beforeEach(async () => {
    listening = await standIn.listen();
  });
  afterEach(async () => {
    standIn.fail();
    await listening.close();
  });

  it('an authority stamps, breaks off, stays silent and sends elsewhere', async () => {
    const { url } = listening;
    const remote = rfc3161Authority({ url });
    expect((await remote.stamp(TEXT)).at).toBe(NOW);
    standIn.fail('dropped', 'redirected', 'silent');
    await expect(remote.stamp(TEXT)).rejects.toThrow(WHY);
    await expect(remote.stamp(TEXT)).rejects.toThrow(WHY);
    const hurried = rfc3161Authority({ url, timeout: 1 });
    await expect(hurried.stamp(TEXT)).rejects.toThrow(/did not answer/);
  });

  it('an authority that is not there has not stamped', async () => {
    const { url } = listening;
    await listening.close();
    await expect(rfc3161Authority({ url }).stamp(TEXT)).rejects.toThrow(
      /did not answer: connect ECONNREFUSED/,
    );
  });

  it('an authority of several addresses, none of which takes a connection, has not stamped', async () => {
    const cause = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const nowhere = rfc3161Authority({ url: 'http://stand-in.test', fetch });
    await expect(nowhere.stamp(TEXT)).rejects.toThrow('it did not answer: ECONNREFUSED');
  });
});

describe('the check of a stamp', () => {
  let stamp: TimeStamp;
  beforeEach(async () => {
    stamp = await authority().stamp(TEXT);
  });

  it('takes the certificate of the CA that issued it', async () => {
    expect(await checkStamp(stamp, TEXT, readCertificates(standIn.ca))).toBe(NOW);
    const both = readCertificates(`${another.ca}${standIn.ca}`);
    expect(await checkStamp(stamp, TEXT, both)).toBe(NOW);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'the certificate of another CA',
      () => checkStamp(stamp, TEXT, readCertificates(another.ca)),
      /certificate failed/,
    ],
    ['no certificate at all', () => checkStamp(stamp, TEXT, []), /certificate failed/],
    ['another text', () => checkStamp(stamp, `${TEXT}.`), /of something else/],
    ['another nonce', () => checkStamp({ ...stamp, nonce: '41' }, TEXT), /another request/],
    ['a text as token', () => checkStamp({ ...stamp, token: 'AAAA' }, TEXT), /cannot be read/],
    ['no token', () => checkStamp({ ...stamp, token: '' }, TEXT), /cannot be read/],
  ])('refuses %s', async (_, check, reason) => {
    await expect(check()).rejects.toThrow(StampFailed);
    await expect(check()).rejects.toThrow(reason);
  });

  it('refuses every token with a changed byte, or finds the same time in it', async () => {
    const bytes = Buffer.from(stamp.token, 'base64');
    const trusted = readCertificates(standIn.ca);
    for (let at = 0; at < bytes.length; at += 13) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      const verdict = await checkStamp(
        { ...stamp, token: changed.toString('base64') },
        TEXT,
        trusted,
      ).catch((error: unknown) => error);
      if (verdict !== NOW) expect(verdict).toBeInstanceOf(StampFailed);
    }
  });

  it.each([
    ['no file of certificates', 'hello'],
    ['a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('reads %s as none', (_, pem) => {
    expect(() => readCertificates(pem)).toThrow(StampFailed);
  });
});
