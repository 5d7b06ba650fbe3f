import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SettingError, readSettings } from '../../src/index.js';
import { outboxFolder, publicUrl } from '../../src/composition/mail.js';

const CANARY = 'canary-in-a-setting';

describe('the settings of mails', () => {
  it.each([
    ['SMTP_URL', `http://user:${CANARY}@host`],
    ['SMTP_URL', CANARY],
    ['SMTP_URL', `smtp:\\\\${CANARY} x`],
    ['MAIL_FROM', CANARY],
    ['MAIL_FROM', `A <a@example.com>\r\nBcc: ${CANARY}@example.com`],
    ['MAIL_FROM', `a@example.com, ${CANARY}@example.com`],
    ['PUBLIC_URL', `javascript:${CANARY}`],
    ['PUBLIC_URL', CANARY],
    ['PUBLIC_URL', `https://${CANARY}@slip.example`],
    ['PUBLIC_URL', `https://slip.example/?${CANARY}`],
    ['PUBLIC_URL', `https://slip.example/#${CANARY}`],
    ['PUBLIC_URL', `https://slip.example/ ${CANARY}`],
  ])('%s=%j is refused by name, without its value', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(SettingError);
    expect(read).toThrow(new RegExp(`^${name} must be like`));
    expect(read).not.toThrow(new RegExp(CANARY));
  });

  it.each([
    ['smtps://user:pass@mail.example.com', 'Slipstream <no-reply@example.com>'],
    ['smtp://127.0.0.1:25', 'no-reply@example.com'],
  ])('take %s from %s', (SMTP_URL, MAIL_FROM) => {
    expect(readSettings({ SMTP_URL, MAIL_FROM })).toMatchObject({ SMTP_URL, MAIL_FROM });
  });

  it.each([
    [{ PUBLIC_URL: 'https://slip.example/' }, 'https://slip.example'],
    [{}, 'http://127.0.0.1:3000'],
    [{ HOST: '0.0.0.0', PORT: '80' }, 'http://localhost:80'],
    [{ HOST: '::1' }, 'http://[::1]:3000'],
  ])('let links of %j begin with %s', (environment, url) => {
    expect(publicUrl(readSettings(environment as Record<string, string>))).toBe(url);
  });

  it('let each user have a folder of mails among the temporary files: another one may not write there', () => {
    const folders = [{ DATABASE_URL: 'memory:' }, { DATABASE_URL: 'postgres://localhost/mine' }]
      .map(readSettings)
      .map(outboxFolder);
    const own = join(tmpdir(), `slipstream-outbox-${process.geteuid?.() ?? 0}`);
    expect(folders).toEqual([own, own]);
    expect(outboxFolder(readSettings({}))).toBe(join('data', 'outbox'));
  });
});
