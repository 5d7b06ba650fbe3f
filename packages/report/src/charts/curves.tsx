import { area, line } from 'd3-shape';
import type { JSX } from 'preact';
import type { ReportBenchmark, ReportContent } from '../content.js';
import { percent } from '../format.js';
import { Chart, frameOf } from './frame.js';

interface Point {
  readonly date: string;
  readonly value: number;
}

const CURVE_HEIGHT = 300;
const FALL_HEIGHT = 130;
/** Tenths of a unit are finer than a screen or a printer draws. */
const DIGITS = 1;

const rangeOf = (points: readonly Point[]): [number, number] =>
  points.reduce<[number, number]>(
    ([least, most], { value }) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );

/** The closes on the days of the series, scaled to the strategy's first value among them. */
export function benchmarkPoints(
  points: readonly Point[],
  { closes }: Pick<ReportBenchmark, 'closes'>,
): Point[] {
  const common = points.flatMap(({ date, value }) => {
    const close = closes.get(date);
    return close === undefined ? [] : [{ date, value, close }];
  });
  const [first] = common;
  if (!first || !(first.close > 0)) return [];
  const factor = first.value / first.close;
  return common.map(({ date, close }) => ({ date, value: close * factor }));
}

/** The part of the highest close so far by which each close is below it: zero or negative. */
export function falls(points: readonly Point[]): Point[] {
  let peak = -Infinity;
  return points.map(({ date, value }) => {
    peak = Math.max(peak, value);
    return { date, value: peak > 0 ? value / peak - 1 : 0 };
  });
}

const pointsOf = ({ series }: Pick<ReportContent, 'series'>): Point[] =>
  series.map(({ date, value }) => ({ date, value: Number(value) }));

/** The strategy's daily values, and the benchmark beside them. */
export function ValueCurve({ content }: { readonly content: ReportContent }): JSX.Element {
  const points = pointsOf(content);
  const other = content.benchmark ? benchmarkPoints(points, content.benchmark) : [];
  const frame = frameOf(
    points.map(({ date }) => date),
    rangeOf([...points, ...other]),
    CURVE_HEIGHT,
  );
  const curve = line<Point>(
    ({ date }) => frame.x(date),
    ({ value }) => frame.y(value),
  ).digits(DIGITS);
  const surface = area<Point>(
    ({ date }) => frame.x(date),
    frame.bottom,
    ({ value }) => frame.y(value),
  ).digits(DIGITS);
  const [first, last] = [points[0], points.at(-1)];
  const label = `The value of ${content.name}, ${first?.value ?? ''} on ${first?.date ?? ''} and ${last?.value ?? ''} on ${last?.date ?? ''}`;
  return (
    <Chart frame={frame} label={label} write={(value) => value.toFixed(2)}>
      <path class="surface" d={surface(points) ?? ''} />
      {other.length > 0 && <path class="benchmark" d={curve(other) ?? ''} />}
      <path class="curve" d={curve(points) ?? ''} />
    </Chart>
  );
}

/** How far each daily close is below the highest one before it. */
export function FallCurve({ content }: { readonly content: ReportContent }): JSX.Element {
  const points = falls(pointsOf(content));
  const [least] = rangeOf(points);
  const frame = frameOf(
    points.map(({ date }) => date),
    [Math.min(least, -0.01), 0],
    FALL_HEIGHT,
  );
  const surface = area<Point>(
    ({ date }) => frame.x(date),
    frame.y(0),
    ({ value }) => frame.y(value),
  ).digits(DIGITS);
  const label = `The fall of each daily close below the highest close before it, at most ${percent(String(-least))}`;
  return (
    <Chart frame={frame} label={label} write={(value) => percent(String(value), 0)}>
      <path class="fall" d={surface(points) ?? ''} />
    </Chart>
  );
}
