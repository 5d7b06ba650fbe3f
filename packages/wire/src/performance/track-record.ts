import { z } from 'zod';
import { FIRST_HASH } from '@slipstream/domain';
import { operation } from '../operations/operation.js';
import { idOf } from '../fields/text.js';
import { limit } from '../fields/lists.js';
import { trackRecordResource } from './resources.js';
import { presentTrackRecord } from './present.js';
import { ids, AT } from '../example-ids.js';

/** The `seq` after which the list continues; 0 or nothing begins at the first entry. */
const cursor = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'must be the seq after which to go on' })
  .transform(Number)
  .meta({ type: 'integer', minimum: 0 });

export const trackRecord = {
  getTrackRecord: operation({
    name: 'getTrackRecord',
    group: 'Strategies',
    method: 'GET',
    summary: 'The tamper-evident record of every fill and daily value, oldest first.',
    description:
      'Each entry contains the hash of the one before, and its own hash covers all of it: `slipstream verify` checks a downloaded record offline, also against an earlier hash.',
    request: z.strictObject({
      strategy_id: idOf<'strategy'>(),
      limit: limit.optional(),
      cursor: cursor.optional(),
    }),
    renames: { cursor: 'after' },
    response: trackRecordResource,
    present: presentTrackRecord,
    example: {
      request: { strategy_id: ids.strategy },
      response: {
        strategy_id: ids.strategy,
        entries: [
          {
            seq: 1,
            kind: 'value',
            at: AT,
            body: '{"format":2,"strategy_value":"1.2","high":"1.21","low":"1.19","drawdown":"0.01","gross":"0.8","held":"1"}',
            previous_hash: FIRST_HASH,
            hash: 'c5d1b9d3a9a0b0f6c9a3e3c2f5ef0c1d1d3c5d3c1c2f3d1a9b8e7f6a5b4c3d2e',
          },
        ],
      },
    },
  }),
};
