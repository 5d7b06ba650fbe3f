import { z } from 'zod';
import { ALERT_VERDICTS } from '@slipstream/domain';
import { idOut, timestampOut } from '../fields/output.js';

/** An alert in the inbox (contract 3). */
export const alertResource = z
  .object({
    inbox_id: idOut.meta({ description: 'The X-Request-Id of the request that brought it.' }),
    alert_id: z
      .string()
      .meta({ description: 'What the alert was called by its sender, else its inbox_id.' }),
    strategy_id: idOut
      .nullable()
      .meta({ description: 'Null when it named no strategy of its sender.' }),
    stock_id: idOut.nullable().meta({ description: 'Null when it named no stock.' }),
    token_id: idOut,
    verdict: z.enum(ALERT_VERDICTS),
    reason: z.string().nullable().meta({
      description:
        'Why it was refused, traded nothing or less than planned, or the inbox_id of the alert it repeats or gave way to.',
    }),
    order_id: idOut.nullable().meta({
      description:
        'The order it placed, as getOrders has it; null when it traded nothing in the stock it named.',
    }),
    body: z.string().nullable().meta({
      description: 'What was received, without the token; null when it did not come by HTTP.',
    }),
    received_at: timestampOut,
  })
  .meta({ id: 'Alert' });
