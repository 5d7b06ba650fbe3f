import {
  type Benchmark,
  type Curve,
  type Gate,
  type Line,
  NotAvailable,
  type Sample,
  type Scale,
} from './benchmark.js';
import { median, spread } from './statistics.js';

export type Verdict = 'met' | 'missed' | 'not available' | 'failed';

/** A printed line of the table. */
export interface Row extends Line {
  readonly verdict: Verdict;
  readonly figure?: number;
  readonly baselineFigure?: number;
  /** The median of the rounds' ratios. */
  readonly ratio?: number;
  /** The spread of the rounds' ratios (or figures) as a fraction of their median. */
  readonly spread?: number;
  readonly cpu?: number;
  readonly baselineCpu?: number;
  /** The reason why there are no figures. */
  readonly reason?: string;
}

/** The result of a benchmark. */
export interface Outcome {
  readonly rows: readonly Row[];
  readonly curves: readonly Curve[];
  readonly notes: readonly string[];
}

const reached = ({ is, limit }: Gate, value: number): boolean =>
  is === 'at least' ? value >= limit : value <= limit;

const middle = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? median(known) : undefined;
};

/** The row of a line, from the measurements of its rounds. */
export function rowOf(line: Line, samples: readonly Sample[]): Row {
  const ratios = samples.flatMap(({ figure, baseline }) =>
    baseline === undefined ? [] : [figure / baseline],
  );
  const figures = samples.map(({ figure }) => figure);
  // A gate for the figure itself applies to the worst round, because one mismatch in one round is too many.
  const worst = line.gate.is === 'at most' ? Math.max(...figures) : Math.min(...figures);
  const figure = line.gate.of === 'figure' ? worst : median(figures);
  const ratio = middle(ratios);
  const judged = line.gate.of === 'ratio' ? ratio : figure;
  if (judged === undefined) throw new Error(`${line.benchmark} measured no baseline`);
  return {
    ...line,
    verdict: reached(line.gate, judged) ? 'met' : 'missed',
    figure,
    spread: spread(line.gate.of === 'ratio' ? ratios : figures),
    ...optional('baselineFigure', middle(samples.map(({ baseline }) => baseline))),
    ...optional('ratio', ratio),
    ...optional('cpu', middle(samples.map(({ cpu }) => cpu?.figure))),
    ...optional('baselineCpu', middle(samples.map(({ cpu }) => cpu?.baseline))),
  };
}

const optional = <Name extends string>(name: Name, value: number | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Each in Name]?: number };

/** Prepares a benchmark, measures its rounds and closes it. An error becomes the verdict. */
export async function measure(
  { id, lines, open }: Benchmark,
  scale: Scale,
  rounds: number,
  tell: (progress: string) => void,
): Promise<Outcome> {
  try {
    tell(`${id}: setting up`);
    const trial = await open(scale, (progress) => tell(`${id}: ${progress}`));
    try {
      const measured: (readonly Sample[])[] = [];
      for (let round = 0; round < rounds; round += 1) {
        tell(`${id}: round ${round + 1} of ${rounds}`);
        measured.push(await trial.round(round));
      }
      const judged = trial.judged?.();
      const rows = lines.map((line, index) =>
        rowOf(
          line,
          (judged ? [judged] : measured).flatMap((samples) => samples[index] ?? []),
        ),
      );
      return { rows, curves: trial.curves?.() ?? [], notes: trial.notes?.() ?? [] };
    } finally {
      await trial.close();
    }
  } catch (error) {
    const verdict = error instanceof NotAvailable ? 'not available' : 'failed';
    return failed(lines, verdict, error instanceof Error ? error.message : String(error));
  }
}

/** The rows of a benchmark without figures. */
export const failed = (lines: readonly Line[], verdict: Verdict, reason: string): Outcome => ({
  rows: lines.map((line) => ({ ...line, verdict, reason })),
  curves: [],
  notes: [],
});
