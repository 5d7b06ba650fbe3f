import { type JsonObject, schemaCollector } from './json-schemas.js';
import { CHANNELS, type ChannelKind, answerFrame, clientFrame, eventFrame } from './streams.js';

/** The AsyncAPI 3 document of the live streams (contract 6). */
export function asyncApi({ version, host }: { version: string; host?: string }): JsonObject {
  const { components, schemaOf } = schemaCollector();
  const kinds = Object.keys(CHANNELS) as ChannelKind[];
  const events = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      {
        name: kind,
        summary: `${kind}:<${CHANNELS[kind].parameter}> ${CHANNELS[kind].summary}`,
        payload: schemaOf(eventFrame(kind)),
      },
    ]),
  );
  const messages = {
    request: { name: 'request', summary: 'What a client sends.', payload: schemaOf(clientFrame) },
    answer: { name: 'answer', summary: 'The answer to it.', payload: schemaOf(answerFrame) },
    ...events,
  };
  const refs = (names: readonly string[]) =>
    names.map((name) => ({ $ref: `#/channels/live/messages/${name}` }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Slipstream live streams',
      version,
      description:
        'JSON text frames over one WebSocket. Authenticate by the Authorization header or an authenticate frame, subscribe to channels, get a snapshot, then every change.',
    },
    servers: { live: { host: host ?? 'localhost', protocol: 'ws', pathname: '/ws' } },
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
