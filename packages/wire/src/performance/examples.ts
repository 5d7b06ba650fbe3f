import type { z } from 'zod';
import { AT, ids } from '../example-ids.js';
import {
  DATED_FIGURES,
  FIGURES,
  ROUND_TRIP_FIGURES,
  type figureResource,
  type statisticsResource,
} from './statistics-resources.js';

const span = { from: '2026-01-02', to: '2026-06-30' };
const figure = (value: string, n = 124) => ({ value, n, ...span, reason: null });

/** The same example figure under each name. */
const each = <const Names extends readonly string[]>(names: Names, n: number) =>
  Object.fromEntries(names.map((name) => [name, figure('0.12', n)])) as {
    [Name in Names[number]]: z.infer<typeof figureResource>;
  };

const trips = { ...each(ROUND_TRIP_FIGURES, 9), count: figure('9', 9) };
const dated = Object.fromEntries(
  DATED_FIGURES.map((name) => [name, { ...figure('0.021'), date: '2026-03-05' }]),
) as {
  [Name in (typeof DATED_FIGURES)[number]]: z.infer<typeof figureResource> & { date: string };
};

/** Statistics of half a year. */
export const someStatistics: z.infer<typeof statisticsResource> = {
  strategy_id: ids.strategy,
  basis: 'simulated',
  disclosure: 'All figures are hypothetical results on simulated prices.',
  segment_since: AT,
  ...span,
  days_per_year: 252,
  risk_free: '0',
  benchmark: ids.stock,
  ...each(FIGURES, 124),
  ...dated,
  drawdowns: [{ start: '2026-02-03', valley: '2026-02-10', end: null, depth: '0.083', days: 147 }],
  monthly: [{ year: 2026, month: 1, return: '0.031', partial: true }],
  round_trips: {
    all: trips,
    long: trips,
    short: trips,
    by_stock: [{ stock_id: ids.stock, symbol: 'AAPL', ...trips }],
  },
};
