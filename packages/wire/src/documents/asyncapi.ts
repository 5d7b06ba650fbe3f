import { ids, AT } from '../example-ids.js';
import {
  type ChannelKind,
  CHANNELS,
  eventFrame,
  clientFrame,
  answerFrame,
  otherEvents,
} from '../streams.js';
import { type JsonObject, schemaCollector } from './json-schemas.js';
import { operations } from '../operations/index.js';

const CHANNEL = [`wsOrders:${ids.strategy}`];
const SUBSCRIBE = { id: '2', action: 'subscribe', channels: CHANNEL };

/** The fields that all example events of a channel share. */
const frameOf = (kind: ChannelKind): JsonObject => ({
  channel: `${kind}:${ids[CHANNELS[kind].parameter.replace('_id', '') as keyof typeof ids]}`,
  event: 'snapshot',
  version: 7,
  at: AT,
});

/** An example event: it carries the example answer of the channel's read, or its first record. */
function snapshotExample(kind: ChannelKind): JsonObject {
  const response: unknown = operations[CHANNELS[kind].read].example.response;
  const [first] = [response].flat();
  const events = [response, first].map((data) => ({ ...frameOf(kind), data }));
  return events.find((event) => eventFrame(kind).safeParse(event).success) ?? frameOf(kind);
}

/** The AsyncAPI 3 document of the live streams (contract 6). `baseUrl` is where clients reach the service over HTTP. */
export function asyncApi({
  version,
  baseUrl = 'http://127.0.0.1:3000',
}: {
  version: string;
  baseUrl?: string;
}): JsonObject {
  const [, secure = '', host = '', pathname = ''] =
    /^http(s?):\/\/([^/]+)(.*?)\/?$/.exec(baseUrl) ?? [];
  const { components, schemaOf } = schemaCollector();
  const kinds = Object.keys(CHANNELS) as ChannelKind[];
  const events = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      {
        name: kind,
        summary: `${kind}:<${CHANNELS[kind].parameter}> ${CHANNELS[kind].summary}`,
        payload: schemaOf(eventFrame(kind)),
        examples: [
          { summary: 'The snapshot', payload: snapshotExample(kind) },
          ...Object.entries(otherEvents(kind)).map(([event, { example }]) => ({
            summary: `Event ${event}`,
            payload: { ...frameOf(kind), event, data: example },
          })),
        ],
      },
    ]),
  );
  const messages = {
    request: {
      name: 'request',
      summary: 'A frame from a client.',
      payload: schemaOf(clientFrame),
      examples: [{ summary: 'Subscribe', payload: SUBSCRIBE }],
    },
    answer: {
      name: 'answer',
      summary: "The answer to a client's frame.",
      payload: schemaOf(answerFrame),
      examples: [
        { summary: 'Done', payload: { id: '2', success: true, response: { channels: CHANNEL } } },
        {
          summary: 'Refused: none of the channels is subscribed',
          payload: {
            id: '2',
            success: false,
            response: 'Request failed. unknown channel "wsX:1".',
          },
        },
      ],
    },
    ...events,
  };
  const refs = (names: readonly string[]) =>
    names.map((name) => ({ $ref: `#/channels/live/messages/${name}` }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Slipstream live streams',
      version,
      license: { name: 'MIT' },
      description:
        'JSON text frames over one WebSocket. Authenticate with the Authorization header or an authenticate frame, subscribe to channels, get a snapshot, then every change. A connection has at most 100 channels, frames of 16 KiB, and 250 frames and requested channels per second; beyond that it is closed (1008).',
    },
    servers: {
      live: {
        host,
        protocol: `ws${secure}`,
        ...(pathname !== '' && { pathname }),
      },
    },
    channels: {
      live: {
        address: '/ws',
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      request: {
        action: 'receive',
        channel: { $ref: '#/channels/live' },
        messages: refs(['request']),
        reply: { channel: { $ref: '#/channels/live' }, messages: refs(['answer']) },
      },
      events: {
        action: 'send',
        channel: { $ref: '#/channels/live' },
        messages: refs(kinds),
      },
    },
    components: { schemas: components, messages },
  };
}
