import { beforeEach, describe, expect, it } from '@jest/globals';
import { type StrategyId, decimal } from '@slipstream/domain';
import type { UserCaller } from '../../src/index.js';
import { type BillingWorld, DAY, billingWorld } from './billing-world.js';

let world: BillingWorld;
let owner: UserCaller;
let follower: UserCaller;
let strategyId: StrategyId;

beforeEach(async () => {
  world = await billingWorld();
  [owner, follower] = [await world.user('owner'), await world.user('follower')];
  await world.pay(follower, 'test_card_paid');
  strategyId = await world.priced(owner, 15);
});

const follow = (
  command: Omit<Parameters<typeof world.app.newStrategySubscription>[1], 'strategyId'>,
) => world.app.newStrategySubscription(follower, { strategyId, ...command });

describe('the price of a subscription (contract 16)', () => {
  it('is stated by the payer', async () => {
    await expect(follow({})).rejects.toMatchObject({
      code: 'invalid_field',
      message: 'price is required: this strategy costs 15 USD a month',
    });
    expect((await follow({ price: 15 })).status).toBe('active');
  });

  it('that changed meanwhile is refused, with the present one, and charges nothing', async () => {
    await world.app.updateStrategy(owner, { strategyId, price: 900 });
    await expect(follow({ price: 15 })).rejects.toMatchObject({
      code: 'price_changed',
      message: 'the price is 900 USD a month now, not 15',
    });
    expect(world.gateway.moved().charged.toFixed()).toBe('0');
    expect(await world.app.getStrategySubscriptions(follower, {})).toEqual([]);
  });

  it('of a free strategy may be omitted, and a wrong one is refused there too', async () => {
    await world.app.updateStrategy(owner, { strategyId, price: 0 });
    await expect(follow({ price: 5 })).rejects.toMatchObject({ code: 'price_changed' });
    expect((await follow({})).status).toBe('active');
  });

  it('of a resumed one stays the same', async () => {
    await follow({ price: 15 });
    await world.app.deleteStrategySubscription(follower, { strategyId });
    await world.app.updateStrategy(owner, { strategyId, price: 900 });
    await expect(follow({ price: 900 })).rejects.toMatchObject({ code: 'price_changed' });
    await expect(follow({})).rejects.toMatchObject({ code: 'invalid_field' });
    expect(await follow({ price: 15 })).toMatchObject({ price: 15, endsAt: null });
  });

  it('is not that of one whose paid month is over, even before it is taken off', async () => {
    await follow({ price: 15 });
    await world.app.deleteStrategySubscription(follower, { strategyId });
    await world.app.updateStrategy(owner, { strategyId, price: 900 });
    world.ports.clock.advance(28 * DAY);
    await expect(follow({ price: 15 })).rejects.toMatchObject({ code: 'conflict' });
    await world.days(1);
    await expect(follow({ price: 15 })).rejects.toMatchObject({ code: 'price_changed' });
    expect(world.gateway.moved().charged.toFixed()).toBe('15');
  });
});

describe('the calculation given with a subscription', () => {
  it('counts when the subscription is resumed, too', async () => {
    await follow({ price: 15, inputValue: decimal('100') });
    await world.app.deleteStrategySubscription(follower, { strategyId });
    const again = await follow({ price: 15, inputValue: decimal('4000') });
    expect([again.inputValue?.toFixed(), again.inputMultiplier?.toFixed()]).toEqual([
      '4000',
      '4000',
    ]);
    await world.app.deleteStrategySubscription(follower, { strategyId });
    expect((await follow({ price: 15 })).inputValue?.toFixed()).toBe('4000');
  });

  it('is refused without a meaning: a date without its value', async () => {
    const inputDate = world.ports.clock.now();
    await expect(follow({ price: 15, inputDate })).rejects.toMatchObject({ code: 'invalid_field' });
    expect(world.gateway.moved().charged.toFixed()).toBe('0');
  });
});
