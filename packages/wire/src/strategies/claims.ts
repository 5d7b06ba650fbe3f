import { z } from 'zod';
import { MAX_CLAIMED_POINTS } from '@slipstream/domain';
import { positive } from '../fields/decimals.js';
import { moment } from '../fields/lists.js';
import { idOf } from '../fields/text.js';
import { KIB, operation } from '../operations/operation.js';
import { ids } from '../example-ids.js';
import { aStrategy } from './examples.js';
import { presentStrategy } from './present.js';
import { strategyResource } from './resources.js';

const strategyId = idOf<'strategy'>();

/** What an owner claims of the time before the strategy was here. */
export const claims = {
  newClaimedHistory: operation({
    name: 'newClaimedHistory',
    group: 'Strategies',
    method: 'POST',
    summary: 'Imports what the owner claims of the time before the strategy was here.',
    description:
      'It is kept apart from the record, is always named as claimed, and counts in no figure, rank or proof. It replaces an earlier import.',
    bodyLimit: 512 * KIB,
    request: z.strictObject({
      strategy_id: strategyId,
      points: z
        .array(z.strictObject({ at: moment, value: positive }), { error: 'must be an array' })
        .min(2, { error: 'must have 2 items or more' })
        .max(MAX_CLAIMED_POINTS, { error: `must have at most ${MAX_CLAIMED_POINTS} items` })
        .meta({
          description:
            'Oldest first, all before the strategy was created. The values are of any unit; they are kept in units of the first one.',
        }),
    }),
    response: strategyResource,
    present: presentStrategy,
    example: {
      request: {
        strategy_id: ids.strategy,
        points: [
          { at: '2025-01-31T21:00:00Z', value: '10000' },
          { at: '2025-02-28T21:00:00Z', value: '10420.50' },
        ],
      },
      response: aStrategy,
    },
  }),
  deleteClaimedHistory: operation({
    name: 'deleteClaimedHistory',
    group: 'Strategies',
    method: 'POST',
    summary: 'Removes the imported history of a strategy.',
    request: z.strictObject({ strategy_id: strategyId }),
    response: strategyResource,
    present: presentStrategy,
    example: { request: { strategy_id: ids.strategy }, response: { ...aStrategy, claimed: null } },
  }),
};
