import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Decimal, type StrategyId, ZERO, decimal } from '@slipstream/domain';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import type { PaymentGateway } from '@slipstream/ports';
import type { UserCaller } from '../../src/index.js';
import { actingGateway } from './acting-gateway.js';
import { PASSWORD } from '../accounts.js';
import { createApp } from '../app.js';
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

describe('earnings of simulated payments', () => {
  let world: BillingWorld;
  let owner: UserCaller;
  let payer: UserCaller;
  let strategyId: StrategyId;

  beforeEach(async () => {
    world = await billingWorld();
    owner = await world.user('owner');
    payer = await world.user('payer');
    await world.pay(owner, 'test_bank');
    await world.pay(payer, 'test_card_paid');
    strategyId = await world.priced(owner);
    await world.subscribe(payer, strategyId);
    await world.app.deleteStrategySubscription(payer, { strategyId });
    await world.days(35);
  });

  /** The service begins to move USD, over the same database. */
  async function goLive() {
    const side = actingGateway(world.ports.clock);
    const paymentGateway: PaymentGateway = { ...side.gateway, money: 'live' };
    const app = createApp({ ...world.ports, paymentGateway });
    await app.start();
    const balanceOf = async (of: typeof app) => {
      const { balance, settledBalance } = await of.getWithdrawals(owner, {});
      return [balance.toFixed(), settledBalance.toFixed()];
    };
    return { app, side, balanceOf };
  }

  it('are not there where USD are moved, and are there again where payments are simulated', async () => {
    const { app, balanceOf } = await goLive();
    expect(await balanceOf(world.app)).toEqual(['12', '12']);
    expect(await balanceOf(app)).toEqual(['0', '0']);
    const asked = app.newWithdrawal(owner, { amount: decimal('0.01'), password: PASSWORD });
    await expect(asked).rejects.toThrow('0.00 USD of your earnings have settled');
  });

  it('that were to be withdrawn wait, are not paid out, and can be taken back', async () => {
    const { id: withdrawalId } = await world.withdraw(owner, '12');
    const { app, side } = await goLive();
    for (let hours = 0; hours < 50; hours += 1) {
      world.ports.clock.advance(3_600_000);
      await app.runBilling();
    }
    expect(side.paidOut.size).toBe(0);
    expect((await app.getWithdrawals(owner, {})).withdrawals[0]?.status).toBe('pending');
    await app.deleteWithdrawal(owner, { withdrawalId });
    expect(await world.balance(owner)).toEqual(['12', '12']);
  });

  it('hold up no account, and no strategy, where USD are moved', async () => {
    await world.subscribe(payer, strategyId);
    const { app } = await goLive();
    await app.deleteStrategy(owner, { strategyId });
    await app.deleteUser(owner, { password: PASSWORD });
  });

  it('hold up nothing where USD are moved, also when it is not known whether they were paid out; USD do where payments are simulated', async () => {
    const { id: withdrawalId } = await world.withdraw(owner, '12');
    await world.subscribe(payer, strategyId);
    const asked = await world.ports.unitOfWork.run(async ({ withdrawals }) => {
      const found = await withdrawals.find(withdrawalId);
      if (!found) throw new Error('there is none');
      await withdrawals.save({ ...found, status: 'processing' });
      return found;
    });
    const { app } = await goLive();
    await app.deleteStrategy(owner, { strategyId });
    const gone = (of: typeof app) => of.deleteUser(owner, { password: PASSWORD });
    await expect(gone(world.app)).rejects.toThrow('is processing');
    await world.ports.unitOfWork.run(({ withdrawals }) =>
      withdrawals.save({ ...asked, status: 'processing', money: 'live' }),
    );
    await expect(gone(world.app)).rejects.toThrow('is processing');
    await world.ports.unitOfWork.run(({ withdrawals }) =>
      withdrawals.save({ ...asked, status: 'processing' }),
    );
    await gone(app);
  });

  it('hold up neither earnings in USD: those count by themselves, and a mistaken key of a test takes nothing', async () => {
    const { app, balanceOf } = await goLive();
    await world.pay(payer, 'test_card_paid');
    await app.newStrategySubscription(payer, { strategyId, price: 15 });
    expect(await balanceOf(app)).toEqual(['12', '0']);
    expect(await balanceOf(world.app)).toEqual(['12', '12']);
    await world.withdraw(owner, '12');
    await world.days(1);
    expect(await balanceOf(world.app)).toEqual(['0', '0']);
    const kept = world.app.deleteUser(owner, { password: PASSWORD });
    await expect(kept).rejects.toThrow('withdraw your earnings of 12.00 USD first');
  });
});
