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
  find: async (id) => {
    const row = await session.row(withdrawalById({ id }));
    return row && withdrawalColumns.load(row);
  },
  list: async (userId, page) => pageOfWithdrawals(session, { user_id: userId }, page),
  listOpen: async (userId) =>
    (await session.rows(openWithdrawals({ userId }))).map(withdrawalColumns.load),
  due: async (now, limit) =>
    (await session.rows(dueWithdrawals({ now, limit }))).map(withdrawalColumns.load),
  save: async (withdrawal) => void session.write(saveWithdrawal(withdrawal)),
});
