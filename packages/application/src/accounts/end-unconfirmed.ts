import { HOUR, type Timestamp, type User, ZERO } from '@slipstream/domain';
import { type Stores, isSure } from '@slipstream/ports';
import type { Core } from '../core.js';
import { eraseAccount } from './delete-user.js';
import { lostWith } from '../billing/ledger.js';
import { Throttle } from '../housekeeping/throttle.js';

/** Accounts checked in one transaction. */
const CHUNK = 20;

/**
 * Once an hour ends accounts whose address was not confirmed in time (contract 16): otherwise a stranger could
 * keep an address from its owner. An account that something depends on stays, and is not checked again.
 */
export function endUnconfirmed(core: Core): () => Promise<void> {
  const { unitOfWork, clock, settings } = core;
  const throttle = new Throttle();

  /** Returns whether these were the last accounts. */
  const endSome = (): Promise<boolean> =>
    unitOfWork.run(async (stores) => {
      const now = clock.now();
      const due = await stores.users.toConfirmBy(now, CHUNK);
      for (const user of due) {
        if (await isInUse(core, stores, user, now)) {
          await stores.users.save({ ...user, confirmBy: null, updatedAt: now });
        } else {
          await eraseAccount(stores, user, now, 'the account has ended');
        }
      }
      return due.length < CHUNK;
    });

  return async () => {
    const now = clock.now();
    if (settings.confirmEmail === 'off' || !throttle.isDue(now) || !isSure(clock)) return;
    throttle.done(now, HOUR);
    while (!(await endSome()));
  };
}

/** Whether the account must stay because of a strategy, a bot, a subscription or money. */
async function isInUse(
  core: Pick<Core, 'paymentGateway'>,
  stores: Stores,
  { id: userId }: User,
  now: Timestamp,
): Promise<boolean> {
  const balance = await lostWith(core, stores, userId, now);
  if (!balance.eq(ZERO) || (await stores.bots.listOf(userId)).length > 0) return true;
  const figures = (await stores.users.figures([userId])).get(userId);
  if ((figures?.strategies ?? 0) > 0) return true;
  return (await stores.subscriptions.following(userId)).length > 0;
}
