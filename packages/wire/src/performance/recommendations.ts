import { BASES, LISTING_SORTS, ONE, SECURITIES, TIMEFRAMES, decimal } from '@slipstream/domain';
import { decimalThat } from '../fields/decimals.js';
import { z } from 'zod';
import { operation, always } from '../operations/operation.js';
import { several, oneOf, limit, cursor, wholeNumber } from '../fields/lists.js';
import { idOf, line } from '../fields/text.js';
import { strategyResource } from '../strategies/resources.js';
import { immutableList } from '../operations/answers.js';
import { presentStrategy } from '../strategies/present.js';
import { ids } from '../example-ids.js';
import { aStrategy } from '../strategies/examples.js';

const least = decimal('0');
const share = decimalThat('must be from 0 to 1', (value) => value.gte(least) && value.lte(ONE));

export const recommendations = {
  findStrategies: operation({
    name: 'findStrategies',
    cost: always(20),
    group: 'Strategies',
    method: 'GET',
    auth: 'optional',
    summary: 'Public strategies that match a search, the best first; with mine the own ones.',
    description:
      'max_drawdown, return and ranks are of the timeframe (month without it), computed once a minute; a new strategy is found at once. min_age_days counts from segment_since. Without basis only strategies on the prices of this server are found.',
    request: z.strictObject({
      query: line(100)
        .optional()
        .meta({ description: 'Words that all occur in name, description or categories.' }),
      type: oneOf(SECURITIES).optional().meta({ description: 'What they trade.' }),
      category: several(line(50, 1)).optional().meta({ description: 'Any of these.' }),
      max_price: wholeNumber(0, 1_000_000).optional().meta({ description: 'USD per month.' }),
      min_age_days: wholeNumber(0, 100_000)
        .optional()
        .meta({ description: 'Days since segment_since.' }),
      max_drawdown: share.optional(),
      basis: oneOf(BASES)
        .optional()
        .meta({ description: 'Where the prices of its record come from.' }),
      timeframe: oneOf(TIMEFRAMES)
        .optional()
        .meta({ description: 'Of the figures; a month without it.' }),
      sort: oneOf(LISTING_SORTS).optional().meta({
        description:
          'rank_top without it. drawdown and price: the smallest first; return and followers: the largest; age: the oldest.',
      }),
      mine: oneOf(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .meta({ description: 'The own strategies, also private and ended ones; needs a token.' }),
      limit: limit.optional(),
      cursor: cursor.optional(),
    }),
    renames: { category: 'categories', mine: 'isMine' },
    response: z.array(strategyResource),
    present: immutableList(presentStrategy),
    example: {
      request: { query: 'momentum', type: 'stock', max_drawdown: '0.2', sort: 'return' },
      response: [aStrategy],
    },
  }),
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
      timeframe: oneOf(TIMEFRAMES)
        .optional()
        .meta({ description: 'Of the figures; a month without it.' }),
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
