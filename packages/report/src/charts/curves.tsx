import {
  type ReportBenchmark,
  type ReportClaims,
  type ReportContent,
  type Steps,
  mapInSteps,
} from '@slipstream/domain';
import type { JSX } from 'preact';
import { percent } from '../format.js';
import { Chart, type Frame, frameOf } from './frame.js';

interface Point {
  readonly date: string;
  readonly value: number;
}

const CURVE_HEIGHT = 300;
const FALL_HEIGHT = 130;
/** Tenths of a unit are finer than a screen or a printer draws. */
const TENTHS = 10;

function rangeOf(points: readonly Point[]): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const { value } of points) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}

/** The closes on the days of the series, scaled to the strategy's first value among them. */
function benchmarkPoints(
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
function falls(points: readonly Point[]): Point[] {
  let peak = -Infinity;
  return points.map(({ date, value }) => {
    peak = Math.max(peak, value);
    return { date, value: peak > 0 ? value / peak - 1 : 0 };
  });
}

const rounded = (place: number): number => Math.round(place * TENTHS) / TENTHS;

/** The path of the points, in steps: a curve of ten years has thousands. */
function* pathOf(points: readonly Point[], { x, y }: Frame): Steps<string> {
  const places = yield* mapInSteps(
    points,
    ({ date, value }) => `${rounded(x(date))},${rounded(y(value))}`,
  );
  return places.length > 0 ? `M${places.join('L')}` : '';
}

/** The surface between the path and a level. */
const under = (path: string, { left, right }: Frame, level: number): string =>
  path && `${path}L${right},${level}L${left},${level}Z`;

/** The daily values that a chart shows. */
type Drawn = Pick<ReportContent, 'series'>;

const pointsOf = ({ series }: Drawn): Point[] =>
  series.map(({ date, value }) => ({ date, value: Number(value) }));

/** The daily values, and the benchmark beside them. */
export function* valueCurve(
  content: Drawn & Pick<ReportContent, 'name' | 'benchmark'>,
): Steps<JSX.Element> {
  const points = pointsOf(content);
  const other = content.benchmark ? benchmarkPoints(points, content.benchmark) : [];
  const frame = frameOf(
    points.map(({ date }) => date),
    rangeOf([...points, ...other]),
    CURVE_HEIGHT,
  );
  yield;
  const path = yield* pathOf(points, frame);
  const beside = yield* pathOf(other, frame);
  const [first, last] = [points[0], points.at(-1)];
  const label = `The value of ${content.name}, ${first?.value ?? ''} on ${first?.date ?? ''} and ${last?.value ?? ''} on ${last?.date ?? ''}`;
  return (
    <Chart frame={frame} label={label} write={(value) => value.toFixed(2)}>
      <path class="surface" d={under(path, frame, frame.bottom)} />
      {beside && <path class="benchmark" d={beside} />}
      <path class="curve" d={path} />
    </Chart>
  );
}

/** Units of the chart between what is claimed and what is recorded, so that nobody sees one line. */
const GAP = 10;

/** What the owner claims of the time before the strategy was here, dashed, then a gap, then the recorded values. */
export function* claimedCurve(
  content: Drawn & Pick<ReportContent, 'name'>,
  { points: claims }: ReportClaims,
): Steps<JSX.Element> {
  const own = pointsOf(content);
  // The last value of a day is the day's, as in the record.
  const days = new Map(claims.map(({ date, value }) => [date, Number(value)]));
  const claimed = [...days].map(([date, value]) => ({ date, value }));
  const all = [...claimed, ...own];
  const frame = frameOf(
    all.map(({ date }) => date),
    rangeOf(all),
    CURVE_HEIGHT,
  );
  yield;
  const start = own[0] ? frame.x(own[0].date) : Infinity;
  const before = claimed.filter(({ date }) => frame.x(date) <= start - GAP);
  const dashed = yield* pathOf(before, frame);
  const path = yield* pathOf(own, frame);
  const [first, last] = [claimed[0], claimed.at(-1)];
  const label = `What the owner of ${content.name} claims from ${first?.date ?? ''} to ${last?.date ?? ''}, checked by nobody, apart from the recorded values after it`;
  return (
    <Chart frame={frame} label={label} write={(value) => value.toFixed(2)}>
      <path class="claimed" d={dashed} />
      <path class="curve" d={path} />
    </Chart>
  );
}

/** How far each daily close is below the highest one before it. */
export function* fallCurve(content: Drawn): Steps<JSX.Element> {
  const points = falls(pointsOf(content));
  const [least] = rangeOf(points);
  const frame = frameOf(
    points.map(({ date }) => date),
    [Math.min(least, -0.01), 0],
    FALL_HEIGHT,
  );
  yield;
  const path = yield* pathOf(points, frame);
  const label = `The fall of each daily close below the highest close before it, at most ${percent(String(-least))}`;
  return (
    <Chart frame={frame} label={label} write={(value) => percent(String(value), 0)}>
      <path class="fall" d={under(path, frame, frame.y(0))} />
    </Chart>
  );
}
