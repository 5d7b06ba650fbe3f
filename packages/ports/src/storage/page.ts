/** A slice of a list that grows, newest first by `createdAt`, ties by the later id; an unknown cursor answers an empty list (contract 1). */
export interface Page {
  readonly limit: number;
  /** The id after which to go on. */
  readonly cursor?: string | undefined;
}
