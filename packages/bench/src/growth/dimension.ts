/** What something costs, at each of the sizes. */
export interface Cost {
  /** A subject, e.g. `a tick with 200 holders`. */
  readonly name: string;
  readonly unit: string;
  /** How it may grow while the size does. */
  readonly grows: 'not' | 'in proportion';
  /** Why, by how the service is built: true whatever is measured. */
  readonly why: string;
}

/** How much is measured. */
export interface Effort {
  /** Small and short, while developing. */
  readonly quick: boolean;
  /** How often each figure is measured; the one in the middle counts. */
  readonly rounds: number;
}

/** Something of which there can be many, and what the service costs then. */
export interface Dimension {
  /** What there are many of; the name in `--only`. */
  readonly id: string;
  readonly title: string;
  readonly sizes: readonly number[];
  readonly quickSizes: readonly number[];
  readonly costs: readonly Cost[];
  /** Figures in the order of the costs. In a process of its own, so that heaps can be compared. */
  measure(size: number, effort: Effort, tell: (progress: string) => void): Promise<number[]>;
}

/** What one size came to: its figures, or why there are none. */
export type Measured =
  | { readonly size: number; readonly figures: readonly number[] }
  | { readonly size: number; readonly reason: string };

/** A dimension, measured. */
export interface Grown {
  readonly dimension: Omit<Dimension, 'measure'>;
  readonly measured: readonly Measured[];
}
