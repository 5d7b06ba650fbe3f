import type { Mailer } from '@slipstream/ports';
import { createTransport } from 'nodemailer';
import { messageOf } from './message.js';

/** A mail server that says nothing for so long is given up for this time, in milliseconds. */
const PATIENCE = 8_000;

export interface SmtpMailer extends Mailer {
  /** Ends open connections. */
  close(): void;
}

/**
 * Hands mails to the mail server at `url` (`smtp://user:password@host:587`, `smtps://…`). Resolves when it took the mail.
 * `from` is the sender, like `Slipstream <no-reply@example.com>`.
 */
export function smtpMailer(url: string, from: string): SmtpMailer {
  const transport = createTransport({
    url,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  });
  return {
    send: async (mail) => void (await transport.sendMail(messageOf(mail, from))),
    close: () => transport.close(),
  };
}
