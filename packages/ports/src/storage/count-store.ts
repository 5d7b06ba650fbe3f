import type { ServiceCounts, ServiceFailures } from '@slipstream/domain';

/** Counts over all users, and the newest of what failed. */
export interface CountStore {
  /** Takes the same time however much is stored. */
  all(): Promise<ServiceCounts>;
  /** At most `limit` of each kind, newest first, ties by the later id. Takes the same time however much is stored. */
  failures(limit: number): Promise<ServiceFailures>;
}
