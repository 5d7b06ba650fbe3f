import type { Strategy, UserId } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { isConfirmed } from '../accounts/confirmed-address.js';
import type { Core } from '../core.js';
import { notify } from './notify.js';

/** Notifies a strategy's owner, in the same transaction, that the subscription of `subscriberId` became active. An unconfirmed subscriber causes no mail. */
export const notifyOfSubscriber = async (
  core: Pick<Core, 'ids' | 'clock' | 'secretBox' | 'settings'>,
  stores: Stores,
  strategy: Strategy,
  subscriberId: UserId,
): Promise<void> => {
  const mayMail = await isConfirmed(core, stores, subscriberId);
  await notify(core, stores, {
    userId: strategy.userId,
    types: mayMail ? ['subscription', 'subscription_email'] : ['subscription'],
    text: `Your strategy ${strategy.name} has a new subscriber.`,
    strategyId: strategy.id,
    actorId: subscriberId,
  });
};
