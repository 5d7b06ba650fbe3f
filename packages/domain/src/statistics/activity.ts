import { dayOf } from '../performance/values/value-day.js';
import { DAY } from '../time.js';
import type { FigureGap } from './figure.js';
import type { RecordFigures, SegmentBase } from './record/record-reader.js';
import { mean } from './measures/returns.js';
import { type DailySeries, type Window, daysWithin } from './series.js';

type Result = number | FigureGap;

/** The time with a position, and its size. */
export interface Exposure {
  /** The part of the time of the window. */
  readonly time: Result;
  /** Gross exposure / value at the closes of the counted days. */
  readonly meanGross: Result;
  readonly largestGross: Result;
}

/** Milliseconds of each day with a position, as the fills say. */
function heldByDay({ held }: RecordFigures, { from, to }: Window): Map<number, number> {
  const byDay = new Map<number, number>();
  const [start, end] = [from * DAY, (to + 1) * DAY];
  for (const span of held) {
    const until = Math.min(span.to ?? end, end);
    for (let at = Math.max(span.from, start); at < until;) {
      const day = dayOf(at);
      const next = Math.min(until, (day + 1) * DAY);
      byDay.set(day, (byDay.get(day) ?? 0) + next - at);
      at = next;
    }
  }
  return byDay;
}

function timeHeld(figures: RecordFigures, segment: SegmentBase, window: Window): Result {
  const total = (window.to + 1) * DAY - Math.max(segment.startedAt, window.from * DAY);
  if (!(total > 0)) return 'no_days';
  // A day without an entry had no sample, and old entries do not say it: then the fills say it.
  const byDay = heldByDay(figures, window);
  for (const { day, samples } of daysWithin(figures.days, window))
    if (samples) byDay.set(day, samples.held * DAY);
  let held = 0;
  for (const one of byDay.values()) held += one;
  return Math.min(1, held / total);
}

/** Gross / value at the close of each counted day; the last known one is carried forward, as the value is. */
function grossOf(figures: RecordFigures, { days }: DailySeries): number[] | FigureGap {
  const gross: number[] = [];
  let next = 0;
  // The exposure before the segment's first close is not recorded, unless nothing was held.
  let current: Result = isHeldFromStart(figures) ? 'old_days' : 0;
  for (const day of days) {
    for (let known = figures.days[next]; known && known.day <= day; known = figures.days[next]) {
      const { close, samples } = known;
      current = !samples ? 'old_days' : close > 0 ? samples.gross / close : 'not_positive';
      next += 1;
    }
    if (typeof current === 'string') return current;
    gross.push(current);
  }
  return gross;
}

const isHeldFromStart = ({ segment, held }: RecordFigures): boolean =>
  held[0] !== undefined && held[0].from === segment?.startedAt;

/** How long and how much a record held. */
export function exposureOf(
  figures: RecordFigures,
  segment: SegmentBase,
  series: DailySeries,
  window: Window,
): Exposure {
  const gross = grossOf(figures, series);
  const time = timeHeld(figures, segment, window);
  if (typeof gross === 'string') return { time, meanGross: gross, largestGross: gross };
  return {
    time,
    meanGross: mean(gross) ?? 'no_days',
    largestGross: gross.length === 0 ? 'no_days' : gross.reduce((most, one) => Math.max(most, one)),
  };
}

/** The trading of a window as fractions of the mean value. */
export interface Trading {
  /** min(bought, sold) a year. */
  readonly turnover: Result;
  readonly fees: Result;
  readonly slippage: Result;
  /** Fees and slippage. */
  readonly costs: Result;
}

/** How much a record traded, and what that cost. */
export function tradingOf(figures: RecordFigures, series: DailySeries, window: Window): Trading {
  const value = mean(series.values);
  const all = (result: FigureGap) => ({
    ...{ turnover: result, fees: result, slippage: result, costs: result },
  });
  if (value === null) return all('no_days');
  if (!(value > 0)) return all('not_positive');
  let [bought, sold, fees] = [0, 0, 0];
  let slippage: number | null = 0;
  for (const flows of daysWithin(figures.flows, window)) {
    bought += flows.bought;
    sold += flows.sold;
    fees += flows.fees;
    slippage = slippage === null || flows.slippage === null ? null : slippage + flows.slippage;
  }
  const years = (window.to - window.from + 1) / 365.25;
  return {
    turnover: Math.min(bought, sold) / value / years,
    fees: fees / value,
    slippage: slippage === null ? 'old_fills' : slippage / value,
    costs: slippage === null ? 'old_fills' : (fees + slippage) / value,
  };
}
