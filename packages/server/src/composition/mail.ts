import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { folderMailer, smtpMailer } from '@slipstream/adapter-mail';
import type { Log, Mailer } from '@slipstream/ports';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { ServerSettings } from '../settings/settings.js';

/** The server's address from outside; links in mails start with it. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: ServerSettings): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL;
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

const senderOf = (settings: ServerSettings): string =>
  settings.MAIL_FROM ?? `Slipstream <no-reply@${new URL(publicUrl(settings)).hostname}>`;

/** The folder of mails: beside the database, or among the host's temporary files, where each user has one that is closed to others. */
export const outboxFolder = ({ DATABASE_URL: url }: ServerSettings): string =>
  url.kind === 'sqlite'
    ? join(dirname(url.file), 'outbox')
    : join(tmpdir(), `slipstream-outbox-${process.geteuid?.() ?? 0}`);

/** Sends mails through the server of SMTP_URL, or writes them into a folder without it. */
export const mail = (
  mailer: ServiceIdentifier<Mailer>,
  log: ServiceIdentifier<Log>,
  settings: ServerSettings,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { SMTP_URL: url } = settings;
    if (url === undefined) {
      bind(mailer).toResolvedValue(
        (tell: Log) => {
          const folder = outboxFolder(settings);
          tell.info({ folder }, 'no SMTP_URL: mails are written into a folder');
          return folderMailer(folder, senderOf(settings));
        },
        [log],
      );
    } else {
      bind(mailer)
        .toResolvedValue(() => smtpMailer(url, senderOf(settings)))
        .onDeactivation((kept) => (kept as ReturnType<typeof smtpMailer>).close());
    }
  });
