import { z } from 'zod';
import { FIRST_HASH } from '@slipstream/domain';
import { operation } from '../operations/operation.js';
import { idOf } from '../fields/text.js';
import { limit, oneOf } from '../fields/lists.js';
import { EXAMPLE_HEAD, aRecordProof } from './anchors.js';
import { trackRecordResource } from './resources.js';
import { presentTrackRecord } from './present.js';
import { ids, AT } from '../example-ids.js';

/** The `seq` after which the list continues; 0 or nothing begins at the first entry. */
const cursor = z
  .string()
  .refine((text) => /^\d{1,15}$/.test(text), { error: 'must be the seq after which to go on' })
  .transform(Number)
  .meta({ type: 'integer', minimum: 0, maximum: 999_999_999_999_999 });

export const trackRecord = {
  getTrackRecord: operation({
    name: 'getTrackRecord',
    group: 'Strategies',
    method: 'GET',
    auth: 'optional',
    scope: 'getTrackRecord',
    cost: ({ proof }: { proof?: unknown }) => (proof === undefined ? 1 : 10),
    summary: 'The tamper-evident record of every fill and daily value, oldest first.',
    description:
      'Each entry contains the hash of the one before, and its own hash covers all of it: `slipstream verify` checks a downloaded record offline, also against an earlier hash and against anchors. The record is for the owner and active subscribers. With proof=true everybody who sees the strategy gets the hashes, the head and the path of each entry to its anchor; no token is needed for public strategies.',
    request: z.strictObject({
      strategy_id: idOf<'strategy'>(),
      limit: limit.optional(),
      cursor: cursor.optional().meta({
        description: 'The seq of the last entry of the page before: the record goes on after it.',
      }),
      proof: oneOf(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .meta({ description: 'true: also the head, and the path of each entry to its anchor.' }),
    }),
    renames: { cursor: 'after' },
    response: trackRecordResource,
    present: presentTrackRecord,
    example: {
      request: { strategy_id: ids.strategy, proof: 'true' },
      response: {
        strategy_id: ids.strategy,
        entries: [
          {
            seq: 1,
            kind: 'value',
            at: AT,
            body: '{"format":2,"strategy_value":"1.2","high":"1.21","low":"1.19","drawdown":"0.01","gross":"0.8","held":"1"}',
            previous_hash: FIRST_HASH,
            hash: EXAMPLE_HEAD,
          },
        ],
        proof: aRecordProof,
      },
    },
  }),
};
