import { BOT_STATUSES, type BotStatus } from '@slipstream/domain';
import type { CountStore } from '@slipstream/ports';
import { build, prepared } from './queries.js';
import type { Session } from './session.js';

const countOf = prepared<{ name: string }>()((param) =>
  build.selectFrom('counts').select('count').where('name', '=', param('name')),
);

/** Triggers keep the counts, by name; a bot is counted by its status. */
export const sqlCounts = (session: Session): CountStore => ({
  all: async () => {
    const of = (name: string): number => session.row(countOf({ name }))?.count ?? 0;
    return {
      users: of('users'),
      strategies: of('strategies'),
      bots: Object.fromEntries(
        BOT_STATUSES.map((status) => [status, of(`bots ${status}`)]),
      ) as Record<BotStatus, number>,
      failedMails: of('failed_mails'),
      failedPayments: of('failed_payments'),
    };
  },
});
