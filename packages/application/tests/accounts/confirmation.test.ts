import { describe, expect, it } from '@jest/globals';
import { type Caller, DEFAULT_SETTINGS, type Operations, TriedTooOften } from '../../src/index.js';
import { type App, createApp } from '../app.js';
import { operationTable } from '../../src/operations.js';
import type { Services } from '../../src/services.js';
import { PASSWORD, codeIn, userOf } from '../accounts.js';
import { fixture } from '../fixture.js';
import { MINUTE, DAY } from '@slipstream/domain';

const anonymous: Caller = { kind: 'anonymous' };
const email = 'ada@example.com';
const NOBODY = { code: 'unauthenticated' };
const NOT_CONFIRMED = { code: 'not_confirmed' };

/** A server that asks for confirmed addresses, or one that does not. */
async function world(confirmEmail: 'required' | 'off' = 'required') {
  const made = await fixture({}, { ...DEFAULT_SETTINGS, confirmEmail });
  const { app, ports } = made;
  const mailsTo = async (to: string) => {
    await app.sendMails();
    return ports.mailer.sent.filter((mail) => mail.to === to);
  };
  const lastCode = async (to = email) => codeIn((await mailsTo(to)).at(-1));
  const confirm = (code: string, caller = anonymous) => app.confirmEmail(caller, { code });
  const token = async (by: Caller, scope = ['*']) => {
    const { text } = await app.newToken(by, { name: 'x', scope });
    return { text, caller: await app.authenticate(text) };
  };
  const signIn = async (password = PASSWORD) =>
    app.authenticate((await app.newSession(anonymous, { email, password })).token);
  const ada = await made.user('ada');
  return { ...made, ada, mailsTo, lastCode, confirm, token, signIn };
}

describe("an account that somebody else made with one's address", () => {
  it.each(['required', 'off'] as const)(
    'goes to the owner of the address with a mailed code, without anything of the other person (%s)',
    async (setting) => {
      const { app, ada, token, signIn, lastCode } = await world(setting);
      const session = await signIn();
      const { text } = await token(ada, ['newToken', 'getUserInfo']);
      await app.updateEmail(ada, { email: 'eve@example.com', password: PASSWORD });
      const theirs = await lastCode('eve@example.com');
      await app.newPasswordReset(anonymous, { email });
      const resetCode = await lastCode();
      await app.updatePassword(anonymous, { resetCode, newPassword: 'the owner’s own' });
      await expect(app.authenticate(text)).rejects.toMatchObject(NOBODY);
      for (const caller of [session, ada]) {
        await expect(app.newToken(caller, { name: 'x', scope: ['*'] })).rejects.toMatchObject(
          NOBODY,
        );
      }
      await expect(signIn()).rejects.toMatchObject(NOBODY);
      await expect(app.confirmEmail(anonymous, { code: theirs })).rejects.toMatchObject({
        code: 'invalid_field',
      });
      const owner = await signIn('the owner’s own');
      expect(await app.getTokens(owner)).toHaveLength(1);
      expect(await app.getUserInfo(ada)).toMatchObject({ email, verified: true });
    },
  );

  it('loses its tokens when the owner opens the link', async () => {
    const { app, ada, token, lastCode, confirm } = await world();
    const { text } = await token(ada);
    await confirm(await lastCode());
    await expect(app.authenticate(text)).rejects.toMatchObject(NOBODY);
  });

  it.each([
    ['loses its second factor when the link is opened elsewhere', false],
    ['keeps its second factor when its own session opens the link', true],
  ])('%s', async (_, isOwn) => {
    const { app, ada, ports, lastCode, confirm, signIn } = await world();
    const { secret } = await app.newTotp(ada, { password: PASSWORD });
    await app.confirmTotp(ada, { totp: `${secret}:${Math.floor(ports.clock.now() / 30_000)}` });
    await confirm(await lastCode(), isOwn ? ada : anonymous);
    const signedIn = expect(signIn());
    await (isOwn
      ? signedIn.rejects.toMatchObject({ code: 'totp_required' })
      : signedIn.resolves.toBeDefined());
  });
});

describe('the confirmation of an address', () => {
  it('keeps the calling session and its sign-in, and ends the others', async () => {
    const { app, signIn, lastCode, confirm } = await world();
    const [mine, other] = [await signIn(), await signIn()];
    const { text } = await app.newToken(mine, { name: 'x', type: 'session', scope: ['*'] });
    const session = await app.authenticate(text);
    await confirm(await lastCode(), session);
    expect(await app.getTokens(session)).toHaveLength(2);
    await expect(app.newToken(other, { name: 'x', scope: ['*'] })).rejects.toMatchObject(NOBODY);
    expect(await app.getUserInfo(session)).toMatchObject({ verified: true });
  });

  it('ends nothing the second time, because mail programs open links before their reader', async () => {
    const { app, lastCode, confirm, signIn, token } = await world();
    const code = await lastCode();
    await confirm(code);
    const { text } = await token(await signIn());
    await confirm(code);
    await expect(app.authenticate(text)).resolves.toBeDefined();
  });

  it('can be requested again, once a minute, until it is done', async () => {
    const { app, ada, ports, lastCode, confirm } = await world();
    const first = await lastCode();
    await expect(app.newEmailConfirmation(ada)).rejects.toMatchObject({ code: 'too_many' });
    ports.clock.advance(8 * DAY);
    await expect(confirm(first)).rejects.toMatchObject({ code: 'invalid_field' });
    await app.newEmailConfirmation(ada);
    await confirm(await lastCode(), ada);
    await expect(app.newEmailConfirmation(ada)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('before the confirmation', () => {
  /** Contract 16: what touches money, publishes, mails or trades by a bot. */
  const NEEDING: readonly string[] = [
    'updateUserInfo',
    'newPost',
    'newLike',
    'newStrategy',
    'updateStrategy',
    'newClaimedHistory',
    'newPaymentSource',
    'retryInvoice',
    'newWithdrawal',
    'newBot',
    'updateBot',
    'previewBot',
    'startBot',
    'newConnection',
    'finishConnection',
    'newEndpoint',
    'updateEndpoint',
    'retryDelivery',
  ];
  const operations = Object.keys(operationTable({} as Services)) as (keyof Operations)[];

  it('no other operation is refused for that', async () => {
    const { app, ada } = await world();
    const refused: string[] = [];
    for (const name of operations) {
      const call = app[name] as unknown as (...given: unknown[]) => Promise<unknown>;
      const failure: unknown = await Promise.resolve()
        .then(() => call(ada, {}))
        .catch((error: unknown) => error);
      if ((failure as { readonly code?: unknown } | undefined)?.code === NOT_CONFIRMED.code)
        refused.push(name);
    }
    expect(refused.sort()).toEqual([...NEEDING].sort());
  });

  it.each(NEEDING)('%s is refused with not_confirmed, and works afterwards', async (name) => {
    const { app, ada, lastCode, confirm } = await world();
    const call = app[name as keyof Operations] as unknown as (
      ...given: unknown[]
    ) => Promise<unknown>;
    const tried = () => call(ada, {}).catch((error: unknown) => error);
    expect(await tried()).toMatchObject(NOT_CONFIRMED);
    await confirm(await lastCode(), ada);
    expect(await tried()).not.toMatchObject(NOT_CONFIRMED);
  });

  it.each(operations)('%s is never refused if the setting is off', async (name) => {
    const { app, ada } = await world('off');
    const call = app[name] as unknown as (...given: unknown[]) => Promise<unknown>;
    const tried = await Promise.resolve()
      .then(() => call(ada, {}))
      .then(
        () => ({}),
        (error: unknown) => error,
      );
    expect(tried).not.toMatchObject(NOT_CONFIRMED);
  });

  it('free strategies can be followed without a mail to their owner, and paid ones not', async () => {
    const { app, ada, user, strategy, lastCode, confirm, mailsTo } = await world();
    const owner = await user('owner');
    await confirm(await lastCode('owner@example.com'), owner);
    await app.updateUserNotifications(owner, { notifications: ['subscription_email'] });
    const [free, paid] = [await strategy(owner), await strategy(owner)];
    await app.updateStrategy(owner, { strategyId: paid, price: 15 });
    const before = (await mailsTo('owner@example.com')).length;
    await app.newStrategySubscription(ada, { strategyId: free });
    expect(await mailsTo('owner@example.com')).toHaveLength(before);
    await expect(
      app.newStrategySubscription(ada, { strategyId: paid, price: 15 }),
    ).rejects.toMatchObject(NOT_CONFIRMED);
  });

  it('an account of the command line, which has no password, may do everything', async () => {
    const { app } = await world();
    const made = { email: 'robot', name: 'x', scope: ['*'], createUser: true };
    const robot = await app.authenticate((await app.issueToken(made)).text);
    await expect(app.newStrategy(robot, { type: 'stock', name: 'Mine' })).resolves.toBeDefined();
  });
});

describe('an account that is not confirmed within seven days', () => {
  const isThere = async (app: App, userId: string) =>
    (await app.getUsers(anonymous, { userIds: [userId] })).length === 1;

  it('ends, and its address is free again', async () => {
    const { app, ada, ports, user } = await world();
    ports.clock.advance(7 * DAY - 1);
    await app.tick();
    expect(await isThere(app, userOf(ada))).toBe(true);
    ports.clock.advance(60 * MINUTE);
    await app.tick();
    expect(await isThere(app, userOf(ada))).toBe(false);
    await expect(app.getUserInfo(ada)).rejects.toMatchObject(NOBODY);
    await expect(user('ada')).resolves.toBeDefined();
  });

  it('stays when it follows a strategy, or was confirmed', async () => {
    const { app, ada, ports, user, strategy, lastCode, confirm } = await world();
    const owner = await user('owner');
    await confirm(await lastCode('owner@example.com'), owner);
    await app.newStrategySubscription(ada, { strategyId: await strategy(owner) });
    ports.clock.advance(8 * DAY);
    await app.tick();
    expect(await isThere(app, userOf(ada))).toBe(true);
    expect(await isThere(app, userOf(owner))).toBe(true);
  });

  it('from before the setting is asked to confirm, and does not end', async () => {
    const { app, ada, ports, mailsTo } = await world('off');
    ports.clock.advance(8 * DAY);
    await app.tick();
    const again = createApp(ports, { ...DEFAULT_SETTINGS, confirmEmail: 'required' });
    await again.start();
    ports.clock.advance(8 * DAY);
    await again.tick();
    expect(await isThere(again, userOf(ada))).toBe(true);
    await expect(again.newPost(ada, { text: 'hello' })).rejects.toMatchObject(NOT_CONFIRMED);
    const before = (await mailsTo(email)).length;
    for (let times = 0; times < 2; times++)
      await again.newSession(anonymous, { email, password: PASSWORD });
    expect(await mailsTo(email)).toHaveLength(before + 1);
  });
});

describe('another address', () => {
  const next = 'ada@new.example';
  const change = { email: next, password: PASSWORD };

  it('becomes the user’s after its link was opened; both addresses get a mail', async () => {
    const { app, ada, lastCode, confirm, mailsTo } = await world();
    await confirm(await lastCode(), ada);
    const before = (await mailsTo(email)).length;
    await app.updateEmail(ada, change);
    const code = await lastCode(next);
    expect((await app.getUserInfo(ada)).email).toBe(email);
    expect(await mailsTo(email)).toHaveLength(before + 1);
    await confirm(code);
    await confirm(code);
    expect(await app.getUserInfo(ada)).toMatchObject({ email: next, verified: true });
    expect((await mailsTo(email)).at(-1)?.subject).toBe('Your e-mail address was changed');
    expect((await mailsTo(next)).at(-1)?.subject).toBe('Your e-mail address was changed');
  });

  it('invalidates what was mailed to the former one: a code for a new password, and the first link', async () => {
    const { app, ada, lastCode, confirm } = await world();
    const first = await lastCode();
    await app.newPasswordReset(anonymous, { email });
    const resetCode = await lastCode();
    await app.updateEmail(ada, change);
    await confirm(await lastCode(next), ada);
    await expect(
      app.updatePassword(anonymous, { resetCode, newPassword: 'of another owner' }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(confirm(first)).rejects.toMatchObject({ code: 'invalid_field' });
  });

  it('needs the password, and must be unused', async () => {
    const { app, ada, user } = await world();
    await user('eve');
    const asked = (changed: object) => app.updateEmail(ada, { ...change, ...changed });
    await expect(asked({ password: 'wrong' })).rejects.toMatchObject({ code: 'invalid_field' });
    for (const taken of [email, 'EVE@example.com'])
      await expect(asked({ email: taken })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('gets one link a minute, however many accounts ask for it: its mailbox is none of theirs', async () => {
    const { app, ada, user, mailsTo, ports } = await world();
    const eve = await user('eve');
    await app.updateEmail(ada, change);
    await expect(app.updateEmail(eve, change)).rejects.toThrow(TriedTooOften);
    await app.updateEmail(eve, { ...change, email: 'eve@new.example' });
    expect(await mailsTo(next)).toHaveLength(1);
    ports.clock.advance(MINUTE);
    await app.updateEmail(eve, change);
    expect(await mailsTo(next)).toHaveLength(2);
  });

  it('that is taken meanwhile is refused when its link is opened', async () => {
    const { app, ada, lastCode, confirm } = await world();
    await app.updateEmail(ada, change);
    const code = await lastCode(next);
    await app.newUser(anonymous, change);
    await expect(confirm(code)).rejects.toMatchObject({ code: 'conflict' });
    expect((await app.getUserInfo(ada)).email).toBe(email);
  });

  it('is cancelled by a new password', async () => {
    const { app, ada, lastCode, confirm } = await world();
    await app.updateEmail(ada, change);
    const code = await lastCode(next);
    await app.updatePassword(ada, { password: PASSWORD, newPassword: 'another password' });
    await expect(confirm(code)).rejects.toMatchObject({ code: 'invalid_field' });
  });

  it('that is the first to be confirmed ends earlier sessions and tokens, as any first one', async () => {
    const { app, ada, token, lastCode, confirm } = await world();
    const { text } = await token(ada);
    await app.updateEmail(ada, change);
    await confirm(await lastCode(next));
    await expect(app.authenticate(text)).rejects.toMatchObject(NOBODY);
  });
});
