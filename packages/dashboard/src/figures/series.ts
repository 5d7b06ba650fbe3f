/** Points of a curve, for drawing alone: seconds and values as numbers. */
export type Series = readonly [at: readonly number[], values: readonly number[]];

/** A sample of the service. */
export interface Sample {
  readonly at: string;
  readonly strategy_value: string;
}

/** The samples as points, the oldest first. */
export function seriesOf(samples: readonly Sample[]): Series {
  return [
    samples.map(({ at }) => Date.parse(at) / 1000),
    samples.map(({ strategy_value }) => Number(strategy_value)),
  ];
}

/** The curve with a newer point. What is not newer than its last point is ignored. */
export function withPoint([at, values]: Series, time: number, value: number): Series {
  const last = at.at(-1);
  return last !== undefined && time <= last
    ? [at, values]
    : [
        [...at, time],
        [...values, value],
      ];
}

/** The fall below the highest value before, as a fraction at or below zero. */
export function drawdownOf(values: readonly number[]): number[] {
  let peak = -Infinity;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? Math.min(value / peak - 1, 0) : 0;
  });
}
