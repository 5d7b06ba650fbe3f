import type { Timestamp, UserId, WithdrawalId } from '@slipstream/domain';
import type { WithdrawalStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { withdrawalColumns } from './columns.js';

const withdrawalById = prepared<{ id: WithdrawalId }>()((param) =>
  build.selectFrom('withdrawals').selectAll().where('id', '=', param('id')),
);
const pageOfWithdrawals = pages('withdrawals', withdrawalColumns.load, 'user_id');
const openWithdrawals = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('withdrawals')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .where('status', 'in', ['pending', 'processing'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const dueWithdrawals = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('withdrawals')
    .selectAll()
    .where('due_at', '<=', param('now'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(param('limit')),
);
const saveWithdrawal = upsert('withdrawals', withdrawalColumns, 'id');

export const sqlWithdrawals = (session: Session): WithdrawalStore => ({
  find: (id) => session.find(withdrawalById({ id }), withdrawalColumns.load),
  list: async (userId, page) => pageOfWithdrawals(session, { user_id: userId }, page),
  listOpen: (userId) => session.list(openWithdrawals({ userId }), withdrawalColumns.load),
  due: (now, limit) => session.list(dueWithdrawals({ now, limit }), withdrawalColumns.load),
  save: async (withdrawal) => void session.write(saveWithdrawal(withdrawal)),
});
