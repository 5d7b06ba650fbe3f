import type { UserId } from '@slipstream/domain';
import type { WithdrawalStore } from '@slipstream/ports';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { withdrawalColumns } from './columns.js';
import { dueRows } from '../storage/lists.js';

const withdrawalById = rowBy('withdrawals', 'id');
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
const dueWithdrawals = dueRows('withdrawals', 'due_at');
const saveWithdrawal = upsert('withdrawals', withdrawalColumns, 'id');

export const sqlWithdrawals = (session: Session): WithdrawalStore => ({
  find: (id) => session.find(withdrawalById(id), withdrawalColumns.load),
  list: async (userId, page) => pageOfWithdrawals(session, { user_id: userId }, page),
  listOpen: (userId) => session.list(openWithdrawals({ userId }), withdrawalColumns.load),
  due: (now, limit) => session.list(dueWithdrawals({ now, limit }), withdrawalColumns.load),
  save: async (withdrawal) => void session.write(saveWithdrawal(withdrawal)),
});
