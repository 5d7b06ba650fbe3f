export * from './folder-mailer.js';
export { type SmtpMailer, smtpMailer } from './smtp-mailer.js';
