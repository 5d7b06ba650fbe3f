import { z } from 'zod';
import { idOut, decimalOut, timestampOut } from '../fields/output.js';

/** A post of a timeline (spec 2.9). */
export const postResource = z
  .object({
    post_id: idOut,
    user_id: idOut,
    strategy_id: idOut.nullable().meta({
      description: 'Also null if the caller may not see the strategy.',
    }),
    text: z.string(),
    like_count: decimalOut,
    liked: z.boolean().meta({ description: 'Whether the caller likes it.' }),
    created_at: timestampOut,
  })
  .meta({ id: 'Post' });

/** A like in the export of who gave it. */
export const givenLikeResource = z.object({ post_id: idOut, created_at: timestampOut });

/** A post in the export of its author. */
export const ownPostResource = postResource.omit({ like_count: true, liked: true });
