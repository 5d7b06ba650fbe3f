import type { Mail, Mailer } from '@slipstream/ports';

/** A mailer that keeps what it is sent. */
export interface Outbox extends Mailer {
  /** Oldest first. */
  readonly sent: readonly Mail[];
}

/** Mails go nowhere; each is there to be looked at. */
export function outbox(): Outbox {
  const sent: Mail[] = [];
  return { sent, send: async (mail) => void sent.push(mail) };
}
