import { line, text } from '../fields/text.js';

const MAX_URL = 512;

/** The hosts to which a profile's link may lead; a website may have any host. */
const HOSTS = {
  youtube: ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'youtu.be'],
  x: ['x.com', 'www.x.com', 'twitter.com', 'www.twitter.com', 'mobile.twitter.com'],
  telegram: ['t.me', 'telegram.me', 'www.telegram.me'],
} as const;

/** `https://`, a host of ASCII labels and optionally a port: no userinfo, nothing that a reader could mistake for another host. */
const FORM = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{1,5})?(?:[/?#].*)?$/i;
const UNCLEAR = /[\s\\<>"'`{}|^\p{Cc}\p{Cf}]/u;

/** The host of an https URL, in lower case; undefined for any other text. */
const hostOf = (value: string): string | undefined =>
  UNCLEAR.test(value) ? undefined : FORM.exec(value)?.[1]?.toLowerCase();

/** An https link, stored as written; the empty string removes it. */
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

/** The fields of updateUserInfo (spec 4.1). */
export const profileFields = {
  name: line(50)
    .meta({
      maxLength: 50,
      description:
        'Shown to everybody, beside your strategies. No two users have the same, in any case of letters. Empty unsets.',
    })
    .optional(),
  bio: text(2000).optional().meta({ description: 'Shown to everybody; empty unsets.' }),
  youtube: link(HOSTS.youtube),
  x: link(HOSTS.x),
  telegram: link(HOSTS.telegram),
  website: link(),
};
