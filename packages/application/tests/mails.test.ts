import { describe, expect, it } from '@jest/globals';
import { MAX_MAIL_ATTEMPTS } from '@slipstream/domain';
import type { Mail, Mailer } from '@slipstream/ports';
import { fixture } from './fixture.js';

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

describe('mails that are to go out', () => {
  it('are tried again later and later, as the same mail, over a restart', async () => {
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

  it('are given up in the end', async () => {
    const { app, ports, mailer } = await world();
    for (let attempt = 0; attempt < MAX_MAIL_ATTEMPTS + 5; attempt += 1) {
      await app.sendMails();
      ports.clock.advance(86_400_000);
    }
    expect(mailer.asked).toHaveLength(MAX_MAIL_ATTEMPTS);
  });

  it('are told of in the log without the address', async () => {
    const { app, warned } = await world();
    await app.sendMails();
    expect(JSON.stringify(warned)).toContain('not now');
    expect(JSON.stringify(warned)).not.toContain('ada@example.com');
  });
});
