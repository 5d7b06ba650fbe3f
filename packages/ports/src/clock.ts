import type { Timestamp } from '@slipstream/domain';

/** The time of day. Goes back only when the host corrects its clock. */
export interface Clock {
  now(): Timestamp;
}
