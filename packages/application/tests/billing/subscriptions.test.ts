import { beforeEach, describe, expect, it } from '@jest/globals';
import { type StrategyId, addMonths, isRetryable, refundedOf, statusOf } from '@slipstream/domain';
import type { UserCaller } from '../../src/index.js';
import { type BillingWorld, DAY, START, billingWorld } from './billing-world.js';

let world: BillingWorld;
let owner: UserCaller;
let follower: UserCaller;
let strategyId: StrategyId;

beforeEach(async () => {
  world = await billingWorld();
  owner = await world.user('owner');
  follower = await world.user('follower');
  strategyId = await world.priced(owner);
});

const seesOrders = (): Promise<boolean> =>
  world.app.getOrders(follower, { strategyId, orderStatus: 'open' }).then(
    () => true,
    () => false,
  );

describe('subscribing to a strategy with a price', () => {
  it('is refused without a payment source, and leaves nothing behind', async () => {
    const refused = world.subscribe(follower, strategyId);
    await expect(refused).rejects.toMatchObject({ code: 'payment_required' });
    expect(await world.app.getStrategySubscriptions(follower, {})).toEqual([]);
  });

  it('is active at once when it is paid, renews a calendar month later, and notifies both users', async () => {
    for (const caller of [owner, follower]) {
      const notifications = ['subscription', 'payment_complete_email'] as const;
      await world.app.updateUserNotifications(caller, { notifications });
    }
    await world.pay(follower, 'test_card_paid');
    const made = await world.subscribe(follower, strategyId);
    expect([made.status, made.price, made.renewsAt]).toEqual(['active', 15, addMonths(START, 1)]);
    const { invoice } = await world.invoice(follower);
    expect([statusOf(invoice), invoice.amount.toFixed()]).toEqual(['paid', '15']);
    expect(await world.balance(owner)).toEqual(['12', '0']);
    const notices = [
      ...(await world.app.getNotifications(owner, {})),
      ...(await world.app.getNotifications(follower, {})),
    ];
    expect(notices.map(({ type }) => type)).toEqual(['subscription', 'payment_complete_email']);
  });

  it('that is declined is past due and gives no access; a retry with another card does', async () => {
    await world.pay(follower, 'test_card_declined');
    expect((await world.subscribe(follower, strategyId)).status).toBe('past_due');
    expect(await seesOrders()).toBe(false);
    const { invoice } = await world.invoice(follower, 'failed');
    expect(isRetryable(invoice)).toBe(true);

    await world.pay(follower, 'test_card_paid');
    const retried = await world.app.retryInvoice(follower, { invoiceId: invoice.id });
    expect([statusOf(retried.invoice), retried.source.source.description]).toEqual([
      'paid',
      'Test card ending in 4242',
    ]);
    expect((await world.subscription(follower)).status).toBe('active');
    expect(await seesOrders()).toBe(true);
    const again = world.app.retryInvoice(follower, { invoiceId: invoice.id });
    await expect(again).rejects.toMatchObject({ code: 'not_retryable' });
  });

  it('is cancelled after three declines in seven days', async () => {
    await world.pay(follower, 'test_card_declined');
    await world.subscribe(follower, strategyId);
    await world.days(6);
    expect((await world.subscription(follower)).status).toBe('past_due');
    await world.days(1);
    expect((await world.subscription(follower)).status).toBe('cancelled');
    expect((await world.invoice(follower)).invoice).toMatchObject({
      attempts: 3,
      state: { kind: 'failed' },
    });
  });

  it('is paid by the second attempt of a card that is declined first', async () => {
    await world.pay(follower, 'test_card_retried');
    expect((await world.subscribe(follower, strategyId)).status).toBe('past_due');
    await world.days(3);
    expect((await world.subscription(follower)).status).toBe('active');
  });

  it.each([['lost_request'], ['lost_answer']] as const)(
    'stays pending on a %s, and is charged once when the gateway is asked again',
    async (fault) => {
      await world.pay(follower, 'test_card_paid');
      world.faults.on('charge', fault, fault);
      expect((await world.subscribe(follower, strategyId)).status).toBe('pending');
      expect(await seesOrders()).toBe(false);
      await world.days(2);
      expect((await world.subscription(follower)).status).toBe('active');
      expect(world.gateway.moved().charged.toFixed()).toBe('15');
    },
  );

  it.each([
    ['was declined', 'test_card_retried', undefined, 'cancelled', '0'],
    ['never reached the gateway', 'test_card_paid', 'lost_request', 'cancelled', '0'],
    ['was made unheard', 'test_card_paid', 'lost_answer', 'active', '15'],
  ] as const)(
    'is not charged once it was asked for half a month ago, if its attempt %s before the service stopped',
    async (_, card, fault, status, charged) => {
      await world.pay(follower, card);
      if (fault) world.faults.on('charge', fault);
      await world.subscribe(follower, strategyId);
      world.ports.clock.advance(90 * DAY);
      await world.app.runBilling();
      expect((await world.subscription(follower)).status).toBe(status);
      expect(world.gateway.moved().charged.toFixed()).toBe(charged);
      const told = (await world.toldAlways(follower)).at(-1);
      if (status === 'cancelled') expect(told).toMatch(/ has ended: .*follow it again/);
      await world.days(40);
      expect((await world.subscription(follower)).status).toBe(status);
    },
  );

  it('is not tried again by a decline that is heard half a month after it was asked for', async () => {
    await world.pay(follower, 'test_card_declined');
    world.faults.on('charge', 'lost_request');
    await world.subscribe(follower, strategyId);
    world.ports.clock.advance(addMonths(START, 1) / 2 - START / 2 - 1);
    await world.app.runBilling();
    expect((await world.subscription(follower)).status).toBe('past_due');
    await world.days(1);
    expect((await world.subscription(follower)).status).toBe('cancelled');
    expect(await world.toldAlways(follower)).toHaveLength(2);
  });

  it('continues after a crash between the intent and the answer', async () => {
    await world.pay(follower, 'test_card_paid');
    world.faults.on('charge', 'lost_answer');
    await world.subscribe(follower, strategyId);
    const again = await world.restart();
    world.ports.clock.advance(DAY);
    await again.runBilling();
    expect((await world.subscription(follower)).status).toBe('active');
    expect(world.gateway.moved().charged.toFixed()).toBe('15');
  });
});

describe('a month later', () => {
  beforeEach(async () => {
    await world.pay(follower, 'test_card_paid');
    await world.subscribe(follower, strategyId);
  });

  it('is free when it is half over before the service runs again, and access goes on', async () => {
    world.ports.clock.advance(addMonths(START, 2) - START - DAY);
    await world.app.runBilling();
    expect(await world.app.getInvoices(follower, {})).toHaveLength(1);
    expect((await world.subscription(follower)).renewsAt).toBe(addMonths(START, 2));
    expect(await seesOrders()).toBe(true);
    await world.days(1);
    expect((await world.app.getInvoices(follower, {})).map(({ invoice }) => invoice.month)).toEqual(
      [3, 1],
    );
  });

  it('is not charged by a late attempt when it is half over before the service runs again', async () => {
    await world.pay(follower, 'test_card_declined');
    await world.days(29);
    expect((await world.subscription(follower)).status).toBe('past_due');
    await world.pay(follower, 'test_card_paid');
    world.ports.clock.advance(40 * DAY);
    await world.app.runBilling();
    const views = await world.app.getInvoices(follower, {});
    expect(views.map(({ invoice }) => [invoice.month, statusOf(invoice)])).toEqual([
      [3, 'paid'],
      [2, 'failed'],
      [1, 'paid'],
    ]);
    expect((await world.subscription(follower)).status).toBe('active');
  });

  it('that was declined is not tried again once its follower has left', async () => {
    await world.pay(follower, 'test_card_declined');
    await world.days(29);
    expect((await world.subscription(follower)).status).toBe('past_due');
    await world.pay(follower, 'test_card_paid');
    await world.app.deleteStrategySubscription(follower, { strategyId });
    const { invoice } = await world.invoice(follower);
    expect([invoice.month, invoice.state.kind]).toEqual([2, 'failed']);
    await world.days(9);
    expect(world.gateway.moved().charged.toFixed()).toBe('15');
  });

  it.each([
    ['never reached the gateway', 'lost_request', 'failed', '30'],
    ['was made, and its answer was lost', 'lost_answer', 'paid', '45'],
  ] as const)(
    'is looked for when it is half over before the service runs again, if its attempt %s: that month is not charged any more',
    async (_, fault, status, charged) => {
      world.ports.clock.advance(addMonths(START, 1) - START);
      world.faults.on('charge', fault);
      await world.app.runBilling();
      world.ports.clock.advance(40 * DAY);
      await world.app.runBilling();
      const views = await world.app.getInvoices(follower, {});
      const second = views.find(({ invoice }) => invoice.month === 2);
      expect(second && statusOf(second.invoice)).toBe(status);
      expect(world.gateway.moved().charged.toFixed()).toBe(charged);
      expect((await world.subscription(follower)).status).toBe('active');
      expect(await seesOrders()).toBe(true);
    },
  );

  it('renews, on the day that was subscribed on, clamped to the month', async () => {
    await world.days(90);
    const due = (await world.app.getInvoices(follower, {})).map(({ invoice }) =>
      new Date(invoice.createdAt).toISOString().slice(0, 10),
    );
    expect(due).toEqual(['2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31']);
  });

  it('keeps access while a renewal is declined, until the third time', async () => {
    await world.pay(follower, 'test_card_declined');
    await world.days(28);
    expect((await world.subscription(follower)).status).toBe('past_due');
    expect(await seesOrders()).toBe(true);
    await world.days(7);
    expect((await world.subscription(follower)).status).toBe('cancelled');
    expect(await seesOrders()).toBe(false);
    expect(world.events.at(-1)).toMatchObject({ kind: 'access_changed', userId: follower.userId });
  });

  it('keeps an ended subscription until its end, and charges no more', async () => {
    await world.app.deleteStrategySubscription(follower, { strategyId });
    expect(await world.subscription(follower)).toMatchObject({
      status: 'active',
      renewsAt: null,
      endsAt: addMonths(START, 1),
    });
    await world.days(27);
    expect(await seesOrders()).toBe(true);
    await world.days(40);
    expect((await world.subscription(follower)).status).toBe('cancelled');
    expect(await seesOrders()).toBe(false);
    expect(await world.app.getInvoices(follower, {})).toHaveLength(1);
  });

  it('continues when the user subscribes again before the end', async () => {
    await world.app.deleteStrategySubscription(follower, { strategyId });
    const again = await world.subscribe(follower, strategyId);
    expect([again.endsAt, again.renewsAt]).toEqual([null, addMonths(START, 1)]);
    await world.days(28);
    expect(await world.app.getInvoices(follower, {})).toHaveLength(2);
    const twice = world.subscribe(follower, strategyId);
    await expect(twice).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keeps its first price', async () => {
    await world.app.updateStrategy(owner, { strategyId, price: 99 });
    await world.days(28);
    expect((await world.invoice(follower)).invoice.amount.toFixed()).toBe('15');
  });
});

describe('a refund', () => {
  it('by a chargeback ends the subscription and takes the earning', async () => {
    await world.pay(follower, 'test_card_chargeback');
    await world.subscribe(follower, strategyId);
    await world.days(9);
    expect(await world.balance(owner)).toEqual(['12', '0']);
    await world.days(1);
    expect(statusOf((await world.invoice(follower)).invoice)).toBe('chargeback');
    expect((await world.subscription(follower)).status).toBe('cancelled');
    expect(await world.balance(owner)).toEqual(['0', '0']);
  });

  it('by a chargeback of an earlier month gives the unused days of the running one back', async () => {
    await world.pay(follower, 'test_card_chargeback_late');
    await world.subscribe(follower, strategyId);
    await world.days(60);
    const views = await world.app.getInvoices(follower, {});
    // The months have 28, 31 and 30 days; one of the third is used.
    expect(
      views.map(({ invoice }) => [invoice.month, statusOf(invoice), refundedOf(invoice).toFixed()]),
    ).toEqual([
      [3, 'paid', '14.5'],
      [2, 'paid', '0'],
      [1, 'chargeback', '0'],
    ]);
    expect((await world.subscription(follower)).status).toBe('cancelled');
    expect(world.gateway.moved().refunded.toFixed()).toBe('14.5');
  });

  it('by a chargeback of an earlier month ends the attempts to charge the running one', async () => {
    await world.pay(follower, 'test_card_chargeback_late');
    await world.subscribe(follower, strategyId);
    await world.days(45);
    await world.pay(follower, 'test_card_declined');
    await world.days(25);
    const views = await world.app.getInvoices(follower, {});
    expect(
      views.map(({ invoice }) => [invoice.month, statusOf(invoice), invoice.attempts]),
    ).toEqual([
      [3, 'failed', 1],
      [2, 'paid', 1],
      [1, 'chargeback', 1],
    ]);
  });

  it('for a deleted strategy covers the running month, once, despite an unreachable gateway', async () => {
    await world.pay(follower, 'test_card_paid');
    await world.subscribe(follower, strategyId);
    await world.days(30);
    world.faults.on('refund', 'lost_answer', 'lost_request');
    await world.app.deleteStrategy(owner, { strategyId });
    // Two days of 31 are used: 15 x 29 / 31 is 14.04 when rounded up; of the rest the owner has 80 %.
    expect(await world.balance(owner)).toEqual(['12.77', '0']);
    const [running, first] = await world.app.getInvoices(follower, {});
    expect([running, first].map((view) => view && refundedOf(view.invoice).toFixed())).toEqual([
      '14.04',
      '0',
    ]);
    await world.days(3);
    expect(world.gateway.moved().refunded.toFixed()).toBe('14.04');
    expect((await world.invoice(follower)).invoice.state).toMatchObject({
      kind: 'paid',
      checkAt: null,
    });
  });

  it('covers the whole charge if the subscription ended while the answer was lost', async () => {
    await world.pay(follower, 'test_card_paid');
    world.faults.on('charge', 'lost_answer');
    await world.subscribe(follower, strategyId);
    await world.app.deleteStrategySubscription(follower, { strategyId });
    await world.days(2);
    expect((await world.subscription(follower)).status).toBe('cancelled');
    expect(world.gateway.moved().refunded.toFixed()).toBe('15');
    expect(await world.balance(owner)).toEqual(['0', '0']);
  });
});
