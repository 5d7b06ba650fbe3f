import { ZERO, decimal } from '@slipstream/domain';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, NEVER, TEN } from './linked-broker.js';

/** Orders that wait, and how they end without a fill. */
export function endCases(now: () => LinkedBroker): void {
  it('BC-12 returns a rejection as a value with a reason, and trades nothing', async () => {
    const { request, trade, expectHeld } = now();
    const order = await trade(request({ amount: decimal('10000000') }));
    expect(order.status).toBe('rejected');
    expect(order.reason).toMatch(/\S/);
    await expectHeld('0');
  });

  it('BC-18 keeps an order open while nothing can be traded, and fills it when that ends', async () => {
    const { fixture, request, rules, place, settled, expectHeld } = now();
    const order = request();
    fixture.closeMarket();
    expect((await rules()).session).not.toBe('open');
    expect((await place(order)).status).toBe('open');
    expect((await settled(order)).status).toBe('open');
    await expectHeld('0');
    fixture.openMarket();
    expect((await settled(order)).status).toBe('filled');
    await expectHeld('10');
  });

  it('BC-19 cancels an open order, and reports the cancellation until it is done', async () => {
    const { fixture, broker, access, request, place, find, settled, expectHeld } = now();
    const order = request();
    fixture.closeMarket();
    await place(order);
    await broker.cancel(access, order.clientOrderId);
    const asked = await find(order.clientOrderId);
    expect(asked?.status === 'cancelled' || asked?.cancelling).toBe(true);
    await broker.cancel(access, order.clientOrderId);
    const ended = await settled(order);
    expect([ended.status, ended.cancelling]).toEqual(['cancelled', false]);
    fixture.openMarket();
    const found = await settled(order);
    expect(found.status).toBe('cancelled');
    expect(found.filledAmount.eq(ZERO)).toBe(true);
    await expectHeld('0');
  });

  it('BC-20 does nothing when an order to cancel is not open', async () => {
    const { broker, access, request, trade, settled, expectHeld } = now();
    const order = request();
    expect((await trade(order)).status).toBe('filled');
    await broker.cancel(access, order.clientOrderId);
    await broker.cancel(access, NEVER);
    expect((await settled(order)).status).toBe('filled');
    await expectHeld('10');
  });

  it('BC-39 counts an order that expires as cancelled', async () => {
    const { fixture, access, request, place, settled, expectHeld } = now();
    const order = request();
    fixture.closeMarket();
    await place(order);
    await fixture.expireOrders(access);
    expect((await settled(order)).status).toBe('cancelled');
    fixture.openMarket();
    const found = await settled(order);
    expect(found.status).toBe('cancelled');
    expect(found.reason).toMatch(/\S/);
    await expectHeld('0');
  });

  it('BC-40 keeps the filled part of an order that expires', async () => {
    const { fixture, access, request, place, settled, expectHeld } = now();
    const order = request();
    fixture.fillNextInPart();
    await place(order);
    await fixture.expireOrders(access);
    const found = await settled(order);
    expect(found.status).toBe('cancelled');
    expect(found.filledAmount.gt(ZERO) && found.filledAmount.lt(TEN)).toBe(true);
    await expectHeld(found.filledAmount);
  });
}
