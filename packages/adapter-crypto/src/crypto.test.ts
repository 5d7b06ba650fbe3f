import { describe, expect, it } from '@jest/globals';
import {
  aesSecretBox,
  argon2Passwords,
  randomAccessTokens,
  sha256Fingerprints,
  uuidV7Ids,
} from './index.js';

describe('access tokens', () => {
  const tokens = randomAccessTokens();

  it.each(['api', 'refresh'] as const)('finds an issued %s token again by its digest', (type) => {
    const { text, digest } = tokens.issue(type);
    expect(tokens.digest(text)).toBe(digest);
    expect(text).toMatch(type === 'api' ? /^slipa_/ : /^slipr_/);
  });

  it('never issues the same token twice', () => {
    const issued = Array.from({ length: 1000 }, () => tokens.issue('api').text);
    expect(new Set(issued).size).toBe(1000);
  });

  it('refuses a mistyped token without a look-up', () => {
    const { text } = tokens.issue('api');
    const wrong = text.slice(0, 20) + (text[20] === 'x' ? 'y' : 'x') + text.slice(21);
    expect(tokens.digest(wrong)).toBeUndefined();
    expect(tokens.digest('')).toBeUndefined();
    expect(tokens.digest(`${text} `)).toBeUndefined();
  });
});

describe('passwords', () => {
  it('verifies the right one only', async () => {
    const passwords = argon2Passwords();
    const kept = await passwords.hash('correct horse');
    expect(kept).toContain('$argon2id$');
    expect(await passwords.verify(kept, 'correct horse')).toBe(true);
    expect(await passwords.verify(kept, 'Correct horse')).toBe(false);
  });

  it('matches nothing without a hash', async () => {
    expect(await argon2Passwords().verify('', 'nobody has this password')).toBe(false);
  });
});

describe('passwords that are hashed at once', () => {
  it('wait for their turn, and are refused when too many wait', async () => {
    const passwords = argon2Passwords({ memoryCost: 8, timeCost: 1, atOnce: 2, waiting: 3 });
    const settled = await Promise.allSettled(
      Array.from({ length: 50 }, () => passwords.verify('', 'guess')),
    );
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(settled.length - refused.length).toBeLessThanOrEqual(5);
    expect(settled.length - refused.length).toBeGreaterThanOrEqual(3);
    for (const one of refused) expect(one).toMatchObject({ reason: { name: 'Overloaded' } });
    await expect(passwords.hash('later')).resolves.toContain('$argon2id$');
  });
});

describe('the secret box', () => {
  it('decrypts its texts only in the same context', () => {
    const box = aesSecretBox(['first key']);
    const sealed = box.seal('hunter2', 'bot_credentials|1');
    expect(sealed).not.toContain('hunter2');
    expect(box.open(sealed, 'bot_credentials|1')).toBe('hunter2');
    expect(() => box.open(sealed, 'bot_credentials|2')).toThrow();
  });

  it('seals the same secret differently each time', () => {
    const box = aesSecretBox(['first key']);
    expect(box.seal('same', 'c')).not.toBe(box.seal('same', 'c'));
  });

  it('rotates: with a new key in front it still decrypts texts of the old one', () => {
    const sealed = aesSecretBox(['old']).seal('kept', 'c');
    expect(aesSecretBox(['new', 'old']).open(sealed, 'c')).toBe('kept');
    expect(() => aesSecretBox(['new']).open(sealed, 'c')).toThrow(
      'no master key opens this secret',
    );
  });

  it('refuses changed text', () => {
    const box = aesSecretBox(['k']);
    const parts = box.seal('kept', 'c').split('.');
    const body = Buffer.from(parts[3] ?? '', 'base64url');
    body[body.length - 20] = (body[body.length - 20] ?? 0) ^ 1;
    parts[3] = body.toString('base64url');
    expect(() => box.open(parts.join('.'), 'c')).toThrow();
  });
});

describe('a mac', () => {
  const box = aesSecretBox(['first key']);
  const mac = box.mac('body', 'context');

  it('depends on text and context, and does not reveal the text', () => {
    expect(mac).not.toContain('body');
    expect(box.verify(mac, 'body', 'context')).toBe(true);
    expect(box.verify(mac, 'bodY', 'context')).toBe(false);
    expect(box.verify(mac, 'body', 'other')).toBe(false);
    expect(box.verify('', 'body', 'context')).toBe(false);
  });

  it('is valid while its key still decrypts', () => {
    expect(aesSecretBox(['new', 'first key']).verify(mac, 'body', 'context')).toBe(true);
    expect(aesSecretBox(['new']).verify(mac, 'body', 'context')).toBe(false);
  });
});

describe('fingerprints', () => {
  const { of } = sha256Fingerprints();

  it('are the same for the same parts, 32 characters of a-z and 2-7', () => {
    expect(of('bot', '1', 'leg')).toBe(of('bot', '1', 'leg'));
    expect(of('bot', '1', 'leg')).toMatch(/^[a-z2-7]{32}$/);
  });

  it('distinguish parts that join to the same text', () => {
    expect(of('ab', 'c')).not.toBe(of('a', 'bc'));
  });
});

describe('ids', () => {
  it('are UUIDv7, ordered even within one millisecond and when the clock goes back', () => {
    let now = 1_700_000_000_000;
    const ids = uuidV7Ids({ now: () => now });
    const made = Array.from({ length: 10_000 }, (_, index) => {
      if (index === 5000) now -= 10;
      return ids.next();
    });
    expect(made[0]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });
});
