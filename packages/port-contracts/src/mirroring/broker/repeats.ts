import { TWO } from '@slipstream/domain';
import { type BrokerOrder, BrokerUnreachable } from '@slipstream/ports';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, orderText } from './linked-broker.js';

/** At most one order a client order id, whatever gets lost on the way. */
export function repeatCases(now: () => LinkedBroker): void {
  it('BC-08 trades once for a repeated client order id, and returns the first order', async () => {
    const { request, place, trade, settled, expectHeld } = now();
    const order = request();
    const first = await trade(order);
    expect(first.status).toBe('filled');
    expect(orderText(await place(order))).toEqual(orderText(first));
    expect(orderText(await settled(order))).toEqual(orderText(first));
    await expectHeld('10');
  });

  it('BC-09 trades once for a client order id that is sent twice at the same time', async () => {
    const { request, place, settled, expectHeld } = now();
    const order = request();
    await Promise.all([place(order), place(order)]);
    expect((await settled(order)).status).toBe('filled');
    await expectHeld('10');
  });

  it('BC-16 throws if an answer is lost, and finds the order later', async () => {
    const { fixture, request, place, find, settled, expectHeld } = now();
    const order = request();
    fixture.loseNextAnswer();
    await expect(place(order)).rejects.toBeInstanceOf(BrokerUnreachable);
    expect(await find(order.clientOrderId)).toBeDefined();
    expect((await settled(order)).status).toBe('filled');
    await expectHeld('10');
  });

  it('BC-17 throws if a request is lost, finds no order, and accepts it when it is sent again', async () => {
    const { fixture, request, place, find, trade, expectHeld } = now();
    const order = request();
    fixture.loseNextRequest();
    await expect(place(order)).rejects.toBeInstanceOf(BrokerUnreachable);
    expect(await find(order.clientOrderId)).toBeUndefined();
    expect((await trade(order)).status).toBe('filled');
    await expectHeld('10');
  });

  it('BC-37 throws if the answer to an order is unreadable, because the order may have been placed', async () => {
    const { fixture, request, place, settled, trade, expectHeld } = now();
    const order = request();
    fixture.troubleNext('place', 'unreadable');
    await expect(place(order)).rejects.toBeInstanceOf(BrokerUnreachable);
    expect((await settled(order)).status).toBe('filled');
    await trade(order);
    await expectHeld('10');
  });

  it('BC-62 keeps two orders that are sent at the same time apart', async () => {
    const { fixture, request, place, settled, expectHeld } = now();
    const [first, second] = [request(), request({ stock: fixture.twin, amount: TWO })];
    const answered = await Promise.all([place(first), place(second)]);
    const named = ({ clientOrderId, stockId }: BrokerOrder) => [clientOrderId, stockId];
    const expected = [first, second].map((order) => [order.clientOrderId, order.stock.id]);
    expect(answered.map(named)).toEqual(expected);
    expect([await settled(first), await settled(second)].map(named)).toEqual(expected);
    await expectHeld('10');
    await expectHeld('2', '0', fixture.twin);
  });
}
