import { describe, expect, it } from './testing.js';
import {
  type AccessTokens,
  type Fingerprints,
  type Passwords,
  type SecretBox,
  SecretUnreadable,
} from '@slipstream/ports';

const SECRET = 'correct horse battery staple';

export const passwordsContract = (name: string, open: () => Passwords): void => {
  describe(`passwords contract: ${name}`, () => {
    it('PW-01 verifies what it hashed, and nothing else', async () => {
      const passwords = open();
      const hash = await passwords.hash(SECRET);
      expect(await passwords.verify(hash, SECRET)).toBe(true);
      expect(await passwords.verify(hash, `${SECRET} `)).toBe(false);
      expect(await passwords.verify(hash, '')).toBe(false);
    });

    it('PW-02 verifies what an earlier process hashed', async () => {
      expect(await open().verify(await open().hash(SECRET), SECRET)).toBe(true);
    });
  });
};

/** Of what protects real users; a stand-in for tests need not. */
export const protectingPasswordsContract = (name: string, open: () => Passwords): void => {
  describe(`passwords contract, protection: ${name}`, () => {
    it('PW-03 salts: one password has two hashes, and neither shows it', async () => {
      const passwords = open();
      const [first, second] = [await passwords.hash(SECRET), await passwords.hash(SECRET)];
      expect(first).not.toBe(second);
      expect(first).not.toContain(SECRET);
    });
  });
};

export const accessTokensContract = (name: string, open: () => AccessTokens): void => {
  describe(`access tokens contract: ${name}`, () => {
    it.each(['api', 'refresh', 'code'] as const)(
      'AT-01 issues a %s that its digest is found by',
      (type) => {
        const tokens = open();
        const { text, digest } = tokens.issue(type);
        expect(tokens.digest(text)).toBe(digest);
        expect(digest).not.toBe(text);
      },
    );

    it('AT-02 never issues the same twice', () => {
      const tokens = open();
      const texts = Array.from({ length: 1_000 }, () => tokens.issue('api').text);
      expect(new Set(texts).size).toBe(1_000);
    });

    it.each(['', 'x', 'x'.repeat(10_000), '\u0000'])('AT-03 has no digest of %j', (text) => {
      expect(open().digest(text)).toBeUndefined();
    });
  });
};

export interface SecretBoxFixture {
  /** A box with the same key each time. */
  open(): SecretBox;
  /** A box with another key. */
  openOther(): SecretBox;
}

export const secretBoxContract = (name: string, { open, openOther }: SecretBoxFixture): void => {
  describe(`secret box contract: ${name}`, () => {
    it.each(['', SECRET, 'Zoë 🚀', 'x'.repeat(100_000)])('SB-01 opens what it sealed', (plain) => {
      const sealed = open().seal(plain, 'bot|1');
      expect(open().open(sealed, 'bot|1')).toBe(plain);
    });

    it('SB-02 shows nothing of what it sealed, and never seals it the same twice', () => {
      const [first, second] = [open().seal(SECRET, 'bot|1'), open().seal(SECRET, 'bot|1')];
      expect(first).not.toContain(SECRET);
      expect(first).not.toBe(second);
    });

    it('SB-03 throws SecretUnreadable for another context, another key and what was changed', () => {
      const sealed = open().seal(SECRET, 'bot|1');
      const half = sealed.slice(0, sealed.length / 2);
      expect(() => open().open(sealed, 'bot|2')).toThrow(SecretUnreadable);
      expect(() => openOther().open(sealed, 'bot|1')).toThrow(SecretUnreadable);
      for (const changed of [
        '',
        half,
        `${half}A${sealed.slice(half.length + 1)}`.replace(sealed, ''),
      ])
        expect(() => open().open(changed, 'bot|1')).toThrow(SecretUnreadable);
    });

    it('SB-04 tells the same text from another by its mac, in its context, by its key alone', () => {
      const mac = open().mac(SECRET, 'key|1');
      expect(open().verify(mac, SECRET, 'key|1')).toBe(true);
      expect(open().verify(mac, `${SECRET}!`, 'key|1')).toBe(false);
      expect(open().verify(mac, SECRET, 'key|2')).toBe(false);
      expect(openOther().verify(mac, SECRET, 'key|1')).toBe(false);
    });
  });
};

export const fingerprintsContract = (name: string, open: () => Fingerprints): void => {
  describe(`fingerprints contract: ${name}`, () => {
    it('FP-01 gives the same parts the same 32 characters of a-z and 2-7', () => {
      const name = open().of('bot', '1', 'x');
      expect(name).toMatch(/^[a-z2-7]{32}$/);
      expect(open().of('bot', '1', 'x')).toBe(name);
    });

    it('FP-02 tells parts apart by where they end', () => {
      const names = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc']];
      expect(new Set(names.map((parts) => open().of(...parts))).size).toBe(names.length);
    });

    it('FP-03 hashes as SHA-256 does', () => {
      expect(open().sha256('abc')).toBe(
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      );
    });
  });
};
