import { text } from '../fields/text.js';

const MAX_URL = 512;

/** Hosts that a profile's link may lead to; a website may be anywhere. */
const HOSTS = {
  youtube: ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'youtu.be'],
  x: ['x.com', 'www.x.com', 'twitter.com', 'www.twitter.com', 'mobile.twitter.com'],
  telegram: ['t.me', 'telegram.me', 'www.telegram.me'],
} as const;

/** `https://`, a host of ASCII labels and maybe a port: no userinfo, nothing that a reader would take for another host. */
const FORM = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{1,5})?(?:[/?#].*)?$/i;
const UNCLEAR = /[\s\\<>"'`{}|^\p{Cc}\p{Cf}]/u;

/** The host of an https URL, in lower case; undefined when it is none. */
const hostOf = (value: string): string | undefined =>
  UNCLEAR.test(value) ? undefined : FORM.exec(value)?.[1]?.toLowerCase();

/** An https link, kept as it was written; the empty string unsets it. */
const link = (hosts?: readonly string[]) =>
  text(MAX_URL)
    .refine((value) => value === '' || hostOf(value) !== undefined, {
      error: 'must be an https URL without a user name in it, or empty',
      abort: true,
    })
    .refine((value) => value === '' || !hosts || hosts.includes(hostOf(value) ?? ''), {
      error: `must lead to ${hosts?.join(', ')}`,
    })
    .meta({
      maxLength: MAX_URL,
      description: `An https URL${hosts ? ` of ${hosts.join(', ')}` : ''}; empty unsets.`,
    })
    .optional();

/** What updateUserInfo takes (spec 4.1). */
export const profileFields = {
  bio: text(2000).optional(),
  youtube: link(HOSTS.youtube),
  x: link(HOSTS.x),
  telegram: link(HOSTS.telegram),
  website: link(),
};
