import type { Mail, Mailer } from '@slipstream/ports';

/** A mailer that keeps its mails. */
export interface Outbox extends Mailer {
  /** Oldest first. */
  readonly sent: readonly Mail[];
}

/** Sends nothing; tests can read each mail. */
export function outbox(): Outbox {
  const sent: Mail[] = [];
  return { sent, send: async (mail) => void sent.push(mail) };
}
