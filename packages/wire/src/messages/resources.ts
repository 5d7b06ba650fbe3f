import { z } from 'zod';
import { NOTIFICATION_TYPES } from '@slipstream/domain';
import { idOut, timestampOut } from '../fields/output.js';

/** A message to the user; ids of things that it is not about are null. */
export const notificationResource = z
  .object({
    notification_id: idOut,
    user_id: idOut,
    type: z.enum(NOTIFICATION_TYPES),
    text: z.string(),
    strategy_id: idOut.nullable(),
    bot_id: idOut.nullable(),
    post_id: idOut.nullable(),
    read_at: timestampOut.nullable(),
    created_at: timestampOut,
  })
  .meta({ id: 'Notification' });

/** A mail to the user that is waiting or could not be delivered. */
export const mailResource = z.object({
  to: z.string(),
  subject: z.string(),
  failure: z.string().nullable().meta({ description: 'Why it is not sent again.' }),
  created_at: timestampOut,
});
