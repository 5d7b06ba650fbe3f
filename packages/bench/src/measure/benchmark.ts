/** What a line must reach. Of its ratio to the baseline, or of its own figure. */
export interface Gate {
  readonly of: 'ratio' | 'figure';
  readonly is: 'at least' | 'at most';
  readonly limit: number;
}

/** One line of the table. */
export interface Line {
  /** Of which benchmark. */
  readonly benchmark: string;
  /** What is measured, with its unit. */
  readonly what: string;
  readonly baseline: string;
  readonly gate: Gate;
}

/** What one round measured for one line. */
export interface Sample {
  readonly figure: number;
  /** The baseline's figure, from the same round. Left out where the gate is of the figure itself. */
  readonly baseline?: number;
  /** CPU time of one operation in microseconds: the measured program's, and the baseline's. */
  readonly cpu?: { readonly figure: number; readonly baseline?: number };
}

/** How a cost grows; drawn for people. */
export interface Curve {
  readonly name: string;
  readonly x: string;
  readonly y: string;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
}

/** A benchmark that is set up. Each round measures figure and baseline one right after the other. */
export interface Trial {
  /** A sample for each of the benchmark's lines, in their order. */
  round(number: number): Promise<readonly Sample[]>;
  /** The samples that the gates judge, when no single round is right: called once, after the last one. */
  judged?(): readonly Sample[];
  curves?(): readonly Curve[];
  /** What a reader of the figures should know. */
  notes?(): readonly string[];
  close(): Promise<void> | void;
}

/** How much is measured. */
export interface Scale {
  /** Small and short, while developing: the verdicts count for nothing. */
  readonly quick: boolean;
}

/** One of the benchmarks: P1, P2, … */
export interface Benchmark {
  readonly id: string;
  readonly lines: readonly Line[];
  /** Sets it up; `tell` shows what takes its time. */
  open(scale: Scale, tell: (progress: string) => void): Promise<Trial>;
}

/** A measured program that cannot be run here, e.g. because it is not installed. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}

/** A benchmark with its lines; the id is said once. */
export const benchmark = (
  id: string,
  lines: readonly Omit<Line, 'benchmark'>[],
  open: Benchmark['open'],
): Benchmark => ({
  id,
  lines: lines.map((line) => ({ benchmark: id, ...line })),
  open,
});

export const ratioAtLeast = (limit: number): Gate => ({ of: 'ratio', is: 'at least', limit });
export const ratioAtMost = (limit: number): Gate => ({ of: 'ratio', is: 'at most', limit });
export const figureAtMost = (limit: number): Gate => ({ of: 'figure', is: 'at most', limit });
