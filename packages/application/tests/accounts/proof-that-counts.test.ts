import { describe, expect, it } from '@jest/globals';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { PASSWORD, codeIn } from '../accounts.js';
import type { App } from '../app.js';
import { DETAILS } from '../billing/billing-world.js';
import { fixture } from '../fixture.js';

const anonymous: Caller = { kind: 'anonymous' };
const email = 'ada@example.com';

/** A user, and what happens just after a password was found right. */
async function world() {
  const { passwords } = memoryPorts();
  const after = { right: async (): Promise<void> => undefined };
  const made = await fixture({
    passwords: {
      ...passwords,
      verify: async (hash, password) => {
        const isRight = await passwords.verify(hash, password);
        const { right } = after;
        after.right = async () => undefined;
        if (isRight) await right();
        return isRight;
      },
    },
  });
  const { app, ports } = made;
  const ada = await made.user('ada');
  const mails = async (to: string) => {
    await app.sendMails();
    return ports.mailer.sent.filter((mail) => mail.to === to);
  };
  const reset = async () => {
    await app.newPasswordReset(anonymous, { email });
    const sent = await mails(email);
    const resetCode = codeIn(sent.find(({ subject }) => subject.includes('new password')));
    await app.updatePassword(anonymous, { resetCode, newPassword: 'the owner’s own' });
  };
  return { ...made, ada, after, mails, reset };
}

const password = PASSWORD;

/** Everything that asks for the password of the account beside a token. */
const PROVEN: readonly (readonly [name: string, (app: App, by: Caller) => Promise<unknown>])[] = [
  ['updateEmail', (app, by) => app.updateEmail(by, { email: 'eve@example.com', password })],
  ['updatePassword', (app, by) => app.updatePassword(by, { password, newPassword: 'of a thief' })],
  ['newTotp', (app, by) => app.newTotp(by, { password })],
  ['deleteTotp', (app, by) => app.deleteTotp(by, { password })],
  ['deleteUser', (app, by) => app.deleteUser(by, { password })],
  ['newWithdrawal', (app, by) => app.newWithdrawal(by, { amount: decimal('1'), password })],
  [
    'newPaymentSource',
    (app, by) =>
      app.newPaymentSource(by, {
        token: 'test_bank',
        direction: 'out',
        details: DETAILS,
        password,
      }),
  ],
];

describe('a password that was right until a mailed code set another one', () => {
  it.each(PROVEN)('proves nothing any more: %s', async (_, request) => {
    const { app, ada, after, reset } = await world();
    after.right = reset;
    await expect(request(app, ada)).rejects.toMatchObject({
      code: 'invalid_field',
      message: 'password is not the current one',
    });
  });

  it('sends no link that would take the account from its owner again', async () => {
    const { app, ada, after, mails, reset } = await world();
    after.right = reset;
    await app.updateEmail(ada, { email: 'eve@example.com', password }).catch(() => undefined);
    expect(await mails('eve@example.com')).toEqual([]);
    const session = { email, password: 'the owner’s own' };
    await expect(app.newSession(anonymous, session)).resolves.toBeDefined();
  });
});
