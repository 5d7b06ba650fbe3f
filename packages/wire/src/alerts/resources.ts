import { z } from 'zod';
import { ALERT_VERDICTS } from '@slipstream/domain';
import { idOut, timestampOut } from '../fields/output.js';

/** An alert in the inbox (contract 3). */
export const alertResource = z
  .object({
    inbox_id: idOut.meta({ description: 'The X-Request-Id of its request.' }),
    alert_id: z
      .string()
      .meta({ description: "The sender's name for the alert, or else its inbox_id." }),
    strategy_id: idOut
      .nullable()
      .meta({ description: 'Null if it named no strategy of its sender.' }),
    stock_id: idOut.nullable().meta({ description: 'Null if it named no stock.' }),
    token_id: idOut,
    verdict: z.enum(ALERT_VERDICTS),
    reason: z.string().nullable().meta({
      description:
        'Why it was refused, or traded nothing or less than planned; or the inbox_id of the alert that it repeats or that superseded it.',
    }),
    order_id: idOut.nullable().meta({
      description:
        'The order that it placed, as in getOrders; null if it traded nothing in its stock.',
    }),
    body: z.string().nullable().meta({
      description: 'The received text, without the token; null if it did not come by HTTP.',
    }),
    received_at: timestampOut,
  })
  .meta({ id: 'Alert' });
