import { scaleLinear, scaleUtc } from 'd3-scale';
import type { ComponentChildren, JSX } from 'preact';

/** The size of every chart in its own units; it stretches to the width of the page. */
export const WIDTH = 960;
const [LEFT, RIGHT, TOP, BOTTOM] = [8, 76, 12, 24];
/** The height between two lines of the grid, so that large letters of narrow screens do not touch. */
const BETWEEN = 45;

/** Where the days and values of a chart lie. */
export interface Frame {
  readonly height: number;
  readonly x: (date: string) => number;
  readonly y: (value: number) => number;
  readonly dates: readonly { readonly at: number; readonly label: string }[];
  readonly values: readonly number[];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A date without a time is its midnight in UTC. */
const midnight = (date: string): number => Date.parse(date);

/** The frame of these days and of values from `least` to `most`. */
export function frameOf(
  dates: readonly string[],
  [least, most]: readonly [number, number],
  height: number,
): Frame {
  const [first = '1970-01-01', last = first] = [dates[0], dates.at(-1)];
  const [left, right, top, bottom] = [LEFT, WIDTH - RIGHT, TOP, height - BOTTOM];
  const [start, end] = [midnight(first), midnight(last)];
  const days = scaleUtc([start, end], [left, right]);
  const lines = Math.max(2, Math.round(height / BETWEEN));
  const y = scaleLinear([least, most], [bottom, top]).nice(lines);
  const label = days.tickFormat(8);
  return {
    ...{ height, left, right, top, bottom },
    // The scale of times itself would make two dates of each.
    x: (date) => left + ((midnight(date) - start) / Math.max(end - start, 1)) * (right - left),
    y: (value) => y(value),
    dates: days.ticks(8).map((day) => ({ at: days(day), label: label(day) })),
    values: y.ticks(lines),
  };
}

interface ChartProps {
  readonly frame: Frame;
  /** What the chart shows, for people who do not see it. */
  readonly label: string;
  readonly write: (value: number) => string;
  readonly children: ComponentChildren;
}

/** A chart with its grid and both axes. */
export const Chart = ({ frame, label, write, children }: ChartProps): JSX.Element => (
  <svg viewBox={`0 0 ${WIDTH} ${frame.height}`} role="img" aria-label={label} class="chart">
    {frame.values.map((value) => (
      <g class="tick">
        <line x1={frame.left} x2={frame.right} y1={frame.y(value)} y2={frame.y(value)} />
        <text x={frame.right + 8} y={frame.y(value) + 4}>
          {write(value)}
        </text>
      </g>
    ))}
    {frame.dates.map(({ at, label: text }) => (
      <g class="tick">
        <line x1={at} x2={at} y1={frame.top} y2={frame.bottom} />
        <text x={at} y={frame.bottom + 17} text-anchor="middle">
          {text}
        </text>
      </g>
    ))}
    {children}
  </svg>
);
