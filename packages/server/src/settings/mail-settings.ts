import { z } from 'zod';
import { isUrl } from './is-url.js';

function isOneOf(text: string, protocols: readonly string[]): boolean {
  if (!isUrl(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocols.includes(protocol) && hostname !== '';
}

/** The settings of mails: their server, their sender, and the address in their links. */
export const mailSettings = {
  SMTP_URL: z
    .string()
    .refine((url) => isOneOf(url, ['smtp:', 'smtps:']), 'must be like smtps://user:password@host')
    .optional(),
  MAIL_FROM: z
    .string()
    .trim()
    .regex(
      /^([^\r\n<>@]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be like Slipstream <no-reply@example.com>',
    )
    .optional(),
  PUBLIC_URL: z
    .string()
    .refine(
      (url) => isOneOf(url, ['http:', 'https:']) && !/[\s?#@]/.test(url),
      'must be like https://example.com',
    )
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
};
