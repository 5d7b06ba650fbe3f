/** A cost that is measured at each size. */
export interface Cost {
  /** A subject, e.g. `a tick with 200 holders`. */
  readonly name: string;
  readonly unit: string;
  /** How the cost may grow with the size. */
  readonly grows: 'not' | 'in proportion';
  /** The reason, from the design of the service; it does not depend on the measurement. */
  readonly why: string;
}

/** The extent of the measurement. */
export interface Effort {
  /** Small and short, for development. */
  readonly quick: boolean;
  /** How often each figure is measured; the median counts. */
  readonly rounds: number;
}

/** A kind of thing that can become many, and its costs for the service. */
export interface Dimension {
  /** The name of the dimension, as in `--only`. */
  readonly id: string;
  readonly title: string;
  readonly sizes: readonly number[];
  readonly quickSizes: readonly number[];
  readonly costs: readonly Cost[];
  /** The figures in the order of the costs. It runs in its own process, so that heaps can be compared. */
  measure(size: number, effort: Effort, tell: (progress: string) => void): Promise<number[]>;
}

/** The result of one size: its figures, or the reason why there are none. */
export type Measured =
  | { readonly size: number; readonly figures: readonly number[] }
  | { readonly size: number; readonly reason: string };

/** A dimension, measured. */
export interface Grown {
  readonly dimension: Omit<Dimension, 'measure'>;
  readonly measured: readonly Measured[];
}
