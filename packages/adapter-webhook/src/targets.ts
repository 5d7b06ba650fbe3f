import type { EndpointTarget } from '@slipstream/domain';
import { type Allowed, literalAddress, mayDial } from './addresses.js';

const DISCORD = 'https://discord.com';
const DISCORD_PATH = /^\/api\/webhooks\/\d{1,30}\/[\w-]{1,200}\/?$/;
const BOT_TOKEN = /^\d{3,20}:[\w-]{20,80}$/;
const CHAT_ID = /^(-?\d{1,20}|@\w{4,64})$/;

const readUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const isLoopback = (url: URL): boolean => {
  const literal = literalAddress(url);
  return literal === undefined ? url.hostname === 'localhost' : mayDial(literal, 'loopback');
};

function webhookProblem(text: string, allowed: Allowed): string | undefined {
  const url = readUrl(text);
  const isPlain = allowed === 'loopback' && url?.protocol === 'http:' && isLoopback(url);
  if (!url || (url.protocol !== 'https:' && !isPlain)) return 'url must be an https address';
  if (url.username !== '' || url.password !== '') return 'url must not hold a user or a password';
  const literal = literalAddress(url);
  if (literal !== undefined && !mayDial(literal, allowed)) return 'url must be a public address';
  return undefined;
}

function discordProblem(text: string): string | undefined {
  const url = readUrl(text);
  const isThere = url?.origin === DISCORD && DISCORD_PATH.test(url.pathname);
  if (isThere && url.username === '' && url.password === '') return undefined;
  return 'url must be like https://discord.com/api/webhooks/<id>/<token>';
}

/** What is wrong with a target, before anything is sent there; undefined when nothing is. */
export function targetProblem(target: EndpointTarget, allowed: Allowed): string | undefined {
  if (target.kind === 'webhook') return webhookProblem(target.url, allowed);
  if (target.kind === 'discord') return discordProblem(target.url);
  if (!BOT_TOKEN.test(target.botToken))
    return 'bot_token must be like 123456:ABC…, from @BotFather';
  return CHAT_ID.test(target.chatId) ? undefined : 'chat_id must be a number, or @channel';
}
