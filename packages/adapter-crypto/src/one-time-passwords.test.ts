import { describe, expect, it } from '@jest/globals';
import { argon2Passwords, totpPasswords } from './index.js';

const totp = totpPasswords();
/** The secret and codes of RFC 6238, appendix B, as six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes of an authenticator app', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
  ])('are those of RFC 6238: at %d s %s', (seconds, code, step) => {
    expect(totp.stepOf(SECRET, code, seconds * 1000)).toBe(step);
    for (const off of [-30, 30]) {
      expect(totp.stepOf(SECRET, code, (seconds + off) * 1000)).toBe(step);
    }
    expect(totp.stepOf(SECRET, code, (seconds + 90) * 1000)).toBeUndefined();
  });

  it.each(['', '28708', '2870820', 'abcdef', '28708２', ' 287082'])(
    'are no other text: %j',
    (code) => {
      expect(totp.stepOf(SECRET, code, 59_000)).toBeUndefined();
    },
  );

  it('come with a secret of 160 bits and the address that an app reads', () => {
    const { secret, uri } = totp.newSecret('ada@example.com');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(uri).protocol).toBe('otpauth:');
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(totp.newSecret('ada@example.com').secret).not.toBe(secret);
  });

  it('have recovery codes of 80 bits', () => {
    const codes = Array.from({ length: 100 }, totp.newRecoveryCode);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect(new Set(codes).size).toBe(100);
  });
});

describe('common passwords', () => {
  it.each([
    ['password', true],
    ['PassWord', true],
    ['qwertyuiop', true],
    ['1qaz2wsx', true],
    ['correct horse battery', false],
    ['__proto__', false],
  ])('%s: %s', (password, common) => {
    expect(argon2Passwords().isCommon(password)).toBe(common);
  });
});
