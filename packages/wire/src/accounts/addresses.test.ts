import { describe, it, expect } from '@jest/globals';
import { readRequest } from '../requests/explain.js';
import { operations } from '../operations/index.js';

const signUp = (email: string) => () =>
  readRequest(operations.newUser.request, { email, password: 'correct horse battery' });
const signIn = (email: string) => () =>
  readRequest(operations.newSession.request, { email, password: 'x' });

describe('an e-mail address', () => {
  // oxfmt-ignore
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada@Example.COM ', 'ada@example.com'],
    ['ada.lovelace+trade@mail.example.co.uk', 'ada.lovelace+trade@mail.example.co.uk'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['a_b-c=d/e@example.museum', 'a_b-c=d/e@example.museum'],
    ['x@xn--mnchen-3ya.de', 'x@xn--mnchen-3ya.de'],
    ['x@mail.xn--p1ai', 'x@mail.xn--p1ai'],
    ['1@2.example', '1@2.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('is %j', (given, kept) => {
    expect(signUp(given)()).toMatchObject({ email: kept });
  });

  // oxfmt-ignore
  it.each([
    'victim@x>', '<victim@x', 'victim@x.com>', '<victim@x.com', '<b>@z.zz', 'x@-.-', 'a@z.zz,evil.com',
    'a@z.zz,b@evil.com', 'a@b@c.com', 'vic\u200btim@example.com', 'victim@exam\u200bple.com', 'victim\u00ad@example.com',
    'victim\u2060@example.com', 'vi\u0441tim@example.com', 'a@münchen.de', 'a b@example.com', 'a@exam ple.com',
    '"a b"@example.com', '(a)b@example.com', 'a@example.com(b)', '.a@example.com', 'a.@example.com', 'a..b@example.com',
    'a@.example.com', 'a@example.com.', 'a@example..com', 'a@-example.com', 'a@example-.com', 'a@example',
    'a@localhost', 'a@127.0.0.1', 'a@[127.0.0.1]', 'a@[::1]', 'a@1.2', 'a@example.c', 'a@example.c0m-', '@example.com',
    'a@', 'a', 'a:b@example.com', 'a;b@example.com', 'a,b@example.com', 'mailto:a@example.com', 'a\\@b@example.com',
    'a@exa_mple.com', 'a@example.com\r\nBcc: b@example.com', 'a%b\u0000@example.com',
    `${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(64)}.com`,
  ])('is not %j', (given) => {
    expect(signUp(given)).toThrow(/email/);
  });

  it('from before can still be used to sign in', () => {
    expect(signIn('<B>@z.zz')()).toMatchObject({ email: '<b>@z.zz' });
    expect(signIn('no address')).toThrow(/email/);
  });
});
