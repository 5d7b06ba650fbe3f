import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { mailerContract } from '@slipstream/port-contracts';
import type { Mail } from '@slipstream/ports';
import { SMTPServer } from 'smtp-server';
import { folderMailer, smtpMailer } from '../src/index.js';
import { asksToEncrypt } from '../src/smtp-mailer.js';

const FROM = 'Slipstream <no-reply@example.com>';

const aMail = (changes: Partial<Mail> = {}): Mail => ({
  id: id('0190-mail'),
  to: 'ada@example.com',
  subject: 'Grüße 🚀',
  text: 'Zoë\n\nhttp://127.0.0.1:3000/confirm#code=abc=\n.\nend',
  ...changes,
});

/** The body as its reader sees it. */
function bodyOf(message: string): string {
  const [, body = ''] = message.replaceAll('\r\n', '\n').split(/\n\n([^]*)/);
  const encoding = /^Content-Transfer-Encoding: (.*)$/im.exec(message)?.[1]?.trim();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

interface Received {
  readonly to: string[];
  readonly from: string;
  readonly message: string;
}

/** A mail server that keeps what it got. */
async function aMailServer() {
  const received: Received[] = [];
  let no = { code: 0, to: 'the mail' };
  let heard = '';
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      if (no.code > 0 && no.to === 'the recipient')
        done(Object.assign(new Error('no such user'), { responseCode: no.code }));
      else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (no.code > 0 && no.to === 'the mail')
          return done(Object.assign(new Error('not now'), { responseCode: no.code }));
        const { rcptTo, mailFrom } = session.envelope;
        received.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom ? mailFrom.address : '',
          message: Buffer.concat(chunks).toString(),
        });
        return done();
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) =>
    socket.on('data', (bytes) => (heard += bytes.toString())),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    heard: () => heard,
    refuse: (code = 451, to = 'the mail') => {
      no = { code, to };
    },
    close: async () => {
      if (!server.server.listening) return;
      server.close();
      await once(server.server, 'close');
    },
  };
}

const toEnd: (() => unknown)[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-mail-'));
  toEnd.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
afterEach(async () => {
  for (const end of toEnd.splice(0)) await end();
});

mailerContract('SMTP', async () => {
  const server = await aMailServer();
  const mailer = smtpMailer(server.url, FROM);
  toEnd.push(() => mailer.close(), server.close);
  return {
    mailer,
    arrived: async () => server.received.map(({ to: [to = ''], message }) => ({ to, message })),
    refuse: async () => server.refuse(),
  };
});

mailerContract('folder', async () => {
  const folder = join(newFolder(), 'outbox');
  const messages = () =>
    statSync(folder).isFile()
      ? []
      : readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return {
    mailer: folderMailer(folder, FROM),
    arrived: async () =>
      messages().map((message) => ({ to: /^To: (.*)$/m.exec(message)?.[1] ?? '', message })),
    // There is something else where the folder should be.
    refuse: async () => writeFileSync(folder, ''),
  };
});

describe('the SMTP mailer', () => {
  let server: Awaited<ReturnType<typeof aMailServer>>;
  let url: string;
  let received: readonly Received[];

  beforeEach(async () => {
    server = await aMailServer();
    toEnd.push(server.close);
    ({ url, received } = server);
  });

  it('sends the mail with its id as the Message-ID', async () => {
    const mailer = smtpMailer(url, FROM);
    await mailer.send(aMail());
    mailer.close();
    const [mail] = received;
    expect(mail).toMatchObject({ to: ['ada@example.com'], from: 'no-reply@example.com' });
    expect(mail?.message).toContain('Message-ID: <0190-mail@example.com>');
    expect(mail?.message).toContain('From: Slipstream <no-reply@example.com>');
    expect(mail?.message).toContain('Auto-Submitted: auto-generated');
    expect(bodyOf(mail?.message ?? '').trimEnd()).toBe(aMail().text);
  });

  it('throws when the server does not accept it', async () => {
    server.refuse();
    const mailer = smtpMailer(url, FROM);
    await expect(mailer.send(aMail())).rejects.toThrow(/not now/);
    mailer.close();
  });

  it.each([
    ['the recipient', 550, 'MailRefused'],
    ['the recipient', 450, 'Error'],
    ['the mail', 554, 'MailRefused'],
    ['the mail', 451, 'Error'],
  ])(
    'distinguishes a permanent refusal from a temporary one: to %s %d is a %s',
    async (what, code, name) => {
      server.refuse(code, what);
      const mailer = smtpMailer(url, FROM);
      const send = mailer.send(aMail());
      await expect(send).rejects.toMatchObject({
        name,
        message: expect.stringContaining(String(code)),
      });
      mailer.close();
    },
  );

  it('sends its password only to a server that encrypts', async () => {
    const strict = url.replace('smtp://', 'smtp://ada:hunter2@') + '?requireTLS=true';
    const mailer = smtpMailer(strict, FROM);
    await expect(mailer.send(aMail())).rejects.toThrow();
    mailer.close();
    expect(server.heard()).toContain('STARTTLS');
    expect(server.heard()).not.toMatch(/AUTH|hunter2|MAIL FROM/i);
    expect(server.heard()).not.toContain(Buffer.from('\0ada\0hunter2').toString('base64'));
  });

  it.each([
    ['smtp://mail.example.com', true],
    ['smtp://ada:pw@192.0.2.1:587', true],
    ['smtp://localhost.example.com', true],
    ['smtp://127.example.com', true],
    ['smtp://[2001:db8::1]', true],
    ['smtp://mail.example.com?requireTLS=false', false],
    ['smtp://localhost:2525', false],
    ['smtp://127.0.0.2', false],
    ['smtp://[::1]:25', false],
  ])('requires %s to encrypt: %s', (address, asks) => {
    expect(asksToEncrypt(address)).toBe(asks);
  });

  it('throws when there is no server', async () => {
    await server.close();
    await expect(smtpMailer(url, FROM).send(aMail())).rejects.toThrow();
  });

  it.each([
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    '"eve@example.com" <ada@example.com>',
  ])('sends to one address only: %j', async (to) => {
    const mailer = smtpMailer(url, FROM);
    await mailer.send(aMail({ to })).catch(() => undefined);
    mailer.close();
    for (const mail of received) {
      expect(mail.to).toHaveLength(1);
      expect(mail.to).not.toContain('eve@example.com');
      expect(mail.message).not.toMatch(/^Bcc:/im);
    }
  });

  it('lets no subject add a header', async () => {
    const mailer = smtpMailer(url, FROM);
    await mailer.send(aMail({ subject: 'Hello\r\nBcc: eve@example.com' }));
    mailer.close();
    expect(received[0]?.to).toEqual(['ada@example.com']);
    expect(received[0]?.message).not.toMatch(/^Bcc:/im);
  });
});

describe('the folder mailer', () => {
  let root: string;
  beforeEach(() => {
    root = newFolder();
  });

  it('writes a file for mail programs, readable only by its owner', async () => {
    const folder = join(root, 'data', 'outbox');
    await folderMailer(folder, FROM).send(aMail());
    expect(readdirSync(folder)).toEqual(['0190-mail.eml']);
    const file = join(folder, '0190-mail.eml');
    const message = readFileSync(file, 'utf8');
    expect(message).toContain('To: ada@example.com');
    expect(message).toContain('Message-ID: <0190-mail@example.com>');
    expect(message).toContain('Content-Transfer-Encoding: 8bit');
    expect(message.endsWith(`\n\n${aMail().text}\n`)).toBe(true);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('keeps one file of a mail that is sent twice', async () => {
    const mailer = folderMailer(root, FROM);
    await mailer.send(aMail());
    await mailer.send(aMail());
    expect(readdirSync(root)).toHaveLength(1);
  });

  it('writes nowhere else, whatever the id', async () => {
    await folderMailer(join(root, 'outbox'), FROM).send(aMail({ id: id('../../evil') }));
    expect(readdirSync(root)).toEqual(['outbox']);
    expect(readdirSync(join(root, 'outbox'))).toEqual(['______evil.eml']);
  });
});
