import { EVENT_NAMES, EVENT_READS, type EventName } from '@slipstream/domain';
import { z } from 'zod';
import { AT, ids } from '../example-ids.js';
import { decimalOut, timestampOut } from '../fields/output.js';
import { operations } from '../operations/index.js';
import type { JsonObject, schemaCollector } from './json-schemas.js';

const SUMMARIES: Readonly<Record<EventName, string>> = {
  'order.filled': 'An order of an own or followed strategy is filled.',
  'order.rejected': 'An order of an own or followed strategy is rejected.',
  'order.cancelled': 'An order of an own or followed strategy is cancelled.',
  'alert.refused': 'An alert is refused.',
  'bot.started': 'A bot starts.',
  'bot.stopped': 'A bot is off.',
  'bot.breached': 'A bot passes a limit of losses.',
  'bot.error': 'A bot cannot go on without its owner.',
  'subscription.changed': 'A subscription begins, is past due or ends.',
  'invoice.changed': 'An invoice is made, paid, failed, refunded or charged back.',
  'value.crossed': 'A strategy_value passes one of value_levels.',
};

const ofOrders = {
  version: z.int().meta({ description: 'Of the book after it: a later one is newer.' }),
};
/** What an event has beside the record of its read, with an example. */
const ADDED: Readonly<Partial<Record<EventName, { shape: z.ZodRawShape; example: JsonObject }>>> = {
  'order.filled': { shape: ofOrders, example: { version: 7 } },
  'order.rejected': { shape: ofOrders, example: { version: 7 } },
  'order.cancelled': { shape: ofOrders, example: { version: 7 } },
  'value.crossed': {
    shape: { previous_value: decimalOut },
    example: { previous_value: '1.15' },
  },
};

const header = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});
/** Of Standard Webhooks. */
const SIGNED = [
  header('webhook-id', 'The delivery_id: the same at every attempt.', ids.delivery),
  header('webhook-timestamp', 'Of this attempt, in seconds since 1970.', '1772636400'),
  header('webhook-signature', 'By the secret of the endpoint: verify it before you read.', 'v1,…'),
];

const operationIdOf = (name: EventName): string =>
  `on${name.replace(/(^|\.)(\w)/g, (_, __, first: string) => first.toUpperCase())}`;

/** The messages to endpoints of kind webhook, as OpenAPI 3.1 describes them: `data` is the record of the event's read. */
export const webhooksOf = (schemaOf: ReturnType<typeof schemaCollector>['schemaOf']): JsonObject =>
  Object.fromEntries(
    EVENT_NAMES.map((name) => {
      const { response, example } = operations[EVENT_READS[name]];
      const { shape, example: more } = ADDED[name] ?? {};
      const record = response.element as z.ZodObject;
      const message = z.object({
        type: z.literal(name),
        timestamp: timestampOut,
        data: shape ? record.extend(shape) : record,
      });
      const [data] = example.response;
      return [
        name,
        {
          post: {
            operationId: operationIdOf(name),
            tags: ['Endpoints'],
            summary: SUMMARIES[name],
            description:
              'Sent to the url of an endpoint, at least once. Answer within five seconds.',
            security: [],
            parameters: SIGNED,
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: schemaOf(message),
                  example: { type: name, timestamp: AT, data: { ...data, ...more } },
                },
              },
            },
            responses: {
              '2XX': { description: 'Taken. Every other answer is tried again for two days.' },
              410: { description: 'No more of them: the endpoint is disabled.' },
              429: { description: 'Later: Retry-After says when.' },
            },
          },
        },
      ];
    }),
  );
