import type { PlanId, PreparedPlan, Timestamp, UserId } from '@slipstream/domain';

/** Keeps prepared plans. Absence is `undefined`; `save` adds or replaces. */
export interface PlanStore {
  find(planId: PlanId): Promise<PreparedPlan | undefined>;
  /** Oldest first, ties by id. */
  listOf(userId: UserId): Promise<PreparedPlan[]>;
  /** Those whose end is at or before `now`, longest ended first, ties by id. */
  expired(now: Timestamp, limit: number): Promise<PlanId[]>;
  save(plan: PreparedPlan): Promise<void>;
  /** Removes nothing when there is no such plan. */
  remove(planId: PlanId): Promise<void>;
}
