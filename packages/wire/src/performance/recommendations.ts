import { TIMEFRAMES } from '@slipstream/domain';
import { z } from 'zod';
import { operation, always } from '../operations/operation.js';
import { several, oneOf, limit } from '../fields/lists.js';
import { idOf } from '../fields/text.js';
import { strategyResource } from '../strategies/resources.js';
import { immutableList } from '../operations/answers.js';
import { presentStrategy } from '../strategies/present.js';
import { ids } from '../example-ids.js';
import { aStrategy } from '../strategies/examples.js';

export const recommendations = {
  getRecommendedStrategies: operation({
    name: 'getRecommendedStrategies',
    cost: always(20),
    group: 'Strategies',
    method: 'GET',
    auth: 'optional',
    summary: 'Public strategies by rank_top, first those that resemble the named ones.',
    description:
      'strategy_id[] names the strategies that the caller knows: they are left out, and their categories preferred. timeframe is month and limit 10 by default.',
    request: z.strictObject({
      strategy_id: several(idOf<'strategy'>()).optional(),
      timeframe: oneOf(TIMEFRAMES).optional(),
      limit: limit.optional(),
    }),
    renames: { strategy_id: 'strategyIds' },
    response: z.array(strategyResource),
    present: immutableList(presentStrategy),
    example: {
      request: { strategy_id: [ids.bot], timeframe: 'month', limit: '10' },
      response: [aStrategy],
    },
  }),
};
