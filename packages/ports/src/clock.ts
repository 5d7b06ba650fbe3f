import type { Timestamp } from '@slipstream/domain';

/** The time of day. Never goes back by more than the host's own corrections. */
export interface Clock {
  now(): Timestamp;
}
