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
    const bots = BOT_STATUSES.map(async (status) => [status, await of(`bots ${status}`)] as const);
    return {
      users: await of('users'),
      strategies: await of('strategies'),
      bots: Object.fromEntries(await Promise.all(bots)) as Record<BotStatus, number>,
      failedMails: await of('failed_mails'),
      failedPayments: await of('failed_payments'),
    };
  },
});
