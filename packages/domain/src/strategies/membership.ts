import type { Timestamp } from '../ids.js';

/** A subscriber who counts, or counted until they left; owners do not. */
export interface Membership {
  readonly since: Timestamp;
  /** Null while they count. */
  readonly until: Timestamp | null;
}

/** Those who began after `from` and count, less those who began before and left after it. */
export function gainedSince(memberships: readonly Membership[], from: Timestamp): number {
  let gained = 0;
  for (const { since, until } of memberships) {
    if (until === null && since > from) gained += 1;
    else if (until !== null && since <= from && until > from) gained -= 1;
  }
  return gained;
}

/** The first moment after `from` that has another answer of `gainedSince`, if nobody comes or leaves. */
export function nextGain(memberships: readonly Membership[], from: Timestamp): Timestamp {
  let next = Infinity;
  for (const { since, until } of memberships)
    for (const at of [since, until ?? from]) if (at > from && at < next) next = at;
  return next;
}
