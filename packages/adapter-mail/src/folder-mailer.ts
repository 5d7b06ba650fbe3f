import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail, Mailer } from '@slipstream/ports';
import { createTransport } from 'nodemailer';
import { messageOf } from './message.js';

/** Writes each mail as `<id>.eml` into `folder`, for a person to open with a mail program or any editor. */
export function folderMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, from));
      const file = join(folder, `${mail.id.replace(/[^\w-]/g, '_')}.eml`);
      // Mails hold one-time codes: for the owner of the folder alone.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.part`, legible((message as Buffer).toString(), mail), {
        mode: 0o600,
      });
      await rename(`${file}.part`, file);
    },
  };
}

/** The same message with its text unencoded, so that a link is one line that can be copied. */
function legible(message: string, { text }: Mail): string {
  const headers = message.slice(0, message.indexOf('\n\n'));
  const unencoded = headers.replace(/^(Content-Transfer-Encoding): .*$/im, '$1: 8bit');
  return `${unencoded}\n\n${text}\n`;
}
