import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Decimal, type StrategyId, ZERO } from '@slipstream/domain';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import type { UserCaller } from '../../src/index.js';
import { actingGateway } from './acting-gateway.js';
import { type BillingWorld, START, billingWorld } from './billing-world.js';

describe('a payout for which the gateway has no money yet', () => {
  let world: BillingWorld;
  let owner: UserCaller;
  let isFunded: boolean;
  let paidOut: ReadonlyMap<string, Decimal>;
  let disputed: () => void;

  /** The owner has withdrawn all that has settled, and the gateway was asked for it. */
  beforeEach(async () => {
    const clock = fixedClock(START);
    const side = actingGateway(clock);
    isFunded = false;
    world = await billingWorld(
      {
        ...side.gateway,
        payOut: async (request) => (isFunded ? side.gateway.payOut(request) : { kind: 'not_made' }),
      },
      clock,
    );
    ({ paidOut } = side);
    owner = await world.user('owner');
    const payer = await world.user('payer');
    await world.pay(owner, 'test_bank');
    await world.pay(payer, 'test_card_paid');
    const strategyId: StrategyId = await world.priced(owner);
    await world.subscribe(payer, strategyId);
    await world.app.deleteStrategySubscription(payer, { strategyId });
    await world.days(35);
    disputed = () => {
      for (const charge of side.charges.values())
        Object.assign(charge, { dispute: 'lost', disputed: charge.amount });
    };
    await world.withdraw(owner, '12');
    await world.days(1);
  });

  const newest = async () => (await world.app.getWithdrawals(owner, {})).withdrawals[0];

  it('waits, and is made once when the money is there', async () => {
    expect(await newest()).toMatchObject({ status: 'pending' });
    expect(world.logged.join()).toContain('no money for a payout yet');
    isFunded = true;
    await world.days(2);
    expect(await newest()).toMatchObject({ status: 'paid' });
    expect([...paidOut.values()].map(String)).toEqual(['12']);
  });

  it('is asked for each minute in its first hour, and each hour after it', async () => {
    const before = world.logged.length;
    for (let minutes = 0; minutes < 5 * 60; minutes += 1) {
      world.ports.clock.advance(60_000);
      await world.app.runBilling();
    }
    expect(world.logged.length - before).toBe(5);
    const { id: withdrawalId } = (await newest()) ?? { id: '' };
    await world.app.deleteWithdrawal(owner, { withdrawalId });
    await world.withdraw(owner, '12');
    world.ports.clock.advance(60 * 60_000);
    for (let minutes = 0; minutes < 2 * 60; minutes += 1) {
      await world.app.runBilling();
      world.ports.clock.advance(60_000);
    }
    expect(world.logged.length - before).toBe(5 + 61);
  });

  it('is not made any more when a chargeback took the earnings meanwhile', async () => {
    disputed();
    await world.days(2);
    isFunded = true;
    await world.days(2);
    expect(await newest()).toMatchObject({ status: 'failed' });
    expect(paidOut.size).toBe(0);
    expect(await world.balance(owner)).toEqual([ZERO.toFixed(), ZERO.toFixed()]);
  });

  it('can be taken back', async () => {
    const withdrawalId = (await newest())?.id ?? '';
    await world.app.deleteWithdrawal(owner, { withdrawalId });
    isFunded = true;
    await world.days(2);
    expect(await newest()).toMatchObject({ status: 'cancelled' });
    expect(paidOut.size).toBe(0);
    expect(await world.balance(owner)).toEqual(['12', '12']);
  });
});
