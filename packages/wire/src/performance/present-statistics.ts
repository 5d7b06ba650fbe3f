import {
  FIGURE_GAPS,
  type DatedFigure,
  type Figure,
  type RoundTripFigures,
  type StatisticsView,
  decimalText,
} from '@slipstream/domain';
import type { z } from 'zod';
import { csvText } from '../fields/csv.js';
import { timeOrNull } from '../fields/output.js';
import { type Camel, camel } from '../operations/camel-keys.js';
import {
  DATED_FIGURES,
  FIGURES,
  ROUND_TRIP_FIGURES,
  type datedFigureResource,
  type figureResource,
  type statisticsResource,
} from './statistics-resources.js';

export const presentFigure = ({
  value,
  n,
  from,
  to,
  gap,
}: Figure): z.infer<typeof figureResource> => ({
  value,
  n,
  from,
  to,
  reason: gap && FIGURE_GAPS[gap],
});

export const presentDated = (figure: DatedFigure): z.infer<typeof datedFigureResource> => ({
  ...presentFigure(figure),
  date: figure.date,
});

/** The part of a view that has these names. */
type Named<Names extends readonly string[], Value> = {
  readonly [Name in Names[number] as Camel<Name>]: Value;
};

/** Each named field of the view, presented. */
export function presentEach<const Names extends readonly string[], From, To>(
  names: Names,
  present: (value: From) => To,
  view: Named<Names, From>,
): { [Name in Names[number]]: To } {
  const fields = view as Readonly<Record<string, From>>;
  return Object.fromEntries(names.map((name) => [name, present(fields[camel(name)] as From)])) as {
    [Name in Names[number]]: To;
  };
}

const presentTrips = (trips: RoundTripFigures) =>
  presentEach(ROUND_TRIP_FIGURES, presentFigure, trips);

/** The monthly table and the daily series. Figures are those of the record, to the digit (contract 9). */
export const statisticsTable = ({ basis, monthly, series }: StatisticsView): string =>
  csvText([
    ['basis', 'kind', 'date', 'value', 'return', 'partial'],
    ...monthly.map(({ year, month, return: change, partial }) => [
      ...[basis, 'month', `${year}-${String(month).padStart(2, '0')}`],
      ...[null, change, partial],
    ]),
    ...(series ?? []).map(({ date, value, return: change }) => [
      ...[basis, 'day', date, value, change, null],
    ]),
  ]);

/** The statistics under the names of contract 17. */
export const presentStatistics = (view: StatisticsView): z.infer<typeof statisticsResource> => ({
  strategy_id: view.strategyId,
  basis: view.basis,
  disclosure: view.disclosure,
  segment_since: timeOrNull(view.segmentSince),
  from: view.from,
  to: view.to,
  days_per_year: view.daysPerYear,
  ...(view.closedDays.length > 0 && { closed_days: [...view.closedDays] }),
  risk_free: decimalText(view.riskFree),
  benchmark: view.benchmark,
  ...presentEach(FIGURES, presentFigure, view),
  ...presentEach(DATED_FIGURES, presentDated, view),
  drawdowns: view.drawdowns && [...view.drawdowns],
  monthly: [...view.monthly],
  round_trips: {
    all: presentTrips(view.roundTrips.all),
    long: presentTrips(view.roundTrips.long),
    short: presentTrips(view.roundTrips.short),
    by_stock:
      view.roundTrips.byStock?.map((trips) => ({
        stock_id: trips.stockId,
        symbol: trips.symbol,
        ...presentTrips(trips),
      })) ?? null,
  },
});
