import { type EndpointKind, type EndpointTarget, Refusal } from '@slipstream/domain';
import type { EndpointSender } from '@slipstream/ports';
import type { Core } from '../core.js';

/** The fields of a target; each kind has its own. */
export interface TargetFields {
  readonly url?: string | undefined;
  readonly botToken?: string | undefined;
  readonly chatId?: string | undefined;
}

export const invalid = (message: string): Refusal => new Refusal('invalid_field', message);

export function senderOf({ endpointSender }: Pick<Core, 'endpointSender'>): EndpointSender {
  if (endpointSender) return endpointSender;
  throw invalid('this server sends no events');
}

/** The target of those fields. A missing one is taken from the target before. */
export function targetOf(
  sender: EndpointSender,
  kind: EndpointKind,
  fields: TargetFields,
  before: EndpointTarget | undefined,
): EndpointTarget {
  const own = kind === 'telegram' ? ['botToken', 'chatId'] : ['url'];
  const names = { url: 'url', botToken: 'bot_token', chatId: 'chat_id' } as const;
  const kept = { ...before } as TargetFields;
  const given = (field: keyof TargetFields): string => {
    const isOwn = own.includes(field);
    if (!isOwn && fields[field] !== undefined)
      throw invalid(`${names[field]} is not a field of ${kind}`);
    const value = isOwn ? (fields[field] ?? kept[field]) : '';
    if (value === undefined) throw invalid(`${names[field]} is required for ${kind}`);
    return value;
  };
  const [url, botToken, chatId] = [given('url'), given('botToken'), given('chatId')];
  const secrets =
    before?.kind === 'webhook' ? before.secrets : [{ secret: sender.newSecret(), until: null }];
  const target: EndpointTarget =
    kind === 'telegram'
      ? { kind, botToken, chatId }
      : kind === 'discord'
        ? { kind, url }
        : { kind, url, secrets };
  const problem = sender.problemOf(target);
  if (problem !== undefined) throw invalid(problem);
  return target;
}

export const secretOf = (target: EndpointTarget): string | null =>
  target.kind === 'webhook' ? (target.secrets[0]?.secret ?? null) : null;
