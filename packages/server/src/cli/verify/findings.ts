/** What is proven, and what does not hold, in sentences. */
export interface Findings {
  readonly notes: readonly string[];
  readonly faults: readonly string[];
}
