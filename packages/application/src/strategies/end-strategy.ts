import { type Notification, cancelOpenOrders, cancelled } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { ownStrategy } from './access.js';
import { bookRefunds, planRefunds } from '../billing/refund-deleted.js';
import { tellEnded } from '../billing/tell-money.js';
import type { Caller } from '../caller.js';
import { changeBook } from '../trading/change-book.js';
import type { Core } from '../core.js';
import { publishNotifications } from '../messages/notify.js';

/** Gone from all reads; open orders cancelled, subscriptions ended, the ledger kept. `also` is done in the same transaction. */
export async function endStrategy(
  core: Core,
  caller: Caller,
  strategyId: string,
  also: (stores: Stores) => Promise<void> = async () => undefined,
): Promise<void> {
  const strategy = await core.unitOfWork.read((stores) => ownStrategy(stores, caller, strategyId));
  let told: Notification[] = [];
  await changeBook(core)(strategy.id, async (book, market, stores) => {
    told = [];
    const current = await ownStrategy(stores, caller, strategyId);
    const followers = (await stores.subscriptions.listOfStrategy(strategy.id)).filter(
      ({ status }) => status !== 'cancelled',
    );
    const refunds = await planRefunds(core, stores, current, followers, market.now);
    await bookRefunds(stores, refunds);
    await stores.strategies.save({ ...current, deletedAt: market.now, updatedAt: market.now });
    for (const row of followers) {
      const ended = cancelled(row, 'the strategy was deleted', market.now);
      await stores.subscriptions.save(ended);
      told.push(...(await tellEnded(core, stores, row, ended)));
    }
    await also(stores);
    return cancelOpenOrders(book, 'the strategy was deleted', market);
  });
  publishNotifications(core, told);
  core.events.publish({
    kind: 'access_changed',
    userId: null,
    strategyId: strategy.id,
    reason: 'the strategy was deleted',
  });
}
