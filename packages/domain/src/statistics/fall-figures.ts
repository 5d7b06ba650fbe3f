import { type Episode, daysUnder, deepestOf, episodesOf } from './measures/drawdowns.js';
import { type Figure, type FigureGap, type FigureSpan, figureOf, figureText } from './figure.js';
import type { RecordFigures } from './record/record-reader.js';
import { yearlyGrowth } from './return-figures.js';
import { type DailySeries, type Window, areSampled, dateOfDay, daysWithin } from './series.js';

/** A fall below a peak (contract 17). Dates are `YYYY-MM-DD` in UTC. */
export interface Drawdown {
  readonly start: string;
  readonly valley: string;
  /** The day on which the value was back; null while it is not. */
  readonly end: string | null;
  /** A positive fraction, of 12 significant digits. */
  readonly depth: string;
  /** Calendar days until the end, or until the end of the span. */
  readonly days: number;
}

/** The figures of falls below peaks, from samples (contract 9). */
export interface FallFigures {
  /** A positive fraction. */
  readonly maxDrawdown: Figure;
  /** Cagr / max drawdown of the same span. */
  readonly calmar: Figure;
  /** The longest time below a peak, in calendar days. */
  readonly underwaterDays: Figure;
  /** The time below the last peak, in calendar days; zero at a peak. */
  readonly underwaterDaysNow: Figure;
  /** The five deepest; null where the record does not keep the samples. */
  readonly drawdowns: readonly Drawdown[] | null;
}

const SHOWN = 5;

const written = (episode: Episode, today: number): Drawdown => ({
  start: dateOfDay(episode.start),
  valley: dateOfDay(episode.valley),
  end: episode.end === null ? null : dateOfDay(episode.end),
  depth: figureText(episode.depth),
  days: daysUnder(episode, today),
});

/** The deepest first; of those that are equal in all digits that are shown, the earliest first. */
const inOrder = (episodes: readonly Episode[]): readonly Episode[] =>
  episodes
    .map((episode) => ({ episode, depth: Number(figureText(episode.depth)) }))
    .sort((first, second) => second.depth - first.depth)
    .map(({ episode }) => episode);

/** The falls of a window. Days from before samples were kept hide falls: then no figure is honest. */
export function fallFigures(
  figures: RecordFigures,
  series: DailySeries,
  window: Window,
  span: FigureSpan,
  minN: number,
): FallFigures {
  const days = daysWithin(figures.days, window);
  const n = days.length;
  const none = (gap: FigureGap): FallFigures => {
    const figure = figureOf(span, n, gap);
    const same = { maxDrawdown: figure, underwaterDays: figure, underwaterDaysNow: figure };
    return { ...same, calmar: figureOf(span, series.values.length, gap), drawdowns: null };
  };
  if (series.days.length === 0) return none('no_days');
  if (!(series.base > 0)) return none('not_positive');
  if (!areSampled(days)) return none('old_days');
  const episodes = episodesOf(
    series.base,
    series.baseDay,
    days.map(({ day, close, samples }) => ({ day, close, ...samples })),
    series.days,
  );
  const deepest = deepestOf(episodes);
  const growth = yearlyGrowth(series);
  const ratio =
    typeof growth === 'string' ? growth : deepest > 0 ? growth / deepest : 'no_drawdown';
  const count = series.values.length;
  const open = episodes.find(({ end }) => end === null);
  const longest = episodes.reduce((most, one) => Math.max(most, daysUnder(one, window.to)), 0);
  return {
    maxDrawdown: figureOf(span, n, deepest),
    calmar: figureOf(span, count, count < minN ? 'few_returns' : ratio),
    underwaterDays: figureOf(span, n, longest),
    underwaterDaysNow: figureOf(span, n, open ? daysUnder(open, window.to) : 0),
    drawdowns: inOrder(episodes)
      .slice(0, SHOWN)
      .map((episode) => written(episode, window.to)),
  };
}
