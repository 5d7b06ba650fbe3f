import { endpointSender } from '@slipstream/adapter-webhook';
import type { EndpointSender } from '@slipstream/ports';
import { z } from 'zod';
import { standInUrl } from '../settings/stand-in-url.js';

const standIn = z
  .string()
  .refine(
    (text) => standInUrl(text) !== undefined,
    'must be the http address of a stand-in on this machine, like http://127.0.0.1:8080',
  )
  .optional();

/** The settings of outgoing webhooks and messengers; all are for tests. */
export const endpointSettings = {
  WEBHOOK_ALLOW: z.enum(['loopback'], 'must be loopback').optional(),
  TELEGRAM_URL: standIn,
  DISCORD_URL: standIn,
};

const originOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : standInUrl(text)?.origin;

/** What sends events out of this server. */
export const endpointSenderOf = (settings: {
  readonly WEBHOOK_ALLOW?: 'loopback' | undefined;
  readonly TELEGRAM_URL?: string | undefined;
  readonly DISCORD_URL?: string | undefined;
}): EndpointSender =>
  endpointSender({
    allowed: settings.WEBHOOK_ALLOW ?? 'public',
    telegramUrl: originOf(settings.TELEGRAM_URL),
    discordUrl: originOf(settings.DISCORD_URL),
  });
