import { isIP } from 'node:net';
import { MailRefused, type Mailer } from '@slipstream/ports';
import { createTransport } from 'nodemailer';
import { messageOf } from './message.js';

/** The longest silence of a mail server before an attempt ends, in milliseconds. */
const PATIENCE = 8_000;

/** A mailer that keeps connections to a mail server. */
export interface SmtpMailer extends Mailer {
  /** Connects and signs in without sending anything; rejects when the server does not take mails from this one. */
  check(): Promise<void>;
  /** Ends open connections. */
  close(): void;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '[::1]' ||
  (isIP(host) === 4 && host.startsWith('127.'));

/** Whether a server that does not encrypt is refused; the address itself may say otherwise. */
export function asksToEncrypt(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const said = searchParams.get('requireTLS');
  return said === null ? !isLoopback(hostname.toLowerCase()) : said !== 'false';
}

/** The fields of nodemailer's error after a refusal. */
interface SmtpError extends Error {
  readonly responseCode?: number;
  readonly command?: string;
}

/** A 5xx to the recipient or to the mail itself. Any other is about the sender or this server: its operator can mend it. */
const isForEver = ({ responseCode = 0, command = '' }: SmtpError): boolean =>
  responseCode >= 500 && responseCode < 600 && (command === 'RCPT TO' || command === 'DATA');

/**
 * Sends mails to the mail server at `url` (`smtp://user:password@host:587`, `smtps://…`). Resolves when the server has accepted the mail.
 * Nothing goes in clear: a server without STARTTLS is none, unless it is on this machine or the url says `?requireTLS=false`.
 * `from` is the sender, like `Slipstream <no-reply@example.com>`.
 */
export function smtpMailer(url: string, from: string): SmtpMailer {
  const transport = createTransport({
    url,
    requireTLS: asksToEncrypt(url),
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(messageOf(mail, from));
      } catch (error) {
        if (error instanceof Error && isForEver(error))
          throw new MailRefused(error.message, { cause: error });
        throw error;
      }
    },
    async check() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}
