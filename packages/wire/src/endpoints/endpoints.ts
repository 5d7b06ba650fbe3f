import { ENDPOINT_KINDS, ENDPOINT_STATUSES, EVENT_NAMES } from '@slipstream/domain';
import { z } from 'zod';
import { AT, ids } from '../example-ids.js';
import { positive } from '../fields/decimals.js';
import { cursor, flag, limit, oneOf, setOf } from '../fields/lists.js';
import { message } from '../fields/output.js';
import { idOf, line } from '../fields/text.js';
import { list, says } from '../operations/answers.js';
import { operation } from '../operations/operation.js';
import { presentDelivery, presentEndpoint, presentMadeEndpoint } from './present.js';
import { deliveryResource, endpointResource, madeEndpointResource } from './resources.js';

const group = 'Endpoints';

const events = setOf(EVENT_NAMES)
  .refine((names) => names.length > 0, { error: 'must not be empty' })
  .meta({ description: 'What it is told of.' });
const strategyIds = z
  .array(idOf<'strategy'>(), { error: 'must be an array' })
  .min(1, { error: 'must not be empty' })
  .max(100, { error: 'must have at most 100 items' })
  .meta({ description: 'Of these strategies alone, own or followed.' });
const valueLevels = z
  .array(positive, { error: 'must be an array' })
  .max(10, { error: 'must have at most 10 items' })
  .meta({ description: 'For value.crossed: the strategy_values that matter.' });

const target = {
  url: line(2_000, 1).optional().meta({ description: 'Of webhook (https) and discord.' }),
  bot_token: line(100, 1).optional().meta({ description: 'Of telegram, from @BotFather.' }),
  chat_id: line(100, 1).optional().meta({ description: 'Of telegram: a number, or @channel.' }),
};

const anEndpoint: z.infer<typeof endpointResource> = {
  endpoint_id: ids.endpoint,
  kind: 'webhook',
  url: 'https://example.com/slipstream',
  events: ['order.filled', 'bot.error'],
  strategy_ids: null,
  value_levels: [],
  status: 'active',
  status_reason: null,
  created_at: AT,
};

const aDelivery: z.infer<typeof deliveryResource> = {
  delivery_id: ids.delivery,
  endpoint_id: ids.endpoint,
  event: 'order.filled',
  attempt: 1,
  status: 'retrying',
  response_status: 503,
  reason: 'it answered 503',
  next_at: AT,
  created_at: AT,
};

export const endpoints = {
  newEndpoint: operation({
    name: 'newEndpoint',
    group,
    method: 'POST',
    summary: 'Sends events to a webhook, a Telegram chat or a Discord channel from now on.',
    description:
      'Messages to webhooks follow Standard Webhooks: verify them with its libraries and the secret, which is shown once. An endpoint needs the scope of the read of each event, and ends with the token that made or last changed it; one made by a session with every scope depends on the user alone. Without strategy_ids it is told what happens to your own strategies, bots and invoices; with them, of these strategies alone, own or followed.',
    request: z.strictObject({
      kind: oneOf(ENDPOINT_KINDS).meta({ description: 'Where events are sent.' }),
      events,
      strategy_ids: strategyIds.optional(),
      value_levels: valueLevels.optional(),
      ...target,
    }),
    response: madeEndpointResource,
    present: presentMadeEndpoint,
    example: {
      request: { kind: 'webhook', url: anEndpoint.url ?? '', events: anEndpoint.events },
      response: { ...anEndpoint, secret: 'whsec_… (shown once)' },
    },
  }),
  getEndpoints: operation({
    name: 'getEndpoints',
    group,
    method: 'GET',
    summary: "The caller's endpoints, newest first, without secrets.",
    request: z.strictObject({}),
    response: z.array(endpointResource),
    present: list(presentEndpoint),
    example: { request: {}, response: [anEndpoint] },
  }),
  updateEndpoint: operation({
    name: 'updateEndpoint',
    group,
    method: 'POST',
    summary: 'Changes an endpoint, disables it, makes it active again or gives it a new secret.',
    description:
      'Absent fields stay. With rotate_secret the answer shows a new secret; for a day the one before signs too, so that a receiver can change in between. What waited while it was disabled is sent when it is active again.',
    request: z.strictObject({
      endpoint_id: idOf<'endpoint'>(),
      events: events.optional(),
      strategy_ids: strategyIds.nullable().optional().meta({
        description: 'Of these strategies alone, own or followed; null: of all that is your own.',
      }),
      value_levels: valueLevels.optional(),
      status: oneOf(ENDPOINT_STATUSES)
        .optional()
        .meta({ description: 'Whether events are sent, or wait.' }),
      rotate_secret: flag.optional().meta({ description: 'true: a new secret, shown once.' }),
      ...target,
    }),
    response: madeEndpointResource,
    present: presentMadeEndpoint,
    example: {
      request: { endpoint_id: ids.endpoint, status: 'disabled' },
      response: { ...anEndpoint, status: 'disabled', secret: null },
    },
  }),
  deleteEndpoint: operation({
    name: 'deleteEndpoint',
    group,
    method: 'POST',
    summary: 'Removes an endpoint with its deliveries.',
    request: z.strictObject({ endpoint_id: idOf<'endpoint'>() }),
    response: message,
    present: says('Endpoint deleted.'),
    example: { request: { endpoint_id: ids.endpoint }, response: 'Endpoint deleted.' },
  }),
  getDeliveries: operation({
    name: 'getDeliveries',
    group,
    method: 'GET',
    summary: 'What was sent to an endpoint in the last 30 days, newest first.',
    request: z.strictObject({
      endpoint_id: idOf<'endpoint'>(),
      limit: limit.optional(),
      cursor: cursor.optional(),
    }),
    response: z.array(deliveryResource),
    present: list(presentDelivery),
    example: { request: { endpoint_id: ids.endpoint }, response: [aDelivery] },
  }),
  retryDelivery: operation({
    name: 'retryDelivery',
    group,
    method: 'POST',
    summary: 'Sends a message once more, now and under its id.',
    description: 'If that fails, it is tried again for two days, as a new message.',
    request: z.strictObject({ delivery_id: idOf<'delivery'>() }),
    response: deliveryResource,
    present: presentDelivery,
    example: { request: { delivery_id: ids.delivery }, response: aDelivery },
  }),
};
