import type { BrokerAccountStore } from '@slipstream/ports';
import { build, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';

const accountState = prepared<{ accountId: string }>()((param) =>
  build.selectFrom('broker_accounts').select('state').where('account_id', '=', param('accountId')),
);
const accountIds = prepared<object>()(() =>
  build.selectFrom('broker_accounts').select('account_id').orderBy('account_id'),
);
const saveAccount = prepared<{ accountId: string; state: string }>()((param) =>
  build
    .insertInto('broker_accounts')
    .values({ account_id: param('accountId'), state: param('state') })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(({ ref }) => ({ state: ref('excluded.state') })),
    ),
);

/** Characters: an account with more of them, of dozens of orders, is read again. */
const LONGEST_KEPT = 8_192;

export const sqlBrokerAccounts = (session: Session): BrokerAccountStore => ({
  find: async (accountId) => {
    const known = session.records.get('brokerAccounts', accountId);
    if (known) return known.state;
    const found = await session.row(accountState({ accountId }));
    if (found && found.state.length <= LONGEST_KEPT)
      session.records.read('brokerAccounts', accountId, found);
    return found?.state;
  },
  list: () => session.list(accountIds({}), (row) => row.account_id),
  save: async (accountId, state) => {
    session.write(saveAccount({ accountId, state }));
    const isKept = state.length <= LONGEST_KEPT;
    session.records.written('brokerAccounts', accountId, isKept ? { state } : undefined);
  },
});
