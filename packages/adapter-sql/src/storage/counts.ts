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
});
