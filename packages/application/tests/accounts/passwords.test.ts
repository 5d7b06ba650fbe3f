import { describe, expect, it } from '@jest/globals';
import { type Caller, DEFAULT_SETTINGS } from '../../src/index.js';
import { PASSWORD, codeIn } from '../accounts.js';
import { fixture } from '../fixture.js';
import { HOUR } from '@slipstream/domain';

const anonymous: Caller = { kind: 'anonymous' };
const email = 'ada@example.com';

async function world() {
  const made = await fixture();
  const { app, ports } = made;
  const ada = await made.user('ada');
  await app.sendMails();
  const reset = async (): Promise<string> => {
    await app.newPasswordReset(anonymous, { email: 'ADA@example.com' });
    await app.sendMails();
    return codeIn(ports.mailer.sent.at(-1));
  };
  const signIn = (password: string) => app.newSession(anonymous, { email, password });
  return { ...made, ada, reset, signIn };
}

describe('a password reset', () => {
  it('mails a code that sets a new password once, and ends every session and token', async () => {
    const { app, ada, reset, signIn } = await world();
    const code = await reset();
    await app.updatePassword(anonymous, { resetCode: code, newPassword: 'another password' });
    await expect(signIn(PASSWORD)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await app.getTokens(ada)).toEqual([]);
    await expect(signIn('another password')).resolves.toBeDefined();
    await expect(
      app.updatePassword(anonymous, { resetCode: code, newPassword: 'a third password' }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
  });

  it('mails nothing to an unknown address, with the same answer', async () => {
    const { app, ports } = await world();
    const before = ports.mailer.sent.length;
    await expect(
      app.newPasswordReset(anonymous, { email: 'nobody@example.com' }),
    ).resolves.toBeUndefined();
    await app.sendMails();
    expect(ports.mailer.sent).toHaveLength(before);
  });

  it('is valid for an hour', async () => {
    const { app, ports, reset } = await world();
    const code = await reset();
    ports.clock.advance(HOUR);
    await expect(
      app.updatePassword(anonymous, { resetCode: code, newPassword: 'another password' }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
  });

  it('replaces the code before, and mails at most once a minute', async () => {
    const { app, ports, reset } = await world();
    const first = await reset();
    const sent = ports.mailer.sent.length;
    expect(await reset()).toBe(first);
    expect(ports.mailer.sent).toHaveLength(sent);
    ports.clock.advance(60_000);
    const second = await reset();
    expect(second).not.toBe(first);
    const set = (resetCode: string) =>
      app.updatePassword(anonymous, { resetCode, newPassword: 'another password' });
    await expect(set(first)).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(set(second)).resolves.toBeUndefined();
  });

  it('is mailed again at once after a moment in which the clock was ahead', async () => {
    const { ports, reset } = await world();
    ports.clock.advance(HOUR);
    const first = await reset();
    ports.clock.advance(-HOUR);
    expect(await reset()).not.toBe(first);
  });

  it('gives a user without a password their first one', async () => {
    const { app, ports, signIn } = await world();
    const made = { email: 'robot@example.com', name: 'all', scope: ['*'], createUser: true };
    await app.issueToken(made);
    await app.newPasswordReset(anonymous, { email: made.email });
    await app.sendMails();
    const resetCode = codeIn(ports.mailer.sent.at(-1));
    await app.updatePassword(anonymous, { resetCode, newPassword: 'its first password' });
    await expect(signIn(PASSWORD)).resolves.toBeDefined();
    const session = { email: made.email, password: 'its first password' };
    await expect(app.newSession(anonymous, session)).resolves.toBeDefined();
  });

  it.each(['', 'test_code_99', 'nonsense', 'test_api_1', 'test_refresh_1'])(
    'accepts no other text as a code: %j',
    async (resetCode) => {
      const { app, reset } = await world();
      await reset();
      await expect(
        app.updatePassword(anonymous, { resetCode, newPassword: 'another password' }),
      ).rejects.toMatchObject({ code: 'invalid_field' });
    },
  );

  it('stores neither the code nor the mail in plain text', async () => {
    const { app, ports } = await world();
    await app.newPasswordReset(anonymous, { email });
    const kept = await ports.unitOfWork.read(({ mails }) => mails.due(Number.MAX_SAFE_INTEGER, 9));
    await app.sendMails();
    const code = codeIn(ports.mailer.sent.at(-1));
    expect(kept).toHaveLength(1);
    expect(kept[0]?.sealedText).toContain(JSON.stringify(`mail|${kept[0]?.id}`));
    await expect(app.authenticate(code)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('a password change', () => {
  it('needs the current password and a token', async () => {
    const { app, ada } = await world();
    const change = { password: 'wrong', newPassword: 'another password' };
    await expect(app.updatePassword(ada, change)).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(
      app.updatePassword(anonymous, { ...change, password: PASSWORD }),
    ).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('the confirmation of an address', () => {
  const DAY = 24 * HOUR;

  it('works with the link mailed at sign-up, however often it is opened', async () => {
    const made = await fixture(
      {},
      {
        ...DEFAULT_SETTINGS,
        publicUrl: 'https://slip.example',
      },
    );
    const ada = await made.user('ada');
    await made.app.sendMails();
    const [mail] = made.ports.mailer.sent;
    expect(mail?.to).toBe(email);
    expect(mail?.text).toContain('https://slip.example/confirm#code=');
    expect((await made.app.getUserInfo(ada)).verified).toBe(false);
    expect(await made.app.confirmEmail(anonymous, { code: codeIn(mail) })).toBeUndefined();
    expect(await made.app.confirmEmail(anonymous, { code: codeIn(mail) })).toBeUndefined();
    expect((await made.app.getUserInfo(ada)).verified).toBe(true);
  });

  it('is refused after seven days, and by another code', async () => {
    const { app, ports, reset, ada } = await world();
    const code = codeIn(ports.mailer.sent[0]);
    await expect(app.confirmEmail(anonymous, { code: await reset() })).rejects.toMatchObject({
      code: 'invalid_field',
    });
    await expect(app.confirmEmail(anonymous, { code: 'nonsense' })).rejects.toMatchObject({
      code: 'invalid_field',
    });
    ports.clock.advance(7 * DAY);
    await expect(app.confirmEmail(anonymous, { code: code })).rejects.toMatchObject({
      code: 'invalid_field',
    });
    expect((await app.getUserInfo(ada)).verified).toBe(false);
  });
});
