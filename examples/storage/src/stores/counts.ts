import { BOT_STATUSES, type BotStatus, statusOf } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { type Tables, newestFirst } from '../table.js';

/** This storage has all rows in memory, so it counts them. */
export const countStores = (tables: Tables): Pick<Stores, 'counts'> => {
  const { users, strategies, bots, mails, invoices, withdrawals } = tables;
  const exists = ({ deletedAt }: { readonly deletedAt: number | null }) => deletedAt === null;
  const botsIn = (status: BotStatus): number => bots.where((bot) => bot.status === status).length;
  return {
    counts: {
      all: async () => ({
        users: users.where(exists).length,
        strategies: strategies.where(exists).length,
        bots: Object.fromEntries(BOT_STATUSES.map((status) => [status, botsIn(status)])) as Record<
          BotStatus,
          number
        >,
        failedMails: mails.where(({ failure }) => failure !== null).length,
        failedPayments:
          invoices.where((invoice) => statusOf(invoice) === 'failed').length +
          withdrawals.where(({ status }) => status === 'failed').length,
      }),
      failures: async (limit) => ({
        mails: newestFirst(mails.where(({ failure }) => failure !== null)).slice(0, limit),
        invoices: newestFirst(invoices.where((one) => statusOf(one) === 'failed')).slice(0, limit),
        withdrawals: newestFirst(withdrawals.where(({ status }) => status === 'failed')).slice(
          0,
          limit,
        ),
      }),
    },
  };
};
