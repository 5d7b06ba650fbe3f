/** How often each situation was reached. */
export type Coverage = Map<string, number>;

export const newCoverage = (): Coverage => new Map();

export const reach = (coverage: Coverage, what: string): void =>
  void coverage.set(what, (coverage.get(what) ?? 0) + 1);
