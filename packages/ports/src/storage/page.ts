import type { Timestamp } from '@slipstream/domain';

/** One page of a growing list, newest first by `createdAt`, ties by the later id. An unknown cursor gives an empty list (contract 1). */
export interface Page {
  readonly limit: number;
  /** The id of the last item of the page before. */
  readonly cursor?: string | undefined;
  /** Only what was made at that moment or later. */
  readonly from?: Timestamp | undefined;
  /** Only what was made before that moment. */
  readonly to?: Timestamp | undefined;
}
