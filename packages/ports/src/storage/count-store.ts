import type { ServiceCounts } from '@slipstream/domain';

/** Counts over all users. */
export interface CountStore {
  /** Takes the same time however much is stored. */
  all(): Promise<ServiceCounts>;
}
