import { describe, expect, it } from '@jest/globals';
import { DAY, MINUTE, ZERO, chargeRefOf, decimal, refundedOf, statusOf } from '@slipstream/domain';
import { PASSWORD } from './accounts.js';
import { billingWorld } from './billing/billing-world.js';
import { fixture } from './fixture.js';

/** An owner whose strategy is traded by alerts, and a follower who pays for it and is signed in. */
async function scene() {
  const world = await billingWorld();
  const { app, ports } = world;
  const owner = await world.confirmed('owner');
  const follower = await world.confirmed('follower');
  const strategyId = await world.priced(owner);
  await world.quote('aapl', '100');
  await app.newOrderAllocations(owner, {
    strategyId,
    allocations: [{ stock: 'aapl', percent: decimal('0.5') }],
  });
  await app.updateStrategy(owner, { strategyId, alertWatch: 1 });
  await world.pay(follower, 'test_card_paid');
  await world.subscribe(follower, strategyId);
  await app.newSession(
    { kind: 'anonymous' },
    { email: 'follower@example.com', password: PASSWORD },
  );
  /** What the service changes by itself within some minutes, as the audit log names it. */
  const changes = async (): Promise<readonly string[]> => {
    const last = await ports.unitOfWork.read(({ audit }) => audit.last());
    for (let round = 0; round < 3; round += 1) {
      ports.clock.advance(MINUTE);
      await app.tick();
      await app.runBilling();
      await app.makeAnchors();
    }
    const since = await ports.unitOfWork.read(({ audit }) => audit.listAfter(last?.seq ?? 0, 100));
    return since.map(({ action }) => action);
  };
  return { ...world, follower, changes };
}

describe('after the clock jumped a year ahead', () => {
  it('nothing that time alone makes due is done while it is in doubt, and all of it on its day', async () => {
    const { ports, changes, follower, app, days, subscription } = await scene();
    await changes();
    const { renewsAt } = await subscription(follower);
    const now = ports.clock.now();

    ports.clock.advance(366 * DAY);
    ports.clock.doubt(true);
    expect(await changes()).toEqual([]);
    ports.clock.set(now);
    ports.clock.doubt(false);
    expect(await changes()).toEqual([]);
    expect((await subscription(follower)).renewsAt).toBe(renewsAt);

    await days(31);
    expect(await app.getInvoices(follower, {})).toHaveLength(2);
  });

  it('all of it is done once the clock is believed', async () => {
    const { ports, changes, follower, app } = await scene();
    ports.clock.advance(366 * DAY);
    expect(await changes()).not.toEqual([]);
    expect((await app.getInvoices(follower, {})).length).toBeGreaterThan(1);
  });

  it('no paid month begins and nothing settled is paid out while it is in doubt', async () => {
    const { ports, confirmed, priced, pay, subscribe, withdraw } = await billingWorld();
    const [owner, follower] = [await confirmed('owner'), await confirmed('follower')];
    const strategyId = await priced(owner);
    const free = await priced(owner, 0);
    await pay(follower, 'test_card_paid');
    ports.clock.advance(366 * DAY);
    ports.clock.doubt(true);
    const refused = { code: 'payment_gateway', message: expect.stringContaining('clock') };
    await expect(subscribe(follower, strategyId)).rejects.toMatchObject(refused);
    await expect(withdraw(owner, '1')).rejects.toMatchObject(refused);
    await subscribe(follower, free);
    ports.clock.doubt(false);
    await subscribe(follower, strategyId);
  });

  it('no declined charge is tried again, not by its payer either, and none is forgiven', async () => {
    const { app, ports, confirmed, priced, pay, subscribe, invoice } = await billingWorld();
    const follower = await confirmed('follower');
    await pay(follower, 'test_card_declined');
    await subscribe(follower, await priced(await confirmed('owner')));
    await pay(follower, 'test_card_paid');
    const { invoice: declined } = await invoice(follower);
    const retry = () => app.retryInvoice(follower, { invoiceId: declined.id });
    const now = ports.clock.now();
    ports.clock.advance(366 * DAY);
    ports.clock.doubt(true);
    const refused = { code: 'payment_gateway', message: expect.stringContaining('clock') };
    await expect(retry()).rejects.toMatchObject(refused);
    expect((await invoice(follower)).invoice).toEqual(declined);
    ports.clock.set(now + MINUTE);
    ports.clock.doubt(false);
    expect(statusOf((await retry()).invoice)).toBe('paid');
  });

  it('no notice of the gateway is taken: a dispute of an earlier month would refund no day of the running one', async () => {
    const dispute = { isOpen: false };
    const { gateway } = await billingWorld();
    const { app, ports, confirmed, priced, pay, subscribe, days } = await billingWorld({
      ...gateway,
      charge: async (request) => {
        const answer = await gateway.charge(request);
        return answer.kind === 'paid' ? { ...answer, ref: request.key } : answer;
      },
      standing: async () => ({
        kind: dispute.isOpen ? 'charged_back' : 'paid',
        refunded: ZERO,
        checkAgainAt: null,
      }),
      readNotice: async (chargeRef) => ({ kind: 'charge_changed', chargeRef }),
    });
    const follower = await confirmed('follower');
    await pay(follower, 'test_card_paid');
    await subscribe(follower, await priced(await confirmed('owner')));
    await days(31);
    const [, first] = await app.getInvoices(follower, {});
    const notice = () => app.handlePaymentWebhook((first && chargeRefOf(first.invoice)) ?? '', {});
    dispute.isOpen = true;
    const now = ports.clock.now();
    ports.clock.advance(366 * DAY);
    ports.clock.doubt(true);
    // The gateway posts what was refused again.
    await expect(notice()).rejects.toMatchObject({ code: 'payment_gateway' });
    ports.clock.set(now + MINUTE);
    ports.clock.doubt(false);
    await notice();
    const [running, disputed] = await app.getInvoices(follower, {});
    expect(disputed && statusOf(disputed.invoice)).toBe('chargeback');
    expect(running && refundedOf(running.invoice).gt(decimal('13'))).toBe(true);
  });

  it('a withdrawal that is taken back can be withdrawn again at once when it is back', async () => {
    const { app, ports, confirmed, priced, pay, subscribe, withdraw, days, balance } =
      await billingWorld();
    const [owner, follower] = [await confirmed('owner'), await confirmed('follower')];
    await pay(owner, 'test_bank');
    await pay(follower, 'test_card_paid');
    const strategyId = await priced(owner);
    await subscribe(follower, strategyId);
    await app.deleteStrategySubscription(follower, { strategyId });
    await days(40);
    const settled = await balance(owner);
    const { id: withdrawalId } = await withdraw(owner, '12');
    const now = ports.clock.now();
    ports.clock.advance(366 * DAY);
    ports.clock.doubt(true);
    await app.deleteWithdrawal(owner, { withdrawalId });
    ports.clock.set(now);
    ports.clock.doubt(false);
    expect(await balance(owner)).toEqual(settled);
  });

  it('no paid month of a follower is ended while it is in doubt, as no day of it would be left to refund', async () => {
    const { app, ports, confirmed, priced, pay, subscribe, subscription, invoice } =
      await billingWorld();
    const owner = await confirmed('owner');
    const strategyId = await priced(owner);
    const free = await priced(owner, 0);
    const hidden = (
      await app.newStrategy(owner, { type: 'stock', name: 'Hidden', price: 15, private: true })
    ).strategy.id;
    const [follower, guest] = [await confirmed('follower'), await confirmed('guest')];
    await app.updateStrategy(owner, { strategyId: hidden, invitedUserIds: [guest.userId] });
    for (const [user, followed] of [
      [follower, strategyId],
      [guest, hidden],
    ] as const) {
      await pay(user, 'test_card_paid');
      await subscribe(user, followed);
    }
    await subscribe(follower, free);
    const now = ports.clock.now();
    ports.clock.advance(366 * DAY);
    ports.clock.doubt(true);
    const refused = { code: 'payment_gateway', message: expect.stringContaining('clock') };
    const exclude = () =>
      app.deleteStrategySubscription(owner, { strategyId: hidden, userId: guest.userId });
    await expect(app.deleteStrategy(owner, { strategyId })).rejects.toMatchObject(refused);
    await expect(exclude()).rejects.toMatchObject(refused);
    expect((await subscription(guest)).status).toBe('active');
    await app.deleteStrategy(owner, { strategyId: free });
    ports.clock.set(now + DAY);
    ports.clock.doubt(false);
    await app.deleteStrategy(owner, { strategyId });
    await exclude();
    for (const user of [follower, guest]) {
      await app.runBilling();
      expect(refundedOf((await invoice(user)).invoice).gt(decimal('14'))).toBe(true);
    }
  });

  it('a repeat under its Idempotency-Key gets the first answer', async () => {
    const { app, ports, user } = await fixture();
    const owner = await user('owner');
    const once = () =>
      app.idempotently(
        { caller: 'owner', route: '/newStrategy', key: 'k', body: '{}' },
        ({ newStrategy }) => newStrategy(owner, { type: 'stock', name: 'Once' }),
        ({ strategy }) => strategy.id,
      );
    const first = await once();
    ports.clock.advance(366 * DAY);
    ports.clock.doubt(true);
    await app.tick();
    expect(await once()).toBe(first);
    ports.clock.advance(-366 * DAY);
    ports.clock.doubt(false);
    expect(await once()).toBe(first);
  });
});
