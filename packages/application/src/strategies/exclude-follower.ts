import { Refusal, cancelSubscription, id } from '@slipstream/domain';
import { ownStrategy } from './access.js';
import { addEnd } from '../billing/billed.js';
import {
  bookRefunds,
  effectOf,
  refundOf,
  refundsOf,
  requireRefundable,
} from '../billing/refund-unused.js';
import { notifyEnded } from '../billing/notify-money.js';
import { requireSureClock } from '../billing/settled-up.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { afterEnds } from './ends-under-way.js';

/**
 * Ends a follower's subscription and invitation for the owner of a private strategy: at once, with the same refund as a
 * deletion.
 */
export async function excludeFollower(
  core: Core,
  caller: Caller,
  strategyId: string,
  followerId: string,
): Promise<void> {
  const userId = id<'user'>(followerId);
  await afterEnds(core, () =>
    core.unitOfWork.run(async (stores) => {
      const strategy = await ownStrategy(stores, caller, strategyId);
      if (!strategy.private) {
        throw new Refusal('invalid_field', 'user_id ends subscriptions of private strategies only');
      }
      const row = await stores.subscriptions.findCurrent(strategy.id, userId);
      if (!row) throw new Refusal('not_found', `user ${userId} does not follow this strategy`);
      if (row.price > 0) requireSureClock(core.clock);
      const now = core.clock.now();
      const ended = cancelSubscription(row, 'the owner of the strategy ended it', now);
      const refunds = await refundsOf(core, stores, row, now);
      await requireRefundable(core, stores, strategy.userId, effectOf(core, refunds));
      await bookRefunds(stores, refunds);
      await stores.subscriptions.save(ended);
      const invitedUserIds = strategy.invitedUserIds.filter((invited) => invited !== userId);
      await stores.strategies.save({ ...strategy, invitedUserIds, updatedAt: now });
      await notifyEnded(core, stores, row, ended, refundOf(refunds));
      await addEnd(stores, row, ended, 'the subscription ended');
      stores.answerWith(undefined);
    }),
  );
}
