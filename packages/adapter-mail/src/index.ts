export * from './folder-mailer.js';
export * from './smtp-mailer.js';
