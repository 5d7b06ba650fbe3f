import type { Mail } from '@slipstream/ports';
import type { SendMailOptions } from 'nodemailer';

/** The mail as it goes out. The Message-ID is made of its id, so that a mail that is sent again is known as the same one. */
export function messageOf({ id, to, subject, text }: Mail, from: string): SendMailOptions {
  const domain = /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    from,
    // An address object is taken as it is: nothing in it can name further recipients.
    to: { name: '', address: to },
    subject,
    text,
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
