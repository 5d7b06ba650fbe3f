import { expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import { billingWorld } from './billing-world.js';

it('a first month that was not paid shows nothing: no positions, and no private strategy once the invitation is withdrawn', async () => {
  const { app, priced, user, pay, subscribe, subscription } = await billingWorld();
  const [owner, follower] = [await user('owner'), await user('follower')];
  const strategyId = await priced(owner);
  const invitedUserIds = [follower.userId];
  await app.updateStrategy(owner, { strategyId, private: true, invitedUserIds });
  await pay(follower, 'test_card_declined');
  await subscribe(follower, strategyId);
  expect(await subscription(follower)).toMatchObject({ status: 'past_due', renewsAt: null });
  await expect(app.getPositions(follower, { strategyId })).rejects.toMatchObject({
    code: 'not_owner',
  });
  const inputValue = decimal('1000');
  for (const calculate of [app.getStrategyCalculation, app.updateStrategyCalculation])
    expect((await calculate(follower, { strategyId, inputValue })).positions).toBeNull();

  await app.updateStrategy(owner, { strategyId, invitedUserIds: [] });
  expect(await app.getStrategies(follower, { strategyIds: [strategyId] })).toEqual([]);
  await expect(app.getPositions(follower, { strategyId })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('a first month that was not paid tells no present name of a private strategy, also when that ends, once the invitation is withdrawn', async () => {
  const { app, priced, user, pay, subscribe, toldAlways } = await billingWorld();
  const [owner, follower] = [await user('owner'), await user('follower')];
  const strategyId = await priced(owner);
  const invitedUserIds = [follower.userId];
  await app.updateStrategy(owner, { strategyId, private: true, invitedUserIds });
  await pay(follower, 'test_card_declined');
  await subscribe(follower, strategyId);
  await app.updateStrategy(owner, { strategyId, invitedUserIds: [], name: 'Merger of A and B' });
  await app.deleteStrategy(owner, { strategyId });
  const told = await toldAlways(follower);
  expect(told.at(-1)).toMatch(/has ended: the strategy was deleted/);
  expect(told.join()).not.toContain('Merger');
});
