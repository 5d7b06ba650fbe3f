import { z } from 'zod';
import { INTERVALS, type Interval, SECURITIES, TIMEFRAMES } from '@slipstream/domain';
import { oneOf, categories, flag, momentOrDay, several } from '../fields/lists.js';
import { format } from '../fields/csv.js';
import { strategyValueResource, historyPointResource } from '../performance/resources.js';
import { idOf, text, line, stockRef } from '../fields/text.js';
import { alertWatch, monthlyPrice } from '../fields/figures.js';
import { positive } from '../fields/decimals.js';
import { operation, always } from '../operations/operation.js';
import { strategyResource } from './resources.js';
import { presentStrategy } from './present.js';
import { aStrategy } from './examples.js';
import { ids, AT } from '../example-ids.js';
import { message } from '../fields/output.js';
import { says, immutableList, list } from '../operations/answers.js';
import { historyTable, presentStrategyValue, presentHistoryPoint } from '../performance/present.js';
import { positionsResource } from '../trading/resources.js';
import { presentPositions } from '../trading/present.js';
import { somePositions } from '../trading/examples.js';

const group = 'Strategies';
const timeframe = oneOf(TIMEFRAMES)
  .optional()
  .meta({ description: 'Of the timeframes only that one.' });
const strategyId = idOf<'strategy'>();
const strategyName = line(100, 1).meta({ description: 'Shown to everybody who may see it.' });
const INTERVAL_NAMES = Object.keys(INTERVALS) as Interval[];
const settings = {
  description: text(5000)
    .optional()
    .meta({ description: 'What it trades and why, for its readers.' }),
  categories: categories.optional(),
  private: flag.optional().meta({
    description: 'true: only you, its subscribers and those you invited see it.',
  }),
  price: monthlyPrice.optional().meta({ description: 'Whole USD per month.' }),
  input_value: positive.optional().meta({
    description:
      "The owner's value of the strategy in their own currency, which sets the multiplier.",
  }),
  invited_user_ids: z
    .array(idOf<'user'>(), { error: 'must be an array' })
    .max(100, { error: 'must have at most 100 items' })
    .optional()
    .meta({
      description: 'Who may subscribe while it is private: all of them, also those of before.',
    }),
  alert_watch: alertWatch.nullable().optional().meta({
    description:
      'Trading hours without an alert, 1 to 720, after which you are notified once: a lost alert is otherwise silent. Null for never.',
  }),
};

export const strategies = {
  newStrategy: operation({
    name: 'newStrategy',
    group,
    method: 'POST',
    summary: 'Creates a strategy: value 1, all cash.',
    request: z.strictObject({
      type: oneOf(SECURITIES).meta({ description: 'What it trades, for ever.' }),
      name: strategyName,
      ...settings,
    }),
    response: strategyResource,
    present: presentStrategy,
    example: {
      request: { type: 'stock', name: 'Momentum', price: 15, input_value: '10000' },
      response: aStrategy,
    },
  }),
  updateStrategy: operation({
    name: 'updateStrategy',
    group,
    method: 'POST',
    summary: 'Changes the given fields of a strategy.',
    request: z.strictObject({
      strategy_id: strategyId,
      name: strategyName.optional(),
      ...settings,
    }),
    response: strategyResource,
    present: presentStrategy,
    example: {
      request: { strategy_id: ids.strategy, name: 'Momentum', input_value: 12000 },
      response: aStrategy,
    },
  }),
  deleteStrategy: operation({
    name: 'deleteStrategy',
    group,
    method: 'POST',
    summary: 'Deletes a strategy: open orders are cancelled, subscriptions end.',
    request: z.strictObject({ strategy_id: strategyId }),
    response: message,
    present: says('Strategy deleted.'),
    example: { request: { strategy_id: ids.strategy }, response: 'Strategy deleted.' },
  }),
  undoStrategyEnd: operation({
    name: 'undoStrategyEnd',
    group,
    method: 'POST',
    auth: 'operator',
    summary: 'Undoes the end of a strategy whose value was at or below zero, within 7 days.',
    description:
      'It trades and ranks again. Closed positions stay closed, and refunded subscriptions stay ended.',
    request: z.strictObject({ strategy_id: strategyId }),
    response: strategyResource,
    present: presentStrategy,
    example: { request: { strategy_id: ids.strategy }, response: aStrategy },
  }),
  getStrategies: operation({
    name: 'getStrategies',
    group,
    method: 'GET',
    auth: 'optional',
    summary: 'Strategies with their performance and ranks.',
    request: z.strictObject({ strategy_id: several(strategyId), timeframe }),
    renames: { strategy_id: 'strategyIds' },
    response: z.array(strategyResource),
    present: immutableList(presentStrategy),
    example: {
      request: { strategy_id: [ids.strategy], timeframe: 'month' },
      response: [aStrategy],
    },
  }),
  getStrategyValues: operation({
    name: 'getStrategyValues',
    group,
    method: 'GET',
    summary: 'The current values; null while a quote is missing.',
    request: z.strictObject({ strategy_id: several(strategyId) }),
    renames: { strategy_id: 'strategyIds' },
    response: z.array(strategyValueResource),
    present: list(presentStrategyValue),
    example: {
      request: { strategy_id: [ids.strategy] },
      response: [
        { strategy_id: ids.strategy, strategy_value: '1.2', closing_only: false, ended_at: null },
      ],
    },
  }),
  getStrategyHistory: operation({
    name: 'getStrategyHistory',
    cost: always(3),
    group,
    method: 'GET',
    auth: 'optional',
    scope: 'getStrategyHistory',
    summary: 'The value history at equal steps of time, at most 500 points.',
    description:
      'Of a timeframe (a month without it, or all), or from one time or day to another. Each point has the last value at or before it, and the extremes since the point before. No token is needed for public strategies.',
    request: z.strictObject({
      strategy_id: strategyId,
      timeframe: oneOf([...TIMEFRAMES, 'all'])
        .optional()
        .meta({ description: 'Up to now; a month without it, and all is the whole segment.' }),
      from: momentOrDay('start').optional().meta({ description: 'Instead of a timeframe.' }),
      to: momentOrDay('end').optional().meta({ description: 'Its day included; now without it.' }),
      interval: oneOf(INTERVAL_NAMES)
        .optional()
        .meta({ description: 'The step of time; without it the steps that make 500 points.' }),
      claimed: oneOf(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .meta({
          description:
            'The imported history instead: what the owner claims of the time before the strategy was here. Nobody checked it.',
        }),
      benchmark: stockRef.optional().meta({
        description: 'A stock whose daily closes each point has beside it.',
      }),
      format: format.optional(),
    }),
    command: ({ strategy_id, timeframe: over, from, to, interval, claimed, benchmark }) => ({
      ...{ strategyId: strategy_id, timeframe: over, from, to, interval, isClaimed: claimed },
      benchmark,
    }),
    response: z.array(historyPointResource),
    present: list(presentHistoryPoint),
    csv: historyTable,
    example: {
      request: { strategy_id: ids.strategy, timeframe: 'day' },
      response: [{ at: AT, strategy_value: '1.2', high: '1.21', low: '1.19' }],
    },
  }),
  getPositions: operation({
    name: 'getPositions',
    group,
    method: 'GET',
    summary: 'The positions of a strategy, for its owner and active subscribers.',
    request: z.strictObject({ strategy_id: strategyId }),
    response: positionsResource,
    present: presentPositions,
    example: { request: { strategy_id: ids.strategy }, response: somePositions },
  }),
};
