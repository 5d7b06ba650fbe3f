import { describe, expect, it } from '@jest/globals';
import { declineReasonOf, decimal } from '@slipstream/domain';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { type GatewayCharge, actingGateway } from './acting-gateway.js';
import { START, billingWorld } from './billing-world.js';

/** What banks and the operator of the gateway do with a payment of 15 USD, of which the owner earned 12.00. */
const OTHERS_ACTS: readonly { act: (charge: GatewayCharge) => void; mail: string; told: string }[] =
  [
    {
      act: (charge) => {
        charge.dispute = 'open';
        charge.disputed = decimal('5');
      },
      mail: 'A payment was charged back',
      told: 'was charged back: 4.00 USD are taken from your earnings, which are at 8.00 USD now.',
    },
    {
      act: (charge) => {
        charge.dispute = 'won';
      },
      mail: 'A dispute was won',
      told: 'was disputed, and the dispute is won: 4.00 USD are among your earnings again, which are at 12.00 USD now.',
    },
    {
      act: (charge) => {
        charge.given = charge.amount;
      },
      mail: 'A payment was refunded',
      told: 'was refunded at the payment gateway: 12.00 USD are taken from your earnings, which are at 0.00 USD now.',
    },
  ];

describe('an event of money or the account', () => {
  it('always notifies: a new payout source by notification and mail, a card by neither', async () => {
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

  it('links to the page where the reader acts, and to a new password', async () => {
    const world = await billingWorld();
    const [owner, payer] = [await world.user('owner'), await world.confirmed('payer')];
    const [charged, ended] = [await world.priced(owner), await world.priced(owner)];
    await world.pay(payer, 'test_card_paid');
    await world.subscribe(payer, ended);
    await world.app.deleteStrategy(owner, { strategyId: ended });
    await world.pay(payer, 'test_card_declined');
    await world.subscribe(payer, charged);
    await world.mailed('payer');
    const linksIn = (about: string): string[] =>
      world.ports.mailer.sent
        .filter(({ to, subject }) => to === 'payer@example.com' && subject === about)
        .flatMap(({ text }) => text.match(/http\S+/g) ?? []);
    const page = 'http://127.0.0.1:3000';
    const reset = `${page}/reset-password`;
    expect(linksIn('A charge was declined')).toEqual([`${page}/account`, reset]);
    expect(linksIn('A subscription has ended')).toEqual([`${page}/strategies/${ended}`, reset]);
  });

  it('gives the reason of a declined charge, the next attempt, and how to continue', async () => {
    const world = await billingWorld();
    const [owner, payer] = [await world.user('owner'), await world.confirmed('payer')];
    const strategyId = await world.priced(owner);
    await world.pay(payer, 'test_card_declined');
    const made = await world.subscribe(payer, strategyId);
    const { invoice } = await world.invoice(payer, 'failed');
    expect(declineReasonOf(invoice)).toBe('card_declined');
    const said = `the charge of 15.00 USD for Momentum, month 1 was declined (card_declined); it is tried again on 2026-02-03 12:00 UTC, from the primary payment source. Add another one if that helps (newPaymentSource), and pay at once (retryInvoice with invoice_id ${invoice.id})`;
    expect([made.status, made.statusReason]).toEqual(['past_due', said]);
    expect(await world.toldAlways(payer)).toEqual([`T${said.slice(1)}.`]);
    await world.days(7);
    expect((await world.toldAlways(payer)).at(-1)).toMatch(/not tried again.*has ended\.$/);
    expect(await world.mailed('payer')).toEqual(
      Array.from({ length: 3 }, () => 'A charge was declined'),
    );
    expect((await world.subscription(payer)).statusReason).toMatch(/has ended$/);
  });

  it.each([
    ['the strategy was deleted', 'test_card_paid', 5],
    ['the payment was charged back', 'test_card_chargeback', 10],
  ])('says that a subscription has ended: %s', async (reason, card, days) => {
    const world = await billingWorld();
    const [owner, payer] = [await world.user('owner'), await world.confirmed('payer')];
    const strategyId = await world.priced(owner);
    await world.pay(payer, card);
    await world.subscribe(payer, strategyId);
    await world.days(days);
    if (card === 'test_card_paid') await world.app.deleteStrategy(owner, { strategyId });
    expect((await world.subscription(payer)).statusReason).toBe(reason);
    // 23 whole days of the 28 are left; what a bank took back is not refunded too.
    const refund =
      card === 'test_card_paid'
        ? ' 12.33 USD of what you paid are refunded, for the days that are left.'
        : '';
    expect(await world.toldAlways(payer)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Your subscription to “Momentum” of 15 USD a month has ended: ${reason}\\.${refund}$`,
        ),
      ),
    ]);
    expect(await world.mailed('payer')).toEqual(['A subscription has ended']);
    const cutOff = world.events.filter(
      (event) => event.kind === 'access_changed' && event.strategyId === strategyId,
    );
    expect(cutOff).toHaveLength(1);
    expect(cutOff).toMatchObject([{ userId: card === 'test_card_paid' ? null : payer.userId }]);
  });

  it('reports the end of a paid subscription, but not of a free one', async () => {
    const world = await billingWorld();
    const [owner, payer] = [await world.user('owner'), await world.user('payer')];
    const [priced, free] = [await world.priced(owner), await world.priced(owner, 0)];
    await world.pay(payer, 'test_card_paid');
    for (const strategyId of [priced, free]) {
      await world.subscribe(payer, strategyId);
      await world.app.deleteStrategySubscription(payer, { strategyId });
    }
    await world.days(28);
    expect(await world.toldAlways(payer)).toEqual([
      expect.stringMatching(
        /^Your subscription to “Momentum” of 15 USD a month has ended: what was paid for is over\.$/,
      ),
    ]);
  });

  it('tells the owner of a new subscriber when the first month is paid, and of no renewal', async () => {
    const world = await billingWorld();
    const [owner, payer] = [await world.user('owner'), await world.user('payer')];
    await world.pay(payer, 'test_card_retried');
    const told = async () =>
      (await world.app.getNotifications(owner, {})).filter(({ type }) => type === 'subscription');
    await world.subscribe(payer, await world.priced(owner));
    expect(await told()).toEqual([]);
    await world.days(3);
    expect(await told()).toHaveLength(1);
    await world.days(60);
    expect((await world.app.getInvoices(payer, { status: 'paid' })).length).toBeGreaterThan(1);
    expect(await told()).toHaveLength(1);
  });

  it('reports the outcome of a withdrawal', async () => {
    const world = await billingWorld();
    const [owner, payer] = [await world.confirmed('owner'), await world.user('payer')];
    await world.pay(owner, 'test_bank');
    await world.pay(payer, 'test_card_paid');
    await world.subscribe(payer, await world.priced(owner));
    await world.days(35);
    await world.withdraw(owner, '12');
    await world.days(1);
    expect((await world.toldAlways(owner)).at(-1)).toMatch(/of 12\.00 USD was paid out\.$/);
    expect((await world.mailed('owner')).at(-1)).toBe('A withdrawal was paid out');
  });

  it('reports to the owner what the bank or the gateway took of their earnings, and what came back', async () => {
    const clock = fixedClock(START);
    const side = actingGateway(clock);
    const world = await billingWorld(side.gateway, clock);
    const [owner, payer] = [await world.confirmed('owner'), await world.user('payer')];
    await world.pay(payer, 'test_card_paid');
    await world.subscribe(payer, await world.priced(owner));
    const [charge] = [...side.charges.values()];
    if (!charge) throw new Error('no charge was made');
    for (const { act } of OTHERS_ACTS) {
      act(charge);
      await world.days(2);
    }
    const named = 'A payment for Momentum, month 1';
    const told = OTHERS_ACTS.map((one) => `${named} ${one.told}`);
    expect(await world.toldAlways(owner)).toEqual(told);
    expect(await world.mailed('owner')).toEqual(OTHERS_ACTS.map(({ mail }) => mail));
  });

  it('reports a payment as refunded that was refunded once its dispute was won, before either was heard of', async () => {
    const clock = fixedClock(START);
    const side = actingGateway(clock);
    const world = await billingWorld(side.gateway, clock);
    const [owner, payer] = [await world.confirmed('owner'), await world.user('payer')];
    await world.pay(payer, 'test_card_paid');
    await world.subscribe(payer, await world.priced(owner));
    const [charge] = [...side.charges.values()];
    if (!charge) throw new Error('no charge was made');
    Object.assign(charge, { dispute: 'open', disputed: decimal('5') });
    await world.days(2);
    Object.assign(charge, { dispute: 'won', given: decimal('10') });
    await world.days(2);
    expect((await world.toldAlways(owner)).at(-1)).toBe(
      'A payment for Momentum, month 1 was refunded at the payment gateway: 4.00 USD are taken from your earnings, which are at 4.00 USD now.',
    );
  });

  it('is mailed to confirmed addresses only', async () => {
    const world = await billingWorld();
    const owner = await world.user('owner');
    await world.pay(owner, 'test_bank');
    expect(await world.toldAlways(owner)).toHaveLength(1);
    expect(await world.mailed('owner')).toEqual([]);
  });
});
