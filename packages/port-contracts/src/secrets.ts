import type { Timestamp } from '@slipstream/domain';
import {
  type AccessTokens,
  type Fingerprints,
  type OneTimePasswords,
  type Passwords,
  type SecretBox,
  SecretUnreadable,
} from '@slipstream/ports';
import { NOON } from './builders/index.js';
import { describe, expect, it } from './testing.js';

const SECRET = 'correct horse battery staple';

/** The specification of `Passwords`. */
export const passwordsContract = (name: string, open: () => Passwords): void => {
  describe(`passwords contract: ${name}`, () => {
    it('PW-01 verifies only the password that it hashed', async () => {
      const passwords = open();
      const hash = await passwords.hash(SECRET);
      expect(await passwords.verify(hash, SECRET)).toBe(true);
      expect(await passwords.verify(hash, `${SECRET} `)).toBe(false);
      expect(await passwords.verify(hash, '')).toBe(false);
    });

    it('PW-02 verifies a hash of an earlier process', async () => {
      expect(await open().verify(await open().hash(SECRET), SECRET)).toBe(true);
    });

    it('PW-03 tells a common password in any letter case from a rare one', () => {
      const passwords = open();
      for (const common of ['password1', 'PASSWORD1', 'PassWord1'])
        expect(passwords.isCommon(common)).toBe(true);
      for (const rare of [SECRET, '__proto__', '']) expect(passwords.isCommon(rare)).toBe(false);
    });
  });
};

/** Of what protects real users; a stand-in for tests need not. */
export const protectingPasswordsContract = (name: string, open: () => Passwords): void => {
  describe(`passwords contract, protection: ${name}`, () => {
    it('PW-04 salts: two hashes of one password differ, and neither contains it', async () => {
      const passwords = open();
      const [first, second] = [await passwords.hash(SECRET), await passwords.hash(SECRET)];
      expect(first).not.toBe(second);
      expect(first).not.toContain(SECRET);
    });
  });
};

/** The specification of `AccessTokens`. */
export const accessTokensContract = (name: string, open: () => AccessTokens): void => {
  describe(`access tokens contract: ${name}`, () => {
    it.each(['api', 'refresh', 'code'] as const)(
      'AT-01 issues a %s token whose digest identifies it',
      (type) => {
        const tokens = open();
        const { text, digest } = tokens.issue(type);
        expect(tokens.digest(text)).toBe(digest);
        expect(digest).not.toBe(text);
      },
    );

    it('AT-02 never issues the same token twice', () => {
      const tokens = open();
      const texts = Array.from({ length: 1_000 }, () => tokens.issue('api').text);
      expect(new Set(texts).size).toBe(1_000);
    });

    it.each(['', 'x', 'x'.repeat(10_000), '\u0000'])('AT-03 has no digest of %j', (text) => {
      expect(open().digest(text)).toBeUndefined();
    });
  });
};

/** `open` gives a box with the same key each time. */
export const secretBoxContract = (name: string, open: () => SecretBox): void => {
  describe(`secret box contract: ${name}`, () => {
    it.each(['', SECRET, 'Zoë 🚀', 'x'.repeat(100_000)])('SB-01 opens what it sealed', (plain) => {
      const sealed = open().seal(plain, 'bot|1');
      expect(open().open(sealed, 'bot|1')).toBe(plain);
    });

    it('SB-02 throws SecretUnreadable in another context, and for text that it never sealed', () => {
      const sealed = open().seal(SECRET, 'bot|1');
      expect(() => open().open(sealed, 'bot|2')).toThrow(SecretUnreadable);
      for (const changed of ['', 'x', sealed.slice(0, sealed.length / 2), `x${sealed}`])
        expect(() => open().open(changed, 'bot|1')).toThrow(SecretUnreadable);
    });

    it('SB-03 distinguishes texts by their MAC within a context', () => {
      const mac = open().mac(SECRET, 'key|1');
      expect(open().verify(mac, SECRET, 'key|1')).toBe(true);
      expect(open().verify(mac, `${SECRET}!`, 'key|1')).toBe(false);
      expect(open().verify(mac, SECRET, 'key|2')).toBe(false);
      for (const changed of ['', 'x', `${mac}x`])
        expect(open().verify(changed, SECRET, 'key|1')).toBe(false);
    });
  });
};

/** Two boxes of different keys. */
export interface SecretBoxFixture {
  /** A box with the same key each time. */
  open(): SecretBox;
  /** A box with another key. */
  openOther(): SecretBox;
}

/** Of what protects real users; a stand-in for tests need not. */
export const protectingSecretBoxContract = (
  name: string,
  { open, openOther }: SecretBoxFixture,
): void => {
  describe(`secret box contract, protection: ${name}`, () => {
    it('SB-04 reveals nothing of the sealed text, and never seals it the same way twice', () => {
      const [first, second] = [open().seal(SECRET, 'bot|1'), open().seal(SECRET, 'bot|1')];
      expect(first).not.toContain(SECRET);
      expect(first).not.toBe(second);
    });

    it('SB-05 opens and verifies nothing that was sealed with another key', () => {
      const [sealed, mac] = [open().seal(SECRET, 'bot|1'), open().mac(SECRET, 'bot|1')];
      expect(() => openOther().open(sealed, 'bot|1')).toThrow(SecretUnreadable);
      expect(openOther().verify(mac, SECRET, 'bot|1')).toBe(false);
    });

    it('SB-06 throws SecretUnreadable wherever a character was changed', () => {
      const sealed = open().seal(SECRET, 'bot|1');
      for (let place = 0; place < sealed.length; place += 1) {
        // The last character of base64 may hold bits that nobody reads.
        const other = sealed[place] === 'A' ? 'Z' : 'A';
        const changed = `${sealed.slice(0, place)}${other}${sealed.slice(place + 1)}`;
        expect(() => open().open(changed, 'bot|1')).toThrow(SecretUnreadable);
      }
    });
  });
};

/** One-time passwords under test, and an authenticator app. */
export interface OneTimePasswordsFixture {
  readonly passwords: OneTimePasswords;
  /** The code that an app with the secret shows at that time. */
  codeAt(secret: string, now: Timestamp): string;
}

/** The specification of `OneTimePasswords`. */
export const oneTimePasswordsContract = (
  name: string,
  open: () => OneTimePasswordsFixture,
): void => {
  describe(`one-time passwords contract: ${name}`, () => {
    const STEP = 30_000;

    it('OT-01 finds the 30 seconds of a code: the present, the previous or the next', () => {
      const { passwords, codeAt } = open();
      const { secret } = passwords.newSecret('ada@example.com');
      const present = NOON / STEP;
      for (const off of [-1, 0, 1]) {
        const code = codeAt(secret, NOON + off * STEP);
        expect(passwords.stepOf(secret, code, NOON)).toBe(present + off);
        expect(passwords.stepOf(secret, code, NOON + STEP - 1)).toBe(present + off);
      }
      expect(passwords.stepOf(secret, codeAt(secret, NOON + 3 * STEP), NOON)).toBeUndefined();
    });

    it.each(['', '12345', 'abcdef', '1234567', ' 123456', '１２３４５６'])(
      'OT-02 accepts no other text: %j',
      (code) => {
        const { passwords } = open();
        const { secret } = passwords.newSecret('ada@example.com');
        expect(passwords.stepOf(secret, code, NOON)).toBeUndefined();
      },
    );

    it('OT-03 never makes a secret or a recovery code twice, and puts the secret into its address', () => {
      const { passwords } = open();
      const made = Array.from({ length: 100 }, () => passwords.newSecret('ada@example.com'));
      expect(new Set(made.map(({ secret }) => secret)).size).toBe(100);
      for (const { secret, uri } of made)
        expect(new URL(uri).searchParams.get('secret')).toBe(secret);
      const codes = Array.from({ length: 100 }, () => passwords.newRecoveryCode());
      expect(new Set(codes).size).toBe(100);
    });
  });
};

/** The specification of `Fingerprints`. */
export const fingerprintsContract = (name: string, open: () => Fingerprints): void => {
  describe(`fingerprints contract: ${name}`, () => {
    it('FP-01 maps equal parts to the same 32 characters of a-z and 2-7', () => {
      const name = open().of('bot', '1', 'x');
      expect(name).toMatch(/^[a-z2-7]{32}$/);
      expect(open().of('bot', '1', 'x')).toBe(name);
    });

    it('FP-02 distinguishes parts by their boundaries', () => {
      const names = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc']];
      expect(new Set(names.map((parts) => open().of(...parts))).size).toBe(names.length);
    });

    it('FP-03 hashes as SHA-256 does', () => {
      expect(open().sha256('abc')).toBe(
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      );
      expect(open().sha256('é')).toBe(open().sha256(new Uint8Array([0xc3, 0xa9])));
    });
  });
};
