import { describe, expect, it } from '@jest/globals';
import { DAY, MAX_MAIL_ATTEMPTS, type UserId } from '@slipstream/domain';
import { type Mail, MailRefused, type Mailer } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { PASSWORD, userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

const anonymous: Caller = { kind: 'anonymous' };

/** A mailer that takes nothing until it is told to. */
function unwilling(): Mailer & { willing: boolean; readonly asked: Mail[] } {
  const asked: Mail[] = [];
  return {
    willing: false,
    asked,
    async send(mail) {
      asked.push(mail);
      if (!this.willing) throw new Error(`550 <${mail.to}> not now`);
    },
  };
}

async function world() {
  const mailer = unwilling();
  const warned: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: (fields: unknown) => void warned.push(fields),
    error: () => undefined,
  };
  const made = await fixture({ mailer: mailer as never, log });
  await made.user('ada');
  return { ...made, mailer, warned };
}

describe('outgoing mails', () => {
  it('are retried at growing intervals, as the same mail, also after a restart', async () => {
    const { app, ports, mailer, restart } = await world();
    await app.sendMails();
    await app.sendMails();
    expect(mailer.asked).toHaveLength(1);
    ports.clock.advance(30_000);
    await app.sendMails();
    ports.clock.advance(59_999);
    const again = await restart();
    await again.sendMails();
    expect(mailer.asked).toHaveLength(2);
    ports.clock.advance(1);
    mailer.willing = true;
    await again.sendMails();
    ports.clock.advance(86_400_000);
    await again.sendMails();
    expect(mailer.asked).toHaveLength(3);
    expect(new Set(mailer.asked.map(({ id }) => id)).size).toBe(1);
  });

  it('that could not be sent while the clock was ahead are sent when it is back', async () => {
    const { app, ports, mailer } = await world();
    await app.sendMails();
    ports.clock.advance(366 * DAY);
    await app.sendMails();
    ports.clock.advance(-366 * DAY);
    mailer.willing = true;
    await app.sendMails();
    await app.sendMails();
    expect(mailer.asked).toHaveLength(3);
    expect(new Set(mailer.asked.map(({ id }) => id)).size).toBe(1);
  });

  it('are given up in the end', async () => {
    const { app, ports, mailer } = await world();
    for (let attempt = 0; attempt < MAX_MAIL_ATTEMPTS + 5; attempt += 1) {
      await app.sendMails();
      ports.clock.advance(86_400_000);
    }
    expect(mailer.asked).toHaveLength(MAX_MAIL_ATTEMPTS);
  });

  it('are not retried after a permanent refusal of the mail server, of which the user is notified', async () => {
    const made = await fixture({
      mailer: {
        send: ({ to }: Mail) =>
          Promise.reject(new MailRefused(`550 5.1.1 <${to}> <b>no such user</b>`)),
      } as never,
    });
    const { app, ports } = made;
    const ada = await made.user('ada');
    await app.sendMails();
    const [failed] = await ports.unitOfWork.read(({ mails }) => mails.listOf(userOf(ada)));
    expect(failed).toMatchObject({ attempts: 1, failure: expect.stringContaining('550 5.1.1') });
    expect(failed?.failure).not.toContain('ada@');
    const [notice] = await app.getNotifications(ada, {});
    expect(notice).toMatchObject({ type: 'account' });
    expect(notice?.text).toContain('(550 5.1.1)');
    expect(notice?.text).toContain('updateEmail');
    expect(notice?.text).not.toContain('no such user');
    ports.clock.advance(86_400_000);
    await app.sendMails();
    expect(await app.getNotifications(ada, {})).toHaveLength(1);
    ports.clock.advance(30 * 86_400_000);
    await app.sendMails();
    expect(await ports.unitOfWork.read(({ mails }) => mails.listOf(userOf(ada)))).toEqual([]);
  });

  it('that failed are kept while the clock is in doubt, and keep no others waiting', async () => {
    let isWilling = false;
    const { app, ports, user } = await fixture({
      mailer: {
        send: async ({ to }: Mail) => {
          if (!isWilling) throw new MailRefused(`550 5.1.1 <${to}> no such user`);
        },
      } as never,
    });
    const users: UserId[] = [];
    for (let count = 0; count < 6; count += 1) {
      users.push(userOf(await user(`user${count}`)));
      await app.sendMails();
    }
    const kept = () =>
      ports.unitOfWork.read(async ({ mails }) =>
        (await Promise.all(users.map((userId) => mails.listOf(userId)))).flat(),
      );
    expect(await kept()).toHaveLength(6);
    isWilling = true;
    await user('ben');
    ports.clock.advance(31 * DAY);
    ports.clock.doubt(true);
    await app.sendMails();
    await app.sendMails();
    expect(await kept()).toHaveLength(6);
    const [waiting] = await ports.unitOfWork.read(({ mails }) => mails.due(ports.clock.now(), 10));
    expect(waiting?.failure).not.toBeNull();
    ports.clock.doubt(false);
    await app.sendMails();
    await app.sendMails();
    expect(await kept()).toEqual([]);
  });

  it('are sent by urgency: a code for a new password before a thousand sign-ups', async () => {
    const { app, ports, user } = await fixture();
    await user('ada');
    await app.sendMails();
    const sent = ports.mailer.sent.length;
    for (let at = 0; at < 1_000; at += 1)
      await app.newUser(anonymous, { email: `u${at}@example.com`, password: PASSWORD });
    ports.clock.advance(60_000);
    await app.newPasswordReset(anonymous, { email: 'ada@example.com' });
    await app.sendMails();
    const subjects = ports.mailer.sent.slice(sent).map(({ subject }) => subject);
    expect(subjects).toContain('A new password for your account');
    expect(subjects).toHaveLength(5);
  });

  it('are limited per address for strangers, and unlimited for the operator', async () => {
    const { app, ports } = await fixture();
    const from = (network: string) =>
      app.requestedBy({ action: 'newUser', ip: network, network, requestId: null });
    let made = 0;
    const signUp = (address: string, caller: Caller = anonymous) =>
      from(address).newUser(caller, { email: `u${(made += 1)}@example.com`, password: PASSWORD });
    const reset = (address: string) =>
      from(address).newPasswordReset(anonymous, { email: `u${(made += 1)}@example.com` });
    for (const ask of [signUp, reset]) {
      const tries = await Promise.allSettled(Array.from({ length: 100 }, () => ask('192.0.2.1')));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
      await expect(ask('192.0.2.1')).rejects.toMatchObject({ name: 'TriedTooOften', seconds: 60 });
      await expect(ask('192.0.2.2')).resolves.not.toThrow();
    }
    await expect(signUp('192.0.2.1', { kind: 'operator' })).resolves.toBeDefined();
    ports.clock.advance(60_000);
    await expect(signUp('192.0.2.1')).resolves.toBeDefined();
  });

  it('are logged without the address', async () => {
    const { app, warned } = await world();
    await app.sendMails();
    expect(JSON.stringify(warned)).toContain('not now');
    expect(JSON.stringify(warned)).not.toContain('ada@example.com');
  });
});
