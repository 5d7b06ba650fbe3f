import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PASSWORD, type TwoServers, twoServers } from './two-servers.js';

const MINUTE = 60_000;

let world: TwoServers;
beforeEach(async () => {
  world = await twoServers();
});
afterEach(() => world.close());

const bills = (of: 'one' | 'other') => world[of].application.background.runBilling();
const given = (): number =>
  world.stripe.intents.reduce((sum, one) => sum + one.latest_charge.amount_refunded, 0);

describe('a server that is slow, and another one that took its place', () => {
  it('give a payer back no more than the larger of two refunds that were decided one after the other', async () => {
    const { stripe, one, days, owner, payer, strategy_id } = world;
    await days(3);
    // The bank sends back what the operator gave by hand, so it is owed.
    stripe.giveBack(stripe.intents[0]?.id ?? '', 500);
    await days(1);
    stripe.failRefund();
    stripe.before('POST /v1/refunds', async () => {
      await one.ask('deleteStrategy', { strategy_id }, owner);
      one.clock.advance(MINUTE);
      await bills('other');
    });
    await days(8);
    const [invoice] = await one.ask('getInvoices', {}, payer);
    expect(given() / 100).toBe(Number(invoice?.amount_refunded));
  });

  it('end no subscription for a dispute of which both heard only after it was won', async () => {
    const { stripe, one, days, payer, balance } = world;
    const [intent] = stripe.intents;
    stripe.disputes.push({
      ...{ id: 'dp_1', object: 'dispute', amount: 3000, status: 'under_review' },
      ...{ payment_intent: intent?.id ?? '', balance_transactions: [{ amount: -3000 }] },
    });
    stripe.before('GET /v1/refunds', async () => {
      Object.assign(stripe.disputes[0] ?? {}, { status: 'won' });
      one.clock.advance(MINUTE);
      await bills('other');
    });
    await days(3);
    const [followed] = await one.ask('getStrategySubscriptions', {}, payer);
    expect([followed?.status, await balance()]).toEqual(['active', '24']);
  });
});

describe('a payout whose answer was lost', () => {
  const newest = async () =>
    (await world.one.ask('getWithdrawals', {}, world.owner)).withdrawals[0];

  /** The earnings of a month have settled, and none of so many requests to pay them out arrives. */
  async function lost(requests: number): Promise<void> {
    const { stripe, one, days, owner, payer, strategy_id } = world;
    await one.ask('deleteStrategySubscription', { strategy_id }, payer);
    await days(39);
    await one.ask('newWithdrawal', { amount: 24, password: PASSWORD }, owner);
    for (let count = 0; count < requests; count += 2) stripe.lose('/v1/transfers', 'request');
    await days(1);
    expect((await newest())?.status).toBe('processing');
  }

  it('waits for money at Stripe as one that was not asked for, and can be taken back', async () => {
    const { stripe, one, days, owner, balance } = world;
    await lost(2);
    stripe.setBalance(0);
    await days(1);
    const withdrawal = await newest();
    expect(withdrawal?.status).toBe('pending');
    await one.ask('deleteWithdrawal', { withdrawal_id: withdrawal?.withdrawal_id }, owner);
    stripe.setBalance(10_000);
    await days(2);
    expect([(await newest())?.status, await balance()]).toEqual(['cancelled', '24']);
    expect(stripe.transfers).toEqual([]);
  });

  it('is not made when a chargeback takes its earnings', async () => {
    const { stripe, days, balance } = world;
    await lost(20);
    const [intent] = stripe.intents;
    stripe.disputes.push({
      ...{ id: 'dp_1', object: 'dispute', amount: 3000, status: 'lost' },
      ...{ payment_intent: intent?.id ?? '', balance_transactions: [{ amount: -3000 }] },
    });
    await days(15);
    expect([(await newest())?.status, await balance()]).toEqual(['failed', '0']);
    expect(stripe.transfers).toEqual([]);
  });
});
