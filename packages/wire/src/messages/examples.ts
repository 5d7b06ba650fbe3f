import type { z } from 'zod';
import type { notificationResource } from './resources.js';
import { ids, AT } from '../example-ids.js';

export const aNotification: z.infer<typeof notificationResource> = {
  notification_id: ids.notification,
  user_id: ids.user,
  type: 'subscription',
  text: 'Your strategy Momentum has a new subscriber.',
  strategy_id: ids.strategy,
  bot_id: null,
  post_id: null,
  read_at: null,
  created_at: AT,
};
