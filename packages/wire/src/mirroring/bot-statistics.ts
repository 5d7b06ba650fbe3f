import {
  type AccountFigures,
  type AccountStatistics,
  type Bot,
  type Decimal,
  TIMEFRAMES,
  decimalText,
} from '@slipstream/domain';
import { z } from 'zod';
import { ids } from '../example-ids.js';
import { day, oneOf } from '../fields/lists.js';
import { decimalOut, idOut } from '../fields/output.js';
import { idOf } from '../fields/text.js';
import { always, operation } from '../operations/operation.js';
import { presentDated, presentEach, presentFigure } from '../performance/present-statistics.js';
import { minN, riskFree } from '../performance/statistics.js';
import {
  DATED_FIGURES,
  datedFigureResource,
  drawdownResource,
  each,
  figureResource,
  monthlyReturnResource,
} from '../performance/statistics-resources.js';

/** The figures that the history of an account can give. */
const ACCOUNT_FIGURES = [
  ...['total_return', 'cagr', 'volatility', 'sharpe', 'sortino', 'positive_months'],
  ...['probabilistic_sharpe', 'minimum_track_record', 'max_drawdown', 'calmar'],
  ...['underwater_days', 'underwater_days_now'],
] as const;

const TRACKING = [
  ...['total', 'slippage', 'fees', 'delay', 'not_held', 'leverage_and_caps', 'other'],
] as const;

const accountFigures = {
  ...each(ACCOUNT_FIGURES, figureResource),
  ...each(DATED_FIGURES, datedFigureResource),
  drawdowns: z.array(drawdownResource).nullable().meta({
    description: 'The five deepest, by the kept readings; null while there are none.',
  }),
  monthly: z.array(monthlyReturnResource),
};

/** getBotStatistics' answer. */
const botStatisticsResource = z
  .object({
    bot_id: idOut,
    live: z.boolean(),
    from: z.iso.date().nullable(),
    to: z.iso.date(),
    days_per_year: z.int(),
    risk_free: decimalOut,
    ...accountFigures,
    target: z
      .object(accountFigures)
      .meta({ id: 'TargetStatistics', description: 'The same of the target that it mirrored.' }),
    tracking: z.object(each(TRACKING, figureResource)).meta({
      id: 'TrackingDifference',
      description:
        "The account's return less its target's, by cause. The causes sum to the total: those without a value are in other.",
    }),
  })
  .meta({ id: 'BotStatistics' });

const presentAccount = (figures: AccountFigures) => ({
  ...presentEach(ACCOUNT_FIGURES, presentFigure, figures),
  ...presentEach(DATED_FIGURES, presentDated, figures),
  drawdowns: figures.drawdowns && [...figures.drawdowns],
  monthly: [...figures.monthly],
});

const presentBotStatistics = (
  view: AccountStatistics & {
    readonly bot: Bot;
    readonly daysPerYear: number;
    readonly riskFree: Decimal;
  },
): z.infer<typeof botStatisticsResource> => ({
  bot_id: view.bot.id,
  live: view.bot.live,
  from: view.from,
  to: view.to,
  days_per_year: view.daysPerYear,
  risk_free: decimalText(view.riskFree),
  ...presentAccount(view),
  target: presentAccount(view.target),
  tracking: presentEach(TRACKING, presentFigure, view.tracking),
});

const span = { from: '2026-01-02', to: '2026-06-30' };
const figure = { value: '0.12', n: 124, ...span, reason: null };
const notMeasured = {
  ...{ value: null, n: 0, ...span },
  reason: 'it is not measured apart: it is part of other',
};
const someFigures = {
  ...{ total_return: figure, cagr: figure, volatility: figure, sharpe: figure, sortino: figure },
  ...{ positive_months: figure, probabilistic_sharpe: figure, minimum_track_record: figure },
  ...{ max_drawdown: figure, calmar: figure, underwater_days: figure, underwater_days_now: figure },
  drawdowns: [{ start: '2026-02-03', valley: '2026-02-10', end: null, depth: '0.083', days: 147 }],
  best_day: { ...figure, date: '2026-03-05' },
  worst_day: { ...figure, date: '2026-03-06' },
  best_month: { ...figure, date: '2026-03' },
  worst_month: { ...figure, date: '2026-04' },
  monthly: [{ year: 2026, month: 1, return: '0.031', partial: true }],
};

export const botStatistics = {
  getBotStatistics: operation({
    name: 'getBotStatistics',
    group: 'Bots',
    method: 'GET',
    cost: always(20),
    summary:
      "The figures of a bot's account without its flows, beside its target, and the difference by cause.",
    description:
      'Of the days that are over (UTC), from the last readings of each day. They begin after the last flow that is not known. Falls are by the kept readings: a row a minute of the last day, then thinned.',
    request: z.strictObject({
      bot_id: idOf<'bot'>(),
      timeframe: oneOf(TIMEFRAMES).optional().meta({ description: 'Up to yesterday.' }),
      from: day.optional().meta({ description: 'The first day (UTC), instead of a timeframe.' }),
      to: day.optional().meta({ description: 'The last day (UTC); yesterday without it.' }),
      risk_free: riskFree.optional(),
      min_n: minN.optional(),
    }),
    response: botStatisticsResource,
    present: presentBotStatistics,
    example: {
      request: { bot_id: ids.bot, timeframe: 'year' },
      response: {
        bot_id: ids.bot,
        live: false,
        ...span,
        days_per_year: 252,
        risk_free: '0',
        ...someFigures,
        target: someFigures,
        tracking: {
          ...{ total: figure, slippage: figure, fees: notMeasured, delay: figure },
          ...{ not_held: figure, leverage_and_caps: figure, other: figure },
        },
      },
    },
  }),
};
