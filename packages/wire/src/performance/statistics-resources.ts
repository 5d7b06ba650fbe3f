import { BASES } from '@slipstream/domain';
import { z } from 'zod';
import { decimalOut, figureOut, idOut, timestampOut } from '../fields/output.js';

const day = z.iso.date();

/** One statistic (contract 17). */
export const figureResource = z
  .object({
    value: figureOut.nullable().meta({ description: 'Null where no value would be honest.' }),
    n: z.int().meta({ description: 'The number of returns, days or round trips that it is of.' }),
    from: day,
    to: day,
    reason: z.string().nullable().meta({ description: 'Why there is no value, for people.' }),
  })
  .meta({ id: 'Figure' });

/** The best or worst one, with its day or month. */
export const datedFigureResource = figureResource
  .extend({ date: z.string().nullable() })
  .meta({ id: 'DatedFigure' });

/** An object with the same schema under each of the names. */
export const each = <const Names extends readonly string[], Schema>(names: Names, schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as {
    readonly [Name in Names[number]]: Schema;
  };

/** The figures of a strategy, in the order of the answer. */
export const FIGURES = [
  'total_return',
  'cagr',
  'volatility',
  'sharpe',
  'sortino',
  'max_drawdown',
  'calmar',
  'underwater_days',
  'underwater_days_now',
  'positive_months',
  'exposure',
  'mean_gross',
  'largest_gross',
  'turnover',
  'costs',
  'fees',
  'slippage',
  'beta',
  'alpha',
  'correlation',
  'tracking',
  'probabilistic_sharpe',
  'minimum_track_record',
] as const;

/** The figures that have a date. */
export const DATED_FIGURES = ['best_day', 'worst_day', 'best_month', 'worst_month'] as const;

/** The figures of round trips. */
export const ROUND_TRIP_FIGURES = [
  'count',
  'win_rate',
  'profit_factor',
  'expectancy',
  'average_win',
  'average_loss',
  'payoff',
  'largest_win',
  'largest_loss',
  'max_consecutive_wins',
  'max_consecutive_losses',
  'average_days',
] as const;

const roundTripsResource = z
  .object(each(ROUND_TRIP_FIGURES, figureResource))
  .meta({ id: 'RoundTrips' });

/** A fall below a peak. */
export const drawdownResource = z
  .object({
    start: day,
    valley: day,
    end: day.nullable(),
    depth: figureOut,
    days: z.int(),
  })
  .meta({ id: 'Drawdown' });

/** A month's compounded return. */
export const monthlyReturnResource = z
  .object({ year: z.int(), month: z.int(), return: figureOut, partial: z.boolean() })
  .meta({ id: 'MonthlyReturn' });

/** getStrategyStatistics' answer. */
export const statisticsResource = z
  .object({
    strategy_id: idOut,
    basis: z.enum(BASES),
    disclosure: z.string(),
    segment_since: timestampOut.nullable(),
    from: day.nullable(),
    to: day,
    days_per_year: z.int(),
    closed_days: z.array(day).optional().meta({
      description:
        'Days (UTC) that do not count because the exchanges were closed against their rules, such as a day of mourning; absent when there were none.',
    }),
    risk_free: decimalOut,
    benchmark: idOut.nullable().meta({
      description:
        'The stock_id that beta, alpha, correlation and tracking compare with: by its last prices of each day (UTC), split-adjusted, without dividends. Dividends would raise its returns.',
    }),
    ...each(FIGURES, figureResource),
    ...each(DATED_FIGURES, datedFigureResource),
    drawdowns: z
      .array(drawdownResource)
      .nullable()
      .meta({ description: 'The five deepest; null where the record does not keep the samples.' }),
    monthly: z.array(monthlyReturnResource),
    round_trips: z.object({
      all: roundTripsResource,
      long: roundTripsResource,
      short: roundTripsResource,
      by_stock: z
        .array(
          roundTripsResource
            .extend({ stock_id: idOut, symbol: z.string().nullable() })
            .meta({ id: 'RoundTripsOfStock' }),
        )
        .nullable()
        .meta({ description: 'Null for readers who may not see the trades.' }),
    }),
  })
  .meta({ id: 'StrategyStatistics' });
