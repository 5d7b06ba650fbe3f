import { DAY } from '../time.js';
import type { StockId } from '../ids.js';
import { type Figure, type FigureGap, type FigureSpan, figureOf } from './figure.js';
import type { RoundTrip } from './record/holdings.js';
import { mean } from './measures/returns.js';

/** The figures of a set of round trips (contract 9). Results are fractions of value; losses are negative. */
export interface RoundTripFigures {
  readonly count: Figure;
  /** Wins / (wins + losses). */
  readonly winRate: Figure;
  /** Sum of the wins / sum of the losses, positive. */
  readonly profitFactor: Figure;
  /** The mean result. */
  readonly expectancy: Figure;
  readonly averageWin: Figure;
  readonly averageLoss: Figure;
  /** Average win / average loss, positive. */
  readonly payoff: Figure;
  readonly largestWin: Figure;
  readonly largestLoss: Figure;
  /** A result of zero ends a row of wins and of losses. */
  readonly maxConsecutiveWins: Figure;
  readonly maxConsecutiveLosses: Figure;
  /** From the opening fill to the closing one. */
  readonly averageDays: Figure;
}

/** The figures of all round trips, of the long and the short ones, and of each stock's. */
export interface RoundTripsBySide {
  readonly all: RoundTripFigures;
  readonly long: RoundTripFigures;
  readonly short: RoundTripFigures;
  /** Ordered by the stock's id. */
  readonly byStock: readonly (RoundTripFigures & { readonly stockId: StockId })[];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The longest row of results that pass. */
function longestRow(results: readonly number[], passes: (result: number) => boolean): number {
  let [row, longest] = [0, 0];
  for (const result of results) {
    row = passes(result) ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
}

/** The figures of round trips in the order in which they ended. */
export function roundTripFigures(trips: readonly RoundTrip[], span: FigureSpan): RoundTripFigures {
  const results = trips.map(({ result }) => result);
  const wins = results.filter((result) => result > 0);
  const losses = results.filter((result) => result < 0);
  const [won, lost] = [mean(wins), mean(losses)];
  const n = trips.length;
  const given = (count: number, result: number | FigureGap) => figureOf(span, count, result);
  const orNone = (result: number | null, gap: FigureGap): number | FigureGap =>
    n === 0 ? 'no_round_trips' : (result ?? gap);
  const decided = wins.length + losses.length;
  return {
    count: given(n, n),
    winRate: given(decided, orNone(decided === 0 ? null : wins.length / decided, 'all_even')),
    profitFactor: given(
      decided,
      orNone(losses.length === 0 ? null : sumOf(wins) / -sumOf(losses), 'no_losses'),
    ),
    expectancy: given(n, orNone(mean(results), 'no_round_trips')),
    averageWin: given(wins.length, orNone(won, 'no_wins')),
    averageLoss: given(losses.length, orNone(lost, 'no_losses')),
    payoff: given(
      decided,
      orNone(
        won === null || lost === null ? null : won / -lost,
        won === null ? 'no_wins' : 'no_losses',
      ),
    ),
    largestWin: given(
      wins.length,
      orNone(won === null ? null : wins.reduce((most, one) => Math.max(most, one)), 'no_wins'),
    ),
    largestLoss: given(
      losses.length,
      orNone(lost === null ? null : losses.reduce((most, one) => Math.min(most, one)), 'no_losses'),
    ),
    maxConsecutiveWins: given(
      n,
      longestRow(results, (result) => result > 0),
    ),
    maxConsecutiveLosses: given(
      n,
      longestRow(results, (result) => result < 0),
    ),
    averageDays: given(
      n,
      orNone(
        mean(trips.map(({ openedAt, closedAt }) => (closedAt - openedAt) / DAY)),
        'no_round_trips',
      ),
    ),
  };
}

/** The figures of round trips by side and by stock. */
export function roundTripsBySide(trips: readonly RoundTrip[], span: FigureSpan): RoundTripsBySide {
  const stocks = new Map<StockId, RoundTrip[]>();
  for (const trip of trips) {
    const own = stocks.get(trip.stockId) ?? [];
    own.push(trip);
    stocks.set(trip.stockId, own);
  }
  const of = (side: RoundTrip['side']) =>
    roundTripFigures(
      trips.filter((trip) => trip.side === side),
      span,
    );
  return {
    all: roundTripFigures(trips, span),
    long: of('long'),
    short: of('short'),
    byStock: [...stocks]
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([stockId, own]) => ({ stockId, ...roundTripFigures(own, span) })),
  };
}
