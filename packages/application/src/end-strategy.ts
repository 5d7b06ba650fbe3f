import { cancelOpenOrders } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { ownStrategy } from './access.js';
import { refundDeleted } from './billing/subscription-terms.js';
import type { Caller } from './caller.js';
import { changeBook } from './change-book.js';
import type { Core } from './core.js';

/** Gone from all reads; open orders cancelled, subscriptions ended, the ledger kept. `also` is done in the same transaction. */
export async function endStrategy(
  core: Core,
  caller: Caller,
  strategyId: string,
  also: (stores: Stores) => Promise<void> = async () => undefined,
): Promise<void> {
  const strategy = await core.unitOfWork.read((stores) => ownStrategy(stores, caller, strategyId));
  await changeBook(core)(strategy.id, async (book, market, stores) => {
    const current = await ownStrategy(stores, caller, strategyId);
    await stores.strategies.save({ ...current, deletedAt: market.now, updatedAt: market.now });
    for (const row of await stores.subscriptions.listOfStrategy(strategy.id)) {
      if (row.status === 'cancelled') continue;
      await refundDeleted(core, stores, row, market.now);
      await stores.subscriptions.save({
        ...row,
        status: 'cancelled',
        endsAt: market.now,
        renewsAt: null,
        updatedAt: market.now,
      });
    }
    await also(stores);
    return cancelOpenOrders(book, 'the strategy was deleted', market);
  });
  core.events.publish({
    kind: 'access_changed',
    userId: null,
    strategyId: strategy.id,
    reason: 'the strategy was deleted',
  });
}
