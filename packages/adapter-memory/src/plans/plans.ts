import type { PlanStore } from '@slipstream/ports';
import { byText } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryPlans = ({ plans }: Tables): PlanStore => ({
  find: async (planId) => plans.get(planId),
  listOf: async (userId) =>
    plans
      .values()
      .filter((plan) => plan.userId === userId)
      .toSorted(
        (first, second) => first.createdAt - second.createdAt || byText(first.id, second.id),
      ),
  expired: async (now, limit) =>
    plans
      .values()
      .filter(({ expiresAt }) => expiresAt <= now)
      .toSorted(
        (first, second) => first.expiresAt - second.expiresAt || byText(first.id, second.id),
      )
      .slice(0, limit)
      .map(({ id }) => id),
  save: async (plan) => plans.set(plan.id, plan),
  remove: async (planId) => plans.delete(planId),
});
