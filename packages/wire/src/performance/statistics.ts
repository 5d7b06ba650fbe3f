import { TIMEFRAMES, decimal } from '@slipstream/domain';
import { z } from 'zod';
import { ids } from '../example-ids.js';
import { format } from '../fields/csv.js';
import { decimalThat } from '../fields/decimals.js';
import { day, oneOf, wholeNumber } from '../fields/lists.js';
import { idOf, stockRef } from '../fields/text.js';
import { always, operation } from '../operations/operation.js';
import { someStatistics } from './examples.js';
import { presentStatistics, statisticsTable } from './present-statistics.js';
import { statisticsResource } from './statistics-resources.js';

const [least, most] = [decimal('-0.5'), decimal('1')];

export const riskFree = decimalThat(
  'must be from -0.5 to 1',
  (value) => value.gte(least) && value.lte(most),
  { description: 'The yearly risk-free return, a fraction; 0 without it.', examples: ['0.02'] },
);

export const minN = wholeNumber(2, 1000).meta({
  description: 'The fewest returns of a return ratio; 30 without it.',
});

const terms = {
  timeframe: oneOf(TIMEFRAMES)
    .optional()
    .meta({ description: 'Up to yesterday; the segment without it.' }),
  from: day.optional().meta({ description: 'The first day (UTC), instead of a timeframe.' }),
  to: day.optional().meta({ description: 'The last day (UTC); yesterday without it.' }),
  risk_free: riskFree.optional(),
  benchmark: stockRef.optional().meta({
    description: 'A stock to compare with by its daily closes on this service, named as elsewhere.',
  }),
  min_n: minN.optional(),
};

export const statistics = {
  getStrategyStatistics: operation({
    name: 'getStrategyStatistics',
    group: 'Strategies',
    method: 'GET',
    auth: 'optional',
    scope: 'getStrategyValues',
    cost: always(10),
    summary: 'How a strategy earned its figures: returns, risk, drawdowns, months, round trips.',
    description:
      'Of the days of the present segment that are over (UTC). A figure without an honest value is null and says why. The same can be computed offline from a downloaded track record.',
    request: z.strictObject({
      strategy_id: idOf<'strategy'>(),
      ...terms,
      format: format.optional(),
    }),
    response: statisticsResource,
    present: presentStatistics,
    csv: statisticsTable,
    example: {
      request: { strategy_id: ids.strategy, timeframe: 'year', benchmark: ids.stock },
      response: someStatistics,
    },
  }),
  getReport: operation({
    name: 'getReport',
    group: 'Strategies',
    method: 'GET',
    auth: 'optional',
    cost: always(20),
    summary:
      'A report of a strategy, or of a bot, as one HTML file: curves, months, figures, trades.',
    description:
      "The figures of getStrategyStatistics, drawn. The file loads nothing and runs nothing. No token is needed for public strategies; the trades and the breakdown by stock are for the owner and active subscribers. With bot_id instead: the figures of getBotStatistics, for the bot's owner alone, with a token that has the scopes getBotStatistics and getBotOrders too.",
    request: z.strictObject({
      strategy_id: idOf<'strategy'>().optional(),
      bot_id: idOf<'bot'>().optional().meta({ description: 'Instead of strategy_id.' }),
      ...terms,
    }),
    response: z.string(),
    present: (page: string) => page,
    file: 'text/html; charset=utf-8',
    example: {
      request: { strategy_id: ids.strategy, timeframe: 'year' },
      response: '<!doctype html>\n<html lang="en">…</html>\n',
    },
  }),
};
