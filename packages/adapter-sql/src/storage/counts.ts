import { BOT_STATUSES, type BotStatus } from '@slipstream/domain';
import type { CountStore } from '@slipstream/ports';
import { sql } from 'kysely';
import { withdrawalColumns } from '../billing/columns.js';
import { invoiceRows } from '../billing/invoice-row.js';
import { mailColumns } from '../messages/columns.js';
import { build, prepared } from './queries.js';
import type { Session } from './session.js';

const countOf = prepared<{ name: string }>()((param) =>
  build.selectFrom('counts').select('count').where('name', '=', param('name')),
);

const failedMails = prepared<{ limit: number }>()((param) =>
  build
    .selectFrom('mails')
    .selectAll()
    .where('failure', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
);
/** The status is a literal, as in the index. */
const failedInvoices = prepared<{ limit: number }>()((param) =>
  build
    .selectFrom('invoices')
    .selectAll()
    .where('status', '=', sql.lit('failed'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
);
const failedWithdrawals = prepared<{ limit: number }>()((param) =>
  build
    .selectFrom('withdrawals')
    .selectAll()
    .where('status', '=', sql.lit('failed'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
);

/** Triggers keep the counts, by name; a bot is counted by its status. */
export const sqlCounts = (session: Session): CountStore => ({
  all: async () => {
    const of = async (name: string): Promise<number> =>
      (await session.row(countOf({ name })))?.count ?? 0;
    const ofBots = async () =>
      Promise.all(
        BOT_STATUSES.map(async (status) => [status, await of(`bots ${status}`)] as const),
      );
    const [users, strategies, bots, failedMails, failedPayments] = await Promise.all([
      of('users'),
      of('strategies'),
      ofBots(),
      of('failed_mails'),
      of('failed_payments'),
    ]);
    return {
      users,
      strategies,
      bots: Object.fromEntries(bots) as Record<BotStatus, number>,
      failedMails,
      failedPayments,
    };
  },
  failures: async (limit) => {
    const [mails, invoices, withdrawals] = await Promise.all([
      session.rows(failedMails({ limit })),
      session.rows(failedInvoices({ limit })),
      session.rows(failedWithdrawals({ limit })),
    ]);
    return {
      mails: mails.map(mailColumns.load),
      invoices: invoices.map(invoiceRows.load),
      withdrawals: withdrawals.map(withdrawalColumns.load),
    };
  },
});
