import type {
  InvoiceId,
  PaymentSourceId,
  Timestamp,
  UserId,
  WithdrawalId,
} from '@slipstream/domain';
import type { EarningStore, PaymentSourceStore, WithdrawalStore } from '@slipstream/ports';
import { build, insert, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { cents, earningColumns, paymentSourceColumns, withdrawalColumns } from './columns.js';

const sourceById = prepared<{ id: PaymentSourceId }>()((param) =>
  build.selectFrom('payment_sources').selectAll().where('id', '=', param('id')),
);
const sourcesOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('payment_sources')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const dueSources = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('payment_sources')
    .selectAll()
    .where('due_at', '<=', param('now'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(param('limit')),
);
const saveSource = upsert('payment_sources', paymentSourceColumns, 'id');

export const sqlPaymentSources = (session: Session): PaymentSourceStore => ({
  find: async (id) => {
    const row = await session.row(sourceById({ id }));
    return row && paymentSourceColumns.load(row);
  },
  listOf: async (userId) =>
    (await session.rows(sourcesOfUser({ userId }))).map(paymentSourceColumns.load),
  due: async (now, limit) =>
    (await session.rows(dueSources({ now, limit }))).map(paymentSourceColumns.load),
  save: async (source) => void session.write(saveSource(source)),
});

const pageOfEarnings = pages('earnings', earningColumns.load, 'user_id');
const earningsOfInvoice = prepared<{ invoiceId: InvoiceId }>()((param) =>
  build
    .selectFrom('earnings')
    .selectAll()
    .where('invoice_id', '=', param('invoiceId'))
    .orderBy('created_at')
    .orderBy('id'),
);
const balanceOf = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('earnings')
    .select(({ fn }) => fn.sum<number | null>('amount').as('total'))
    .where('user_id', '=', param('userId')),
);
const settledOf = prepared<{ userId: UserId; now: Timestamp }>()((param) =>
  build
    .selectFrom('earnings')
    .select(({ fn }) => fn.sum<number | null>('amount').as('total'))
    .where('user_id', '=', param('userId'))
    .where('settles_at', '<=', param('now')),
);
const addEarning = insert('earnings', earningColumns, 'id');

export const sqlEarnings = (session: Session): EarningStore => ({
  list: async (userId, page) => pageOfEarnings(session, { user_id: userId }, page),
  ofInvoice: async (invoiceId) =>
    (await session.rows(earningsOfInvoice({ invoiceId }))).map(earningColumns.load),
  totals: async (userId, now) => ({
    balance: cents.load((await session.row(balanceOf({ userId })))?.total ?? 0),
    settled: cents.load((await session.row(settledOf({ userId, now })))?.total ?? 0),
  }),
  save: async (earning) => void session.write(addEarning(earning)),
});

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
