import { isoDay } from '../billing/months.js';
import type { HistoryPoint } from '../performance/values/equal-times.js';
import type { Benchmark } from './compared.js';
import { figureText } from './figure.js';

/** The points, oldest first, with the benchmark's close of each one's day, or the last close before it. */
export function besideBenchmark(
  points: readonly HistoryPoint[],
  { closes }: Benchmark,
): HistoryPoint[] {
  const sorted = [...closes].sort(([one], [other]) => (one < other ? -1 : 1));
  let next = 0;
  let close: string | null = null;
  return points.map((point) => {
    const day = isoDay(point.at);
    for (; (sorted[next]?.[0] ?? '~') <= day; next += 1) {
      const found = sorted[next]?.[1];
      if (found !== undefined) close = figureText(found);
    }
    return { ...point, benchmark: close };
  });
}
