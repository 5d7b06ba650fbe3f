import { z } from 'zod';
import { idOf, text } from '../fields/text.js';
import { operation } from '../operations/operation.js';
import { limit, cursor } from '../fields/lists.js';
import { postResource } from './resources.js';
import { list, says } from '../operations/answers.js';
import { presentPost } from './present.js';
import { aPost } from './examples.js';
import { ids } from '../example-ids.js';
import { message } from '../fields/output.js';

const group = 'Timelines';
const request = z.strictObject({ post_id: idOf<'post'>() });

export const timelines = {
  getTimeline: operation({
    name: 'getTimeline',
    group,
    method: 'GET',
    summary: 'Posts of a user, or of those whom the caller follows; newest first.',
    description:
      'Without user_id: posts of the owners of the strategies that the caller is subscribed to, and their own.',
    request: z.strictObject({
      user_id: idOf<'user'>().optional(),
      limit: limit.optional(),
      cursor: cursor.optional(),
    }),
    response: z.array(postResource),
    present: list(presentPost),
    example: { request: { limit: '20' }, response: [aPost] },
  }),
  newPost: operation({
    name: 'newPost',
    group,
    method: 'POST',
    summary: 'Publishes a post; strategy_id names a public strategy that it is about.',
    request: z.strictObject({
      text: text(2000, 1).meta({ description: 'What everybody will read.' }),
      strategy_id: idOf<'strategy'>().optional(),
    }),
    response: postResource,
    present: presentPost,
    example: {
      request: { text: aPost.text, strategy_id: ids.strategy },
      response: { ...aPost, like_count: '0' },
    },
  }),
  deletePost: operation({
    name: 'deletePost',
    group,
    method: 'POST',
    summary: 'Removes a post of the caller and its likes.',
    request,
    response: message,
    present: says('Post deleted.'),
    example: { request: { post_id: ids.post }, response: 'Post deleted.' },
  }),
  newLike: operation({
    name: 'newLike',
    group,
    method: 'POST',
    summary: 'Likes a post; a repeat changes nothing.',
    request,
    response: postResource,
    present: presentPost,
    example: {
      request: { post_id: ids.post },
      response: { ...aPost, like_count: '5', liked: true },
    },
  }),
  deleteLike: operation({
    name: 'deleteLike',
    group,
    method: 'POST',
    summary: 'Removes a like; without one it changes nothing.',
    request,
    response: postResource,
    present: presentPost,
    example: { request: { post_id: ids.post }, response: aPost },
  }),
};
