import { randomBytes } from 'node:crypto';
import {
  type EndpointTarget,
  type SendAnswer,
  type Timestamp,
  signingAt,
} from '@slipstream/domain';
import type { EndpointMessage, EndpointSender } from '@slipstream/ports';
import { presentHappening } from '@slipstream/wire';
import { Webhook } from 'standardwebhooks';
import { AddressRefused, type Allowed, type Resolve, checkedLookup } from './addresses.js';
import { nameServers } from './name-servers.js';
import { type Posted, post } from './post.js';
import { targetProblem } from './targets.js';

export interface EndpointSenderOptions {
  /** `loopback`: webhooks may also be on this machine, over http. For tests. */
  readonly allowed?: Allowed;
  /** Finds the addresses of names; by default it asks the name servers of this machine. */
  readonly resolve?: Resolve;
  /** Origin of a server on this machine in place of Telegram's. For tests. */
  readonly telegramUrl?: string | undefined;
  /** The same of Discord's. */
  readonly discordUrl?: string | undefined;
  /** Milliseconds for an attempt; 5 seconds (contract 13) by default. */
  readonly patience?: number;
}

/** Bytes of a secret that signs. */
const SECRET_BYTES = 24;

const OF_ALL = { 'content-type': 'application/json', 'user-agent': 'Slipstream' };

/** A message as it goes out. */
interface Letter {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The statuses of answers that want nothing more, or will never take anything. */
  readonly gone: readonly number[];
  readonly allowed: Allowed;
}

type Target<Kind extends EndpointTarget['kind']> = Extract<EndpointTarget, { readonly kind: Kind }>;

/** Standard Webhooks; during a rotation a signature by each secret. */
function toWebhook(
  { url, secrets }: Target<'webhook'>,
  { id, at, body }: EndpointMessage,
  allowed: Allowed,
): Letter {
  const signatures = signingAt(secrets, at).map((secret) =>
    new Webhook(secret).sign(id, new Date(at), body),
  );
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signatures.join(' '),
  };
  return { url: new URL(url), headers, body, gone: [410], allowed };
}

/** The url, or the same path on a server of this machine. */
function standingIn(text: string, origin: string | undefined): Pick<Letter, 'url' | 'allowed'> {
  const url = new URL(text);
  if (origin === undefined) return { url, allowed: 'public' };
  return { url: new URL(`${url.pathname}${url.search}`, origin), allowed: 'loopback' };
}

/** The characters that format a text in Discord. */
const MARKUP = /[\\`*_~|<>#[\]]/g;
/** Discord takes 2,000 characters; the link needs some of them. */
const LONGEST_SENTENCE = 1_800;

/** The sentence as it is written, before the line with its link: names in it are strangers', and a formatted one could hide where it leads. */
function unformatted(text: string): string {
  const end = text.includes('\n') ? text.lastIndexOf('\n') : text.length;
  const [sentence, link] = [text.slice(0, end), text.slice(end)];
  const escaped = sentence.replace(MARKUP, '\\$&');
  const isShort = escaped.length <= LONGEST_SENTENCE;
  return `${isShort ? escaped : sentence.replace(MARKUP, ' ')}${link}`;
}

function toDiscord(
  { url }: Target<'discord'>,
  { text }: EndpointMessage,
  standIn: string | undefined,
): Letter {
  return {
    ...standingIn(url, standIn),
    headers: {},
    // Names in the text are strangers': they call nobody. 4: without pictures of the link.
    body: JSON.stringify({ content: unformatted(text), allowed_mentions: { parse: [] }, flags: 4 }),
    // Discord answers 404 once the webhook is deleted.
    gone: [401, 404, 410],
  };
}

function toTelegram(
  { botToken, chatId }: Target<'telegram'>,
  { text }: EndpointMessage,
  standIn: string | undefined,
): Letter {
  return {
    ...standingIn(`https://api.telegram.org/bot${botToken}/sendMessage`, standIn),
    headers: {},
    body: JSON.stringify({ chat_id: chatId, text, link_preview_options: { is_disabled: true } }),
    // A token that was revoked, and a chat that blocked the bot.
    gone: [401, 403, 404],
  };
}

/** These ask for a slower sender, and may say how long it waits. */
const BUSY: readonly number[] = [429, 503];

/** A header in seconds, or with a date, in milliseconds from now on; undefined for anything else. */
function waitOf(retryAfter: string | undefined, at: Timestamp): number | undefined {
  if (retryAfter === undefined) return undefined;
  const wait = /^\d{1,9}(\.\d+)?$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - at;
  return wait > 0 ? Math.ceil(wait) : undefined;
}

function answerOf(posted: Posted, gone: readonly number[], at: Timestamp): SendAnswer {
  if (posted.problem !== null) return { kind: 'failed', status: null, reason: posted.problem };
  const { status } = posted;
  if (status >= 200 && status < 300) return { kind: 'delivered', status, reason: null };
  const kind = gone.includes(status) ? 'gone' : 'failed';
  const retryAfter = BUSY.includes(status) ? waitOf(posted.retryAfter, at) : undefined;
  const answer = { kind, status, reason: `it answered ${status}` } as const;
  return retryAfter === undefined ? answer : { ...answer, retryAfter };
}

/**
 * Sends to webhooks by Standard Webhooks, and short texts to Telegram and Discord. Each attempt resolves the name anew, dials only
 * public addresses, follows no redirect and ends after five seconds.
 */
export function endpointSender(options: EndpointSenderOptions = {}): EndpointSender {
  const { allowed = 'public', resolve = nameServers(), patience = 5_000 } = options;

  const letterTo = (target: EndpointTarget, message: EndpointMessage): Letter => {
    if (target.kind === 'webhook') return toWebhook(target, message, allowed);
    if (target.kind === 'discord') return toDiscord(target, message, options.discordUrl);
    return toTelegram(target, message, options.telegramUrl);
  };

  return {
    bodyOf: (happening, at) => JSON.stringify(presentHappening(happening, at)),
    problemOf: (target) => targetProblem(target, allowed),
    newSecret: () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
    async send(target, message) {
      try {
        const problem = targetProblem(target, allowed);
        if (problem !== undefined) throw new AddressRefused(problem);
        const letter = letterTo(target, message);
        const posted = await post(letter.url, {
          ...letter,
          headers: { ...OF_ALL, ...letter.headers },
          lookup: checkedLookup(resolve, letter.allowed),
          patience,
        });
        return answerOf(posted, letter.gone, message.at);
      } catch (error) {
        if (error instanceof AddressRefused)
          return { kind: 'failed', status: null, reason: error.message };
        throw error;
      }
    },
  };
}
