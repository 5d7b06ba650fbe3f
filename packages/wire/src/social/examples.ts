import type { z } from 'zod';
import type { postResource } from './resources.js';
import { ids, AT } from '../example-ids.js';

export const aPost: z.infer<typeof postResource> = {
  post_id: ids.post,
  user_id: ids.user,
  strategy_id: ids.strategy,
  text: 'Out of tech until the trend turns.',
  like_count: '4',
  liked: false,
  created_at: AT,
};
