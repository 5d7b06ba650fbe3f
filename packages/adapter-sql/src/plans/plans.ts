import type { PlanId, Timestamp, UserId } from '@slipstream/domain';
import type { PlanStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { planColumns } from './columns.js';

const planById = prepared<{ id: PlanId }>()((param) =>
  build.selectFrom('plans').selectAll().where('id', '=', param('id')),
);
const plansOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('plans')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at')
    .orderBy('id'),
);
const expiredPlans = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('plans')
    .select('id')
    .where('expires_at', '<=', param('now'))
    .orderBy('expires_at')
    .orderBy('id')
    .limit(param('limit')),
);
const savePlan = upsert('plans', planColumns, 'id');
const removePlan = prepared<{ id: PlanId }>()((param) =>
  build.deleteFrom('plans').where('id', '=', param('id')),
);

export const sqlPlans = (session: Session): PlanStore => ({
  find: (id) => session.find(planById({ id }), planColumns.load),
  listOf: (userId) => session.list(plansOfUser({ userId }), planColumns.load),
  expired: (now, limit) => session.list(expiredPlans({ now, limit }), (row) => row.id as PlanId),
  save: async (plan) => void session.write(savePlan(plan)),
  remove: async (id) => void session.write(removePlan({ id })),
});
