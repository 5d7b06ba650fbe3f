import { describe, expect, it } from '@jest/globals';
import { billingWorld } from './billing-world.js';

describe('what touches money or the account', () => {
  it('is told always: a new payout source by notification and by mail, a card by neither', async () => {
    const world = await billingWorld();
    const owner = await world.confirmed('owner');
    await world.pay(owner, 'test_card_paid');
    expect(await world.toldAlways(owner)).toEqual([]);
    await world.pay(owner, 'test_bank');
    expect(await world.toldAlways(owner)).toEqual([
      expect.stringMatching(/^Test bank account ending in 6789 was added/),
    ]);
    expect(await world.mailed('owner')).toEqual(['A new payout source']);
  });

  it('is mailed to no address that was not confirmed', async () => {
    const world = await billingWorld();
    const owner = await world.user('owner');
    await world.pay(owner, 'test_bank');
    expect(await world.toldAlways(owner)).toHaveLength(1);
    expect(await world.mailed('owner')).toEqual([]);
  });
});
