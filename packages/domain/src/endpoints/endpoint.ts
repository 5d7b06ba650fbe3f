import type { Decimal } from '../numbers/decimal.js';
import type { EndpointId, StrategyId, Timestamp, TokenId, UserId } from '../ids.js';
import { DAY } from '../time.js';
import type { Token } from '../accounts/token.js';

/** The ways in which events leave the service (contract 13). */
export const ENDPOINT_KINDS = ['webhook', 'telegram', 'discord'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** The events by name (contract 17), each with the read that shows its record: an endpoint needs the scope of that read. */
export const EVENT_READS = {
  'order.filled': 'getOrders',
  'order.rejected': 'getOrders',
  'order.cancelled': 'getOrders',
  'alert.refused': 'getAlerts',
  'bot.started': 'getBots',
  'bot.stopped': 'getBots',
  'bot.breached': 'getBots',
  'bot.error': 'getBots',
  'subscription.changed': 'getStrategySubscriptions',
  'invoice.changed': 'getInvoices',
  'value.crossed': 'getStrategyValues',
} as const;
export type EventName = keyof typeof EVENT_READS;
/** In the order of contract 17. */
export const EVENT_NAMES = Object.keys(EVENT_READS) as readonly EventName[];

/** The reads of these name no strategy, so that a token bound to strategies may not call them. */
const OF_ACCOUNT: readonly string[] = ['getBots', 'getInvoices'];

/** Whether a token that is bound to strategies may be told such events of the strategy. */
export const isWithin = (
  { strategyIds }: Pick<Token, 'strategyIds'>,
  name: EventName,
  strategyId: StrategyId | null,
): boolean =>
  strategyIds === null ||
  (strategyId !== null &&
    strategyIds.includes(strategyId) &&
    !OF_ACCOUNT.includes(EVENT_READS[name]));

/** A disabled endpoint is told nothing. */
export const ENDPOINT_STATUSES = ['active', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Where a user is told events (contract 13). */
export interface Endpoint {
  readonly id: EndpointId;
  readonly userId: UserId;
  /** The token that it ends with; null when it depends on the user alone. */
  readonly tokenId: TokenId | null;
  readonly kind: EndpointKind;
  readonly events: readonly EventName[];
  /** Only events of these strategies, own or followed; null for all events of the user's own. */
  readonly strategyIds: readonly StrategyId[] | null;
  /** `value.crossed` is told when a strategy_value passes one of them. */
  readonly valueLevels: readonly Decimal[];
  readonly status: EndpointStatus;
  /** Why it disabled itself; null otherwise. */
  readonly statusReason: string | null;
  /** Its `EndpointTarget`; opened only to send, and to show the url to its owner. */
  readonly sealedTarget: string;
  readonly createdAt: Timestamp;
}

/** A secret that signs the messages of a webhook. */
export interface SigningSecret {
  readonly secret: string;
  /** When it stops to sign, because another one replaced it; null for the present one. */
  readonly until: Timestamp | null;
}

/** Where messages go, with the secrets for it. */
export type EndpointTarget =
  | {
      readonly kind: 'webhook';
      readonly url: string;
      /** The present one first. */
      readonly secrets: readonly SigningSecret[];
    }
  | { readonly kind: 'telegram'; readonly botToken: string; readonly chatId: string }
  | { readonly kind: 'discord'; readonly url: string };

/** How long a replaced secret goes on to sign, beside the present one. */
const SECRET_OVERLAP = DAY;

/** The secrets after a rotation: the present one signs for a day longer, an earlier one no more. */
export const rotated = (
  secrets: readonly SigningSecret[],
  secret: string,
  now: Timestamp,
): readonly SigningSecret[] => [
  { secret, until: null },
  ...secrets.slice(0, 1).map((present) => ({ ...present, until: now + SECRET_OVERLAP })),
];

/** The secrets that sign now, the present one first. */
export const signingAt = (secrets: readonly SigningSecret[], now: Timestamp): string[] =>
  secrets.filter(({ until }) => until === null || until > now).map(({ secret }) => secret);

/** The topic of a user's own things; endpoints listen on topics. */
export const topicOfUser = (userId: UserId): string => `user:${userId}`;
/** The topic of a strategy. */
export const topicOfStrategy = (strategyId: StrategyId): string => `strategy:${strategyId}`;

/** The moves of values have topics of their own: they are many, and few endpoints ask for them. */
export const topicOfValues = (topic: string): string => `values:${topic}`;

/** The topics on which the endpoint listens; none when it is disabled. */
export function topicsOf(endpoint: Endpoint): string[] {
  const { status, userId, strategyIds, events } = endpoint;
  if (status !== 'active') return [];
  const subjects = strategyIds?.map(topicOfStrategy) ?? [topicOfUser(userId)];
  return [
    ...(events.some((name) => name !== 'value.crossed') ? subjects : []),
    ...(events.includes('value.crossed') ? subjects.map(topicOfValues) : []),
  ];
}
