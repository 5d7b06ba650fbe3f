import { MAIL_URGENCY, type MailUrgency } from '@slipstream/domain';

/** The text of a mail. Subjects contain nothing that a user wrote. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly urgency: MailUrgency;
}

const END = '\n\nSlipstream\n';

export const confirmationMail = (link: string, resetPage: string): MailText => ({
  subject: 'Confirm your e-mail address',
  urgency: MAIL_URGENCY.confirmation,
  text: `Welcome to Slipstream. Open this link and press its button to confirm that this e-mail address is yours:

${link}

It is good for seven days. Every sign-in and token made so far ends with it, except the sign-in of the browser that opens it.
If you did not sign up, do not press it. A new password gives you the account that somebody made with your address:

${resetPage}${END}`,
});

export const newAddressMail = (link: string): MailText => ({
  subject: 'Confirm your new e-mail address',
  urgency: MAIL_URGENCY.confirmation,
  text: `Open this link and press its button to make this the e-mail address of your Slipstream account:

${link}

It is good for a day. If you did not ask for it, ignore this mail.${END}`,
});

export const passwordResetMail = (link: string): MailText => ({
  subject: 'A new password for your account',
  urgency: MAIL_URGENCY.account,
  text: `Somebody, hopefully you, asked for a new password for your account. Open this link to set one:

${link}

It works once, within one hour. If it was not you, ignore this mail: nothing has changed.${END}`,
});

const NOTICE_SUBJECTS = {
  subscription_email: 'A new subscriber',
  new_features_email: 'News of Slipstream',
  payment_complete_email: 'A payment is complete',
} as const;

/** The kinds of notification that go out as mails too. */
export type MailedNotification = keyof typeof NOTICE_SUBJECTS;

export const isMailed = (type: string): type is MailedNotification =>
  Object.hasOwn(NOTICE_SUBJECTS, type);

/** The addresses that a mail about something names. */
export interface MailPages {
  /** Where the reader acts. */
  readonly subject: string;
  /** Where a reader who did not cause it, or wants no such mails, goes. */
  readonly way: string;
}

export const noticeMail = (type: MailedNotification, text: string, pages: MailPages): MailText => ({
  subject: NOTICE_SUBJECTS[type],
  urgency: MAIL_URGENCY.notice,
  text: `${text}

${pages.subject}

You get this because ${type} is among your notifications. Your account's page changes that:

${pages.way}${END}`,
});

/** A mail about alerts that do not come (contract 13). */
export const alertWatchMail = (text: string, strategyPage: string): MailText => ({
  subject: 'Your alerts are missing',
  urgency: MAIL_URGENCY.notice,
  text: `${text}

${strategyPage}

You get this because your strategy watches its alerts. That page changes or ends the watch.${END}`,
});

/** A mail that is always sent, whatever the user chose (contract 16). */
export const accountMail = (subject: string, text: string, pages: MailPages): MailText => ({
  subject,
  urgency: MAIL_URGENCY.account,
  text: `${text}

${pages.subject}

You get this because it is about your money or your account. Mails of this kind cannot be turned off. If somebody else uses
your account, set a new password:

${pages.way}${END}`,
});
