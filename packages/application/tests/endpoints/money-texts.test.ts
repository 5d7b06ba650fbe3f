import { describe, expect, it } from '@jest/globals';
import { simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { fixedClock, testSecrets } from '@slipstream/adapter-memory/testing';
import { DAY } from '@slipstream/domain';
import { requireUser } from '../../src/strategies/access.js';
import { DETAILS, START } from '../billing/billing-world.js';
import { world } from './receiver.js';

/** A follower whom a messenger tells of money, and a strategy of 15 USD a month. */
async function scene(token = 'test_card_paid') {
  const clock = fixedClock(START);
  const paymentGateway = simulatedGateway({ clock });
  const made = await world(undefined, { clock, paymentGateway, ...testSecrets() });
  const { app, ada, user, receiver, endpoint } = made;
  const { strategy } = await app.newStrategy(ada, { type: 'stock', name: 'Momentum', price: 15 });
  const bob = requireUser(await user('bob'));
  await app.newPaymentSource(bob, { token, details: DETAILS });
  await endpoint({ events: ['subscription.changed', 'invoice.changed'] }, bob);
  const follow = () => app.newStrategySubscription(bob, { strategyId: strategy.id, price: 15 });
  /** What was sent since, without the links. */
  const said = async () => {
    await app.runBilling();
    await app.sendEvents();
    return receiver.sent.splice(0).map(({ text }) => text.split('\n')[0]);
  };
  return { app, ada, bob, clock, strategyId: strategy.id, follow, said };
}

describe('a messenger', () => {
  it('tells a follower what is paid, and when it is charged again or ends', async () => {
    const { app, bob, strategyId, follow, said } = await scene();
    await follow();
    expect(await said()).toEqual([
      'Your subscription to Momentum is pending.',
      'The invoice of 15.00 USD for Momentum is pending.',
      'The invoice of 15.00 USD for Momentum is paid.',
      'Your subscription to Momentum is active, and 15 USD are charged again on 2026-02-28 12:00 UTC.',
    ]);
    await app.deleteStrategySubscription(bob, { strategyId });
    expect(await said()).toEqual([
      'Your subscription to Momentum is active until 2026-02-28 12:00 UTC.',
    ]);
  });

  it('tells of a refund as one, with its amount', async () => {
    const { app, ada, clock, strategyId, follow, said } = await scene();
    await follow();
    await said();
    clock.advance(DAY);
    await app.deleteStrategy(ada, { strategyId });
    expect(await said()).toEqual([
      'The invoice of 15.00 USD for Momentum is paid, and 14.47 USD of it are refunded.',
      'Your subscription to Momentum is cancelled: the strategy was deleted',
    ]);
  });

  it('tells of a declined charge and of a chargeback in words', async () => {
    const declined = await scene('test_card_declined');
    await declined.follow();
    expect(await declined.said()).toContain(
      'The invoice of 15.00 USD for Momentum could not be charged.',
    );
    const { follow, said, clock } = await scene('test_card_chargeback');
    await follow();
    await said();
    clock.advance(10 * DAY);
    expect(await said()).toContain('The invoice of 15.00 USD for Momentum was charged back.');
  });

  it('names a private strategy to a follower who may know what it is called now, and to nobody else', async () => {
    const hide = async ({ app, ada, bob, strategyId }: Awaited<ReturnType<typeof scene>>) =>
      app.updateStrategy(ada, { strategyId, private: true, invitedUserIds: [bob.userId] });
    const renamed = { invitedUserIds: [], name: 'Merger of A and B' };

    const paid = await scene();
    await hide(paid);
    await paid.follow();
    await paid.said();
    await paid.app.updateStrategy(paid.ada, { strategyId: paid.strategyId, ...renamed });
    paid.clock.advance(DAY);
    await paid.app.deleteStrategy(paid.ada, { strategyId: paid.strategyId });
    expect(await paid.said()).toEqual([
      'The invoice of 15.00 USD for Merger of A and B is paid, and 14.47 USD of it are refunded.',
      'Your subscription to Merger of A and B is cancelled: the strategy was deleted',
    ]);

    const unpaid = await scene('test_card_declined');
    const { app, ada, bob, strategyId } = unpaid;
    await hide(unpaid);
    await unpaid.follow();
    expect((await unpaid.said()).at(-1)).toContain('Your subscription to Momentum is past_due');
    await app.updateStrategy(ada, { strategyId, ...renamed });
    unpaid.clock.advance(8 * DAY);
    await app.runBilling();
    await app.deleteStrategySubscription(bob, { strategyId }).catch(() => undefined);
    const said = await unpaid.said();
    expect(said.join()).toContain(`Your subscription to ${strategyId} is cancelled`);
    expect(said.join()).toContain(`for ${strategyId} could not be charged`);
    expect(said.join()).not.toContain('Merger');
  });
});
