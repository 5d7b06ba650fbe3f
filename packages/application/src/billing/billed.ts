import type { Invoice, Strategy, Subscription } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { requireNoEndUnderWay } from '../strategies/ends-under-way.js';

/** What an invoice is about; both are kept for ever. An end of the strategy that is under way comes first. */
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

/** After the commit: tells streams to look again when the subscription has ended by it. */
export function publishEnd(
  { events }: Pick<Core, 'events'>,
  before: Subscription,
  after: Subscription,
  reason: string,
): void {
  if (before.status === 'cancelled' || after.status !== 'cancelled') return;
  const { userId, strategyId } = after;
  events.publish({ kind: 'access_changed', userId, strategyId, reason });
}
