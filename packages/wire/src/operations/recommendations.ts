import { z } from 'zod';
import { ids } from '../examples/ids.js';
import { aStrategy } from '../examples/records.js';
import { always, operation } from '../operation.js';
import { immutableList, presentStrategy } from '../present/index.js';
import { TIMEFRAMES, strategyResource } from '../resources/index.js';
import { idOf, limit, oneOf, several } from '../scalars.js';

export const recommendations = {
  getRecommendedStrategies: operation({
    name: 'getRecommendedStrategies',
    cost: always(20),
    group: 'Strategies',
    method: 'GET',
    auth: 'optional',
    summary: 'Public strategies by rank_top, those like the named ones first.',
    description:
      'strategy_id[] names what the caller already knows: left out, their categories preferred. timeframe is month and limit 10 when absent.',
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
