import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TwoServers, twoServers } from './two-servers.js';

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
