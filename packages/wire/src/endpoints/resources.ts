import {
  DELIVERY_STATUSES,
  ENDPOINT_KINDS,
  ENDPOINT_STATUSES,
  EVENT_NAMES,
} from '@slipstream/domain';
import { z } from 'zod';
import { decimalOut, idOut, timestampOut } from '../fields/output.js';

/** Contract 17, "Endpoint". */
export const endpointResource = z
  .object({
    endpoint_id: idOut,
    kind: z.enum(ENDPOINT_KINDS),
    url: z
      .string()
      .nullable()
      .meta({ description: 'Null for telegram; of discord without its last part, a secret.' }),
    events: z.array(z.enum(EVENT_NAMES)),
    strategy_ids: z
      .array(idOut)
      .nullable()
      .meta({ description: "Null for all events of the user's own things." }),
    value_levels: z
      .array(decimalOut)
      .meta({ description: 'value.crossed is told when a strategy_value passes one of them.' }),
    status: z.enum(ENDPOINT_STATUSES),
    status_reason: z.string().nullable().meta({ description: 'Why it disabled itself.' }),
    created_at: timestampOut,
  })
  .meta({ id: 'Endpoint' });

/** An endpoint with its secret. */
export const madeEndpointResource = endpointResource
  .extend({
    secret: z.string().nullable().meta({
      description:
        'Signs the messages (Standard Webhooks). Shown in this answer alone; null for messengers, and when it was not made anew.',
    }),
  })
  .meta({ id: 'MadeEndpoint' });

/** Contract 17, "delivery". */
export const deliveryResource = z
  .object({
    delivery_id: idOut.meta({ description: 'The webhook-id of every attempt.' }),
    endpoint_id: idOut,
    event: z.enum(EVENT_NAMES),
    attempt: z.int().meta({ description: 'Attempts so far, since the last retryDelivery.' }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description: 'pending was never tried, retrying is tried again, failed is given up.',
    }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last attempt; null without an answer.' }),
    reason: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
    next_at: timestampOut.nullable(),
    created_at: timestampOut,
  })
  .meta({ id: 'Delivery' });
