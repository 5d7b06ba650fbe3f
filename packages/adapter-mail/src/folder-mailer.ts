import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail, Mailer } from '@slipstream/ports';
import { createTransport } from 'nodemailer';
import { messageOf } from './message.js';

/** The most mails in the folder; the oldest are deleted. */
export const MAILS_KEPT = 1000;
/** The number of mails between two counts of the folder. */
const LOOK_EVERY = 100;

/** Writes each mail as `<id>.eml` into `folder`, for a person to open with a mail program or any editor. */
export function folderMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  let sent = 0;
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, from));
      const file = join(folder, `${mail.id.replace(/[^\w-]/g, '_')}.eml`);
      // Mails contain one-time codes, so only the owner of the folder may read them.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.part`, legible((message as Buffer).toString(), mail), {
        mode: 0o600,
      });
      await rename(`${file}.part`, file);
      if (sent++ % LOOK_EVERY === 0) await removeOldest(folder);
    },
  };
}

/** Ids are in the order in which they were made, so names are too. */
async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
  const tooMany = names.slice(0, Math.max(0, names.length - MAILS_KEPT));
  for (const name of tooMany) await rm(join(folder, name), { force: true });
}

/** The same message with its text unencoded, so that a link is one line that can be copied. */
function legible(message: string, { text }: Mail): string {
  const headers = message.slice(0, message.indexOf('\n\n'));
  const unencoded = headers.replace(/^(Content-Transfer-Encoding): .*$/im, '$1: 8bit');
  return `${unencoded}\n\n${text}\n`;
}
