import type { Notification, Strategy, UserId } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { notify } from './notify.js';

/** Tells the owner of a strategy, inside the unit of work, that a subscription of `subscriberId` became active. */
export const tellOwner = (
  core: Pick<Core, 'ids' | 'clock' | 'secretBox'>,
  stores: Stores,
  strategy: Strategy,
  subscriberId: UserId,
): Promise<Notification[]> =>
  notify(core, stores, {
    userId: strategy.userId,
    types: ['subscription', 'subscription_email'],
    text: `Your strategy ${strategy.name} has a new subscriber.`,
    strategyId: strategy.id,
    actorId: subscriberId,
  });
