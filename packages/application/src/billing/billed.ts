import type { Invoice, Strategy, Subscription } from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import { requireNoEndUnderWay } from '../strategies/ends-under-way.js';

/** The subscription and strategy of an invoice; both are stored for ever. Completes a running end of the strategy first. */
export async function requireBilled(
  { subscriptions, strategies }: Pick<ReadStores, 'subscriptions' | 'strategies'>,
  { id, subscriptionId, strategyId }: Invoice,
): Promise<{ readonly subscription: Subscription; readonly strategy: Strategy }> {
  const subscription = await subscriptions.find(subscriptionId);
  const strategy = await strategies.find(strategyId);
  if (!subscription || !strategy) throw new Error(`invoice ${id} is about nothing`);
  requireNoEndUnderWay(strategy);
  return { subscription, strategy };
}

/** Whether the change ended the subscription. */
export const hasEnded = (before: Subscription, after: Subscription): boolean =>
  before.status !== 'cancelled' && after.status === 'cancelled';

/** When the subscription ends by the change: streams check the follower's access again. */
export async function addEnd(
  { events }: Pick<Stores, 'events'>,
  before: Subscription,
  after: Subscription,
  reason: string,
): Promise<void> {
  if (!hasEnded(before, after)) return;
  const { userId, strategyId } = after;
  await events.add({ kind: 'access_changed', userId, strategyId, reason });
}
