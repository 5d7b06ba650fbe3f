import { BOT_STATUSES, type BotStatus, statusOf } from '@slipstream/domain';
import type { CountStore } from '@slipstream/ports';
import { byNewest } from './order-of-lists.js';
import type { Tables } from './tables.js';

export const memoryCounts = ({
  users,
  strategies,
  bots,
  mails,
  invoices,
  withdrawals,
}: Tables): CountStore => ({
  all: async () => {
    const exists = ({ deletedAt }: { readonly deletedAt: number | null }) => deletedAt === null;
    const botsIn = (status: BotStatus) => bots.values().filter((bot) => bot.status === status);
    return {
      users: users.values().filter(exists).length,
      strategies: strategies.values().filter(exists).length,
      bots: Object.fromEntries(
        BOT_STATUSES.map((status) => [status, botsIn(status).length]),
      ) as Record<BotStatus, number>,
      failedMails: mails.values().filter(({ failure }) => failure !== null).length,
      failedPayments:
        invoices.values().filter((invoice) => statusOf(invoice) === 'failed').length +
        withdrawals.values().filter(({ status }) => status === 'failed').length,
    };
  },
  failures: async (limit) => ({
    mails: mails
      .values()
      .filter(({ failure }) => failure !== null)
      .toSorted(byNewest)
      .slice(0, limit),
    invoices: invoices
      .values()
      .filter((invoice) => statusOf(invoice) === 'failed')
      .toSorted(byNewest)
      .slice(0, limit),
    withdrawals: withdrawals
      .values()
      .filter(({ status }) => status === 'failed')
      .toSorted(byNewest)
      .slice(0, limit),
  }),
});
