import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import type { App } from '../app.js';
import { type MoneyWorld, followedFor, moneyWorld } from '../billing/crash-scene.js';
import { fixture } from '../fixture.js';
import { outcomesAmid } from '../interleavings.js';

async function quote(app: App, price: string): Promise<void> {
  const [bid, ask, last] = [decimal(price), decimal(price), decimal(price)];
  await app.newQuotes({ kind: 'operator' }, { quotes: [{ stock: 'aapl', bid, ask, last }] });
}

/** A strategy that is short of AAPL at 100, and so at or below zero from 200 on. */
async function short() {
  const made = await fixture();
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner);
  const sized = (action: 'buy' | 'sell', amount: string) => ({
    ...{ strategyId, stock: 'aapl', action },
    size: { by: 'amount', amount: decimal(amount) } as const,
  });
  await quote(made.app, '100');
  await made.app.newOrder(owner, { ...sized('sell', '0.01'), pricing: { type: 'market' } });
  return { ...made, owner, strategyId, sized };
}

describe('a strategy that was at or below zero and is not any more', () => {
  it('keeps an order that it placed since, at every moment of the minute', async () => {
    const outcomes = await outcomesAmid({
      begin: short,
      async flow(app, { ports: { clock } }) {
        for (let seconds = 0; seconds <= 60; seconds += 10) {
          clock.advance(10_000);
          await quote(app, '250');
          await app.tick();
        }
      },
      async other(app, { owner, sized }) {
        await quote(app, '100');
        const pricing = { type: 'limit', price: decimal('50') } as const;
        await app.newOrder(owner, { ...sized('buy', '0.02'), pricing });
      },
      async outcome(app, { owner, strategyId }) {
        const orders = await app.getOrders(owner, { strategyId });
        const cancelled = await app.getOrders(owner, { strategyId, orderStatus: 'cancelled' });
        return [...orders, ...cancelled].map(({ order }) => [order.status, order.reduceOnly]);
      },
    });
    expect(outcomes.map(({ became }) => became)).toEqual([[['open', false]]]);
  });
});

describe('the end of a private strategy by its owner', () => {
  it('counts no refund twice, at every moment at which the owner ends a subscription of it', async () => {
    const outcomes = await outcomesAmid<MoneyWorld, string>({
      async begin() {
        const begun = await moneyWorld();
        const { app, owner, follower, strategyId } = begun;
        const invitedUserIds = [follower.userId];
        await app.updateStrategy(owner, { strategyId, private: true, invitedUserIds });
        await followedFor(3)(begun);
        return begun;
      },
      flow: (app, { owner, strategyId }) => app.deleteStrategy(owner, { strategyId }),
      other: (app, { owner, follower, strategyId }) =>
        app.deleteStrategySubscription(owner, { strategyId, userId: follower.userId }),
      outcome: async (_app, _begun, { flow }) => flow,
    });
    expect(outcomes.map(({ became }) => became)).toEqual(['answered']);
  });
});
