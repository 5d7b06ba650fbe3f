import { describe, expect, it } from '@jest/globals';
import { type Caller, DEFAULT_SETTINGS } from '../../src/index.js';
import { PASSWORD, codeIn } from '../accounts.js';
import { fixture } from '../fixture.js';
import { DAY } from '@slipstream/domain';

const anonymous: Caller = { kind: 'anonymous' };
const email = 'ada@example.com';
const STEP = 30_000;
const NEW = 'another new one';

async function world() {
  const made = await fixture({}, DEFAULT_SETTINGS);
  const { app, ports } = made;
  const ada = await made.user('ada');
  await app.sendMails();
  await app.confirmEmail(ada, { code: codeIn(ports.mailer.sent.at(-1)) });
  const { secret } = await app.newTotp(ada, { password: PASSWORD });
  const code = (at = ports.clock.now()) => `${secret}:${Math.floor(at / STEP)}`;
  const signIn = (totp?: string, password = PASSWORD) =>
    app.newSession(anonymous, { email, password, totp });
  const subjects = async () => {
    await app.sendMails();
    return ports.mailer.sent.map(({ subject }) => subject);
  };
  return { ...made, ada, code, signIn, subjects };
}

async function worldWithIt() {
  const made = await world();
  const codes = await made.app.confirmTotp(made.ada, { totp: made.code() });
  made.ports.clock.advance(STEP);
  return { ...made, codes };
}

describe('the second factor', () => {
  it('is required after a code has shown that the app has the secret', async () => {
    const { app, ada, code, signIn, subjects } = await world();
    await expect(signIn()).resolves.toBeDefined();
    await expect(app.confirmTotp(ada, { totp: 'wrong' })).rejects.toMatchObject({
      code: 'invalid_field',
    });
    await app.confirmTotp(ada, { totp: code() });
    await expect(signIn()).rejects.toMatchObject({ code: 'totp_required' });
    expect(await subjects()).toContain('The second factor is on');
    await expect(app.newTotp(ada, { password: PASSWORD })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it.each<[string, (made: Awaited<ReturnType<typeof world>>) => Promise<unknown>]>([
    [
      'updatePassword',
      ({ app, ada }) => app.updatePassword(ada, { password: PASSWORD, newPassword: NEW }),
    ],
    [
      'a mailed code',
      async ({ app, subjects, ports }) => {
        await app.newPasswordReset(anonymous, { email });
        await subjects();
        const resetCode = codeIn(ports.mailer.sent.at(-1));
        await app.updatePassword(anonymous, { resetCode, newPassword: NEW });
      },
    ],
  ])('is not turned on with a secret from before a new password was set by %s', async (_, sets) => {
    const made = await world();
    const { app, ada, code, signIn } = made;
    await sets(made);
    await expect(app.confirmTotp(ada, { totp: code() })).rejects.toMatchObject({
      code: 'invalid_field',
    });
    await expect(signIn(undefined, NEW)).resolves.toBeDefined();
  });

  it('accepts each code once, and no wrong or old one', async () => {
    const { code, signIn, ports } = await worldWithIt();
    await expect(signIn(code())).resolves.toBeDefined();
    const used = code();
    await expect(signIn(used)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(signIn(code(ports.clock.now() - STEP))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    ports.clock.advance(STEP);
    await expect(signIn(code(), 'wrong')).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(signIn(code())).resolves.toBeDefined();
  });

  it('has ten recovery codes, each valid once, stored only as digests', async () => {
    const { app, ada, codes, signIn, ports } = await worldWithIt();
    expect(codes).toHaveLength(10);
    const [first = '', second = ''] = codes;
    await expect(signIn(first.toUpperCase())).resolves.toBeDefined();
    await expect(signIn(first)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(signIn(second)).resolves.toBeDefined();
    const user = await app.getUserInfo(ada);
    expect(user.secondFactor?.recovery).toHaveLength(8);
    const kept = await ports.unitOfWork.read(({ users }) => users.find(user.id));
    for (const code of codes) expect(JSON.stringify(kept)).not.toContain(code);
  });

  it('is turned off with the password and a code, and the user is notified', async () => {
    const { app, ada, code, signIn, subjects } = await worldWithIt();
    const off = (password: string, totp?: string) => app.deleteTotp(ada, { password, totp });
    await expect(off(PASSWORD)).rejects.toMatchObject({ code: 'totp_required' });
    await expect(off('wrong', code())).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(off(PASSWORD, 'wrong')).rejects.toMatchObject({ code: 'invalid_field' });
    await off(PASSWORD, code());
    await expect(signIn()).resolves.toBeDefined();
    expect(await subjects()).toContain('The second factor is off');
  });

  it('survives a reset by mail, but not that of an account that was never confirmed', async () => {
    const { app, ports, user, signIn } = await worldWithIt();
    const reset = async (address: string) => {
      await app.newPasswordReset(anonymous, { email: address });
      for (let rounds = 0; rounds < 9; rounds++) await app.sendMails();
      const mail = ports.mailer.sent.findLast(
        ({ to, text }) => to === address && text.includes('/reset-password#code='),
      );
      await app.updatePassword(anonymous, {
        resetCode: codeIn(mail),
        newPassword: 'another password',
      });
    };
    await reset(email);
    await expect(signIn(undefined, 'another password')).rejects.toMatchObject({
      code: 'totp_required',
    });
    const eve = await user('eve');
    const { secret } = await app.newTotp(eve, { password: PASSWORD });
    await app.confirmTotp(eve, { totp: `${secret}:${Math.floor(ports.clock.now() / STEP)}` });
    await reset('eve@example.com');
    const signedIn = app.newSession(anonymous, {
      email: 'eve@example.com',
      password: 'another password',
    });
    await expect(signedIn).resolves.toBeDefined();
  });

  it('must not be sent while it is off', async () => {
    const { signIn } = await world();
    await expect(signIn('123456')).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

describe('a password', () => {
  it('must not be a common one', async () => {
    const { app } = await fixture();
    const common = { email: 'bob@example.com', password: 'password1' };
    await expect(app.newUser(anonymous, common)).rejects.toMatchObject({ code: 'invalid_field' });
    await app.newUser(anonymous, { ...common, password: PASSWORD });
    const session = await app.newSession(anonymous, { ...common, password: PASSWORD });
    const bob = await app.authenticate(session.token);
    const change = { password: PASSWORD, newPassword: 'password1' };
    await expect(app.updatePassword(bob, change)).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

describe('a sign-in', () => {
  it.each([
    ['IPv4', ['192.0.2.1', '192.0.77.5', '198.51.100.1']],
    ['IPv4 on a socket of IPv6', ['::ffff:192.0.2.1', '::ffff:192.0.77.5', '::ffff:198.51.100.1']],
    ['both', ['192.0.2.1', '::ffff:192.0.77.5', '198.51.100.1']],
    ['IPv6', ['2001:db8:1::1', '2001:db8:2::5', '2001:db9::1']],
  ] as const)(
    'from a new device sends a mail, but not on the first day of an account or from the same device (%s)',
    async (_, [first, near, far]) => {
      const { app, ports, subjects } = await world();
      const from = (ip: string, userAgent: string) =>
        app
          .requestedBy({ action: 'newSession', ip, requestId: null, userAgent })
          .newSession(anonymous, { email, password: PASSWORD });
      const noticesCount = async () =>
        (await subjects()).filter((subject) => subject === 'A sign-in from a new device').length;
      await from(first, 'Browser/100.1');
      expect(await noticesCount()).toBe(0);
      ports.clock.advance(2 * DAY);
      await from(near, 'Browser/101.0');
      expect(await noticesCount()).toBe(0);
      await from(far, 'Browser/101.0');
      expect(await noticesCount()).toBe(1);
      await from(far, 'Other/1');
      expect(await noticesCount()).toBe(2);
      await from(far, 'Other/2');
      expect(await noticesCount()).toBe(2);
    },
  );
});

describe('a new lasting token', () => {
  it('that can move money sends a mail, others and sessions do not', async () => {
    const { app, ada, subjects } = await world();
    const noticesCount = async () =>
      (await subjects()).filter((subject) => subject === 'A new api token').length;
    const { token } = await app.newSession(anonymous, { email, password: PASSWORD });
    const signIn = await app.authenticate(token);
    await app.newToken(signIn, { name: 'x', type: 'session', scope: ['*'] });
    await app.newToken(ada, { name: 'x', scope: ['getOrders', 'newOrder'] });
    expect(await noticesCount()).toBe(0);
    await app.newToken(ada, { name: 'x', scope: ['*'] });
    await app.newToken(signIn, { name: 'x', scope: ['newWithdrawal'] });
    expect(await noticesCount()).toBe(2);
  });

  it('with a mail can be made a hundred times a day, so that making and deleting cannot fill a mailbox', async () => {
    const { app, ports, ada } = await world();
    const make = async (scope: string) => {
      const { token } = await app.newToken(ada, { name: 'x', scope: [scope] });
      await app.deleteToken(ada, { tokenId: token.id });
    };
    for (let count = 0; count < 100; count += 1) await make('startBot');
    await expect(make('startBot')).rejects.toMatchObject({ name: 'TriedTooOften' });
    await make('getOrders');
    ports.clock.advance(DAY);
    await make('startBot');
  });
});
