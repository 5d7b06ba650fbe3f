/** The gate of a line, for its ratio to the baseline or for its own figure. */
export interface Gate {
  readonly of: 'ratio' | 'figure';
  readonly is: 'at least' | 'at most';
  readonly limit: number;
}

/** One line of the table. */
export interface Line {
  /** The benchmark's id. */
  readonly benchmark: string;
  /** The measured quantity with its unit. */
  readonly what: string;
  readonly baseline: string;
  readonly gate: Gate;
}

/** The measurement of one round for one line. */
export interface Sample {
  readonly figure: number;
  /** The baseline's figure from the same round. Absent if the gate is for the figure itself. */
  readonly baseline?: number;
  /** CPU microseconds of one operation: of the measured program and of the baseline. */
  readonly cpu?: { readonly figure: number; readonly baseline?: number };
}

/** The growth of a cost, for a chart. */
export interface Curve {
  readonly name: string;
  readonly x: string;
  readonly y: string;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
}

/** A prepared benchmark. Each round measures figure and baseline directly one after the other. */
export interface Trial {
  /** A sample for each of the benchmark's lines, in their order. */
  round(number: number): Promise<readonly Sample[]>;
  /** The samples that the gates judge, when no single round is right: called once, after the last one. */
  judged?(): readonly Sample[];
  curves?(): readonly Curve[];
  /** Notes that help to read the figures. */
  notes?(): readonly string[];
  close(): Promise<void> | void;
}

/** The extent of the measurement. */
export interface Scale {
  /** Small and short, for development: the verdicts do not count. */
  readonly quick: boolean;
}

/** One of the benchmarks: P1, P2, … */
export interface Benchmark {
  readonly id: string;
  readonly lines: readonly Line[];
  /** Prepares the benchmark; `tell` shows its progress. */
  open(scale: Scale, tell: (progress: string) => void): Promise<Trial>;
}

/** A measured program that cannot be run here, e.g. because it is not installed. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}

/** A benchmark with its lines; adds the id to each line. */
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
export const figureAtLeast = (limit: number): Gate => ({
  of: 'figure',
  is: 'at least',
  limit,
});
export const figureAtMost = (limit: number): Gate => ({ of: 'figure', is: 'at most', limit });
