import type { PlanId, UserId } from '@slipstream/domain';
import type { PlanStore } from '@slipstream/ports';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { planColumns } from './columns.js';
import { dueKeys } from '../storage/lists.js';

const planById = rowBy('plans', 'id');
const plansOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('plans')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at')
    .orderBy('id'),
);
const expiredPlans = dueKeys('plans', 'expires_at', 'id');
const savePlan = upsert('plans', planColumns, 'id');
const removePlan = prepared<{ id: PlanId }>()((param) =>
  build.deleteFrom('plans').where('id', '=', param('id')),
);

export const sqlPlans = (session: Session): PlanStore => ({
  find: (id) => session.find(planById(id), planColumns.load),
  listOf: (userId) => session.list(plansOfUser({ userId }), planColumns.load),
  expired: (now, limit) => session.list(expiredPlans({ now, limit }), (row) => row.id as PlanId),
  save: async (plan) => void session.write(savePlan(plan)),
  remove: async (id) => void session.write(removePlan({ id })),
});
