import { z } from 'zod';
import { strategyValueResource } from './performance/resources.js';
import { positionsResource, positionValuesResource, orderResource } from './trading/resources.js';
import { somePositionValues } from './trading/examples.js';
import { alertResource } from './alerts/resources.js';
import { aBotAccount, aBotOrder } from './mirroring/examples.js';
import { botAccountResource, botOrderResource, botResource } from './mirroring/resources.js';
import { notificationResource } from './messages/resources.js';
import type { OperationName } from './operations/index.js';
import { line } from './fields/text.js';
import { oneOf } from './fields/lists.js';
import { MAX_CHANNELS } from './routes.js';

export { MAX_CHANNELS };

/** An event whose data is not that of the snapshot. Its listeners need the scope of the read that answers the same. */
interface OtherEvent {
  readonly read: OperationName;
  readonly data: z.ZodType;
  readonly example: unknown;
}

/**
 * The kinds of channel, each with the read that gives its snapshot and the data of its events. The snapshot of a list has an
 * array of them.
 */
export const CHANNELS = {
  wsStrategyValue: {
    read: 'getStrategyValues',
    parameter: 'strategy_id',
    isOpen: true,
    summary:
      'The live value of a strategy, at most 10 events per second; also when it can only close, ends, or continues. The only channel of a connection without a token, which may see public strategies.',
    events: ['snapshot', 'changed'],
    isList: false,
    data: strategyValueResource,
  },
  wsPositions: {
    read: 'getPositions',
    parameter: 'strategy_id',
    isOpen: false,
    summary:
      'Positions after each fill; a closed position comes once with amount "0". When prices move, valued has the new values of all positions, at most once per second; its version is that of the book, so that it is not above the last one.',
    events: ['snapshot', 'changed', 'valued'],
    isList: false,
    data: positionsResource,
    others: {
      valued: { read: 'getPositions', data: positionValuesResource, example: somePositionValues },
    },
  },
  wsOrders: {
    read: 'getOrders',
    parameter: 'strategy_id',
    isOpen: false,
    summary: 'Changes of open orders; the snapshot is the array of all open orders.',
    events: [
      'snapshot',
      'opened',
      'released',
      'triggered',
      'adjusted',
      'filled',
      'cancelled',
      'rejected',
    ],
    isList: true,
    data: orderResource,
  },
  wsBot: {
    read: 'getBots',
    parameter: 'bot_id',
    isOpen: false,
    summary:
      'The record of a bot whenever it changes. With the scopes of their reads also order, each order of the bot as in getBotOrders whenever it changes, and account, the answer of getBotAccount, every few seconds.',
    events: ['snapshot', 'changed', 'order', 'account'],
    isList: false,
    data: botResource,
    others: {
      order: { read: 'getBotOrders', data: botOrderResource, example: aBotOrder },
      account: { read: 'getBotAccount', data: botAccountResource, example: aBotAccount },
    },
  },
  wsNotifications: {
    read: 'getNotifications',
    parameter: 'user_id',
    isOpen: false,
    summary: "The user's own new notifications; the snapshot is the array of the latest.",
    events: ['snapshot', 'added'],
    isList: true,
    data: notificationResource,
  },
  wsAlerts: {
    read: 'getAlerts',
    parameter: 'strategy_id',
    isOpen: false,
    summary:
      'Alerts to a strategy, for its owner alone; changed when one is superseded, or its order is reduced. The snapshot is the array of the latest.',
    events: ['snapshot', 'added', 'changed'],
    isList: true,
    data: alertResource,
  },
  wsUserAlerts: {
    read: 'getAlerts',
    parameter: 'user_id',
    isOpen: false,
    summary:
      "All alerts of the user's own tokens, also those that named none of their strategies; otherwise as wsAlerts.",
    events: ['snapshot', 'added', 'changed'],
    isList: true,
    data: alertResource,
  },
} as const satisfies Record<
  string,
  {
    readonly read: OperationName;
    readonly parameter: string;
    /** Whether it needs no token; then it shows what anybody may see. */
    readonly isOpen: boolean;
    readonly summary: string;
    readonly events: readonly string[];
    readonly isList: boolean;
    /** Of most events, and of the snapshot. */
    readonly data: z.ZodType;
    /** The data of the other events. */
    readonly others?: Readonly<Record<string, OtherEvent>>;
  }
>;

/** The first part of the name of a channel. */
export type ChannelKind = keyof typeof CHANNELS;

/** The kind and the id of a channel. */
export interface Channel {
  readonly name: string;
  readonly kind: ChannelKind;
  /** The id of the strategy, the bot or the user. */
  readonly id: string;
}

const isKind = (word: string): word is ChannelKind => Object.hasOwn(CHANNELS, word);

/** The channel of that name, or undefined if there is no such kind. */
export function parseChannel(name: string): Channel | undefined {
  const colon = name.indexOf(':');
  const [kind, id] = [name.slice(0, colon), name.slice(colon + 1)];
  return colon > 0 && id !== '' && isKind(kind) ? { name, kind, id } : undefined;
}

/** Whether a channel counts its own events; the versions of the others are those of the strategy's book (contract 6). */
export const countsEvents = (kind: ChannelKind | undefined): boolean =>
  kind !== 'wsOrders' && kind !== 'wsPositions';

const frameId = line(100).optional();
const TOKEN_RULE = 'must have 1 to 256 characters';
/** The only text that may contain a token. */
const givenToken = z
  .string({ error: 'must be a string' })
  .min(1, { error: TOKEN_RULE })
  .max(256, { error: TOKEN_RULE });
const channels = z
  .array(line(100, 1), { error: 'must be an array' })
  .min(1, { error: 'must not be empty' })
  .max(MAX_CHANNELS, { error: `must have at most ${MAX_CHANNELS} items` });

const VERSION_RULE = { error: 'must be a version, a whole number that is not negative' };
const after = z
  .record(line(100, 1), z.int(VERSION_RULE).min(0, VERSION_RULE), {
    error: 'must be an object of versions by channel',
  })
  .optional()
  .meta({
    description:
      'By channel, the version up to which the client has all events. A channel wsOrders goes on after it, without a snapshot, if the server still knows all that came since; every other channel begins with its snapshot.',
  });

/**
 * What a server takes of a client's frames, as `ws` names it: bytes of a frame (contract 6), and the fragments and pieces of one,
 * because each costs memory beside what is in it.
 */
export const CLIENT_FRAMES = {
  maxPayload: 16 * 1024,
  maxFragments: 64,
  maxBufferedChunks: 16 * 64,
} as const;

/** A frame from a client (contract 6). */
export const clientFrame = z.discriminatedUnion(
  'action',
  [
    z.strictObject({ id: frameId, action: z.literal('authenticate'), token: givenToken }),
    z.strictObject({ id: frameId, action: z.literal('subscribe'), channels, after }),
    z.strictObject({ id: frameId, action: z.literal('unsubscribe'), channels }),
    z.strictObject({ id: frameId, action: z.literal('ping') }),
  ],
  { error: 'must be authenticate, subscribe, unsubscribe or ping' },
);

/** A frame of a client, read by its schema. */
export type ClientFrame = z.output<typeof clientFrame>;

/** The answer to a client's frame; `response` is a string when it failed. */
export const answerFrame = z.object({
  id: z.string().nullable(),
  success: z.boolean(),
  response: z.union([z.object({ channels: z.array(z.string()) }), z.string()]),
});
/** Why a channel ended: the access or the thing itself is gone. */
export const endedData = z.object({ reason: z.string() });

/** The events of a channel whose data is not that of the snapshot. */
export function otherEvents(kind: ChannelKind): Readonly<Record<string, OtherEvent>> {
  const row = CHANNELS[kind];
  return 'others' in row ? row.others : {};
}

/** An event of a channel. */
export const eventFrame = (kind: ChannelKind) => {
  const { events, data, isList } = CHANNELS[kind];
  const others = Object.values(otherEvents(kind)).map((other) => other.data);
  return z.object({
    channel: z.string(),
    event: oneOf([...events, 'ended']),
    version: z.int(),
    at: z.string(),
    data: z.union([data, ...(isList ? [z.array(data)] : []), ...others, endedData]),
  });
};
