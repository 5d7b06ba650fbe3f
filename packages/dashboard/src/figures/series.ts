/** A sample of the service. */
export interface Sample {
  readonly at: string;
  readonly strategy_value: string;
  /** A benchmark's close of that day, where one was asked for. */
  readonly benchmark?: string | null;
}

/** The most live samples that a page keeps beside a history. */
const MOST_LIVE = 300;

const secondOf = ({ at }: Sample): string => at.slice(0, 19);

/**
 * The live samples with one more, the oldest first: one for each second, and every other one of them once they are too many, so
 * that a page may stay open for days.
 */
export function withLive(before: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = before.at(-1);
  if (last === undefined) return [sample];
  if (last.at >= sample.at) return before;
  if (secondOf(last) === secondOf(sample)) return before.with(-1, sample);
  const kept = before.length < MOST_LIVE ? before : before.filter((_, index) => index % 2 === 0);
  return [...kept, sample];
}

type Values = (number | null)[];

/** Curves over one axis of time, for drawing alone: numbers, and null where a curve is not. */
export interface Curves {
  /** Seconds. */
  readonly at: number[];
  readonly values: Values;
  readonly drawdown: Values;
  /** What the owner claims of the time before the record. */
  readonly claimed: Values;
  /** The benchmark, with the value of the strategy where both begin. */
  readonly benchmark: Values;
}

/** The fall below the highest value before, as a fraction at or below zero. */
export function drawdownOf(values: readonly number[]): number[] {
  let peak = -Infinity;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? Math.min(value / peak - 1, 0) : 0;
  });
}

/** The closes in units of the value at the first point that has one. */
function besideValues(samples: readonly Sample[], values: readonly number[]): Values {
  const first = samples.findIndex(({ benchmark }) => Number(benchmark ?? 0) > 0);
  const unit = (values[first] ?? 0) / Number(samples[first]?.benchmark ?? 1);
  let last: number | null = null;
  return samples.map(({ benchmark }, index) => {
    if (index < first || first < 0) return null;
    // Points of the live value have no close of their own.
    last = benchmark ? Number(benchmark) * unit : last;
    return last;
  });
}

/**
 * The curves of a record and of what is claimed of the time before it, both the oldest first. One empty moment is between them:
 * they are never joined.
 */
export function curvesOf(samples: readonly Sample[], before: readonly Sample[] = []): Curves {
  const values = samples.map(({ strategy_value: value }) => Number(value));
  const times = (all: readonly Sample[]): number[] => all.map(({ at }) => Date.parse(at) / 1000);
  const [claimedAt, ownAt] = [times(before), times(samples)];
  const end = claimedAt.at(-1);
  const gap = end === undefined ? [] : [(end + (ownAt[0] ?? end + 1)) / 2];
  const none = (length: number): null[] => Array.from({ length }, () => null);
  const empty = none(before.length + gap.length);
  return {
    at: [...claimedAt, ...gap, ...ownAt],
    values: [...empty, ...values],
    drawdown: [...empty, ...drawdownOf(values)],
    claimed: [
      ...before.map(({ strategy_value: value }) => Number(value)),
      ...none(gap.length + samples.length),
    ],
    benchmark: [...empty, ...besideValues(samples, values)],
  };
}
