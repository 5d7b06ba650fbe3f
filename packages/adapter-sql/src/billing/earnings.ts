import type { InvoiceId, Money, Timestamp, UserId } from '@slipstream/domain';
import type { EarningStore } from '@slipstream/ports';
import { build, insert, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { cents, earningColumns } from './columns.js';

const pageOfEarnings = pages('earnings', earningColumns.load, 'user_id');
const earningsOfInvoice = prepared<{ invoiceId: InvoiceId }>()((param) =>
  build
    .selectFrom('earnings')
    .selectAll()
    .where('invoice_id', '=', param('invoiceId'))
    .orderBy('created_at')
    .orderBy('id'),
);
const balanceOf = prepared<{ userId: UserId; money: Money }>()((param) =>
  build
    .selectFrom('earnings')
    .select(({ fn }) => fn.sum<number | null>('amount').as('total'))
    .where('user_id', '=', param('userId'))
    .where('money', '=', param('money')),
);
const settledOf = prepared<{ userId: UserId; money: Money; now: Timestamp }>()((param) =>
  build
    .selectFrom('earnings')
    .select(({ fn }) => fn.sum<number | null>('amount').as('total'))
    .where('user_id', '=', param('userId'))
    .where('money', '=', param('money'))
    .where(({ eb, or }) =>
      or([eb('withdrawal_id', 'is not', null), eb('settles_at', '<=', param('now'))]),
    ),
);
const addEarning = insert('earnings', earningColumns, 'id');

export const sqlEarnings = (session: Session): EarningStore => ({
  list: async (userId, page) => pageOfEarnings(session, { user_id: userId }, page),
  ofInvoice: (invoiceId) => session.list(earningsOfInvoice({ invoiceId }), earningColumns.load),
  totals: async (userId, money, now) => ({
    balance: cents.load((await session.row(balanceOf({ userId, money })))?.total ?? 0),
    settled: cents.load((await session.row(settledOf({ userId, money, now })))?.total ?? 0),
  }),
  save: async (earning) => void session.write(addEarning(earning)),
});
