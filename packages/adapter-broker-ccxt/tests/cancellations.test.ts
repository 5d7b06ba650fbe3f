import { describe, expect, it } from '@jest/globals';
import { BrokerUnreachable } from '@slipstream/ports';
import { NAMES, REQUESTS, aWorld, accessOf, coin, orderOf } from './fixture.js';

describe('an order', () => {
  it.each(NAMES)('at %s may be cancelled whatever becomes of the request', async (name) => {
    const { broker, standIn, account, pass } = aWorld(name, {
      filling: 'by_hand',
      cancelling: 3_000,
    });
    const access = accessOf(name);
    const order = orderOf(coin);
    await broker.place(access, order);
    for (const kind of ['drop_after', 'garbage', 'drop_before'] as const) {
      standIn.faults.add({ ...REQUESTS[name].cancel, kind });
      pass(1_000);
      await expect(broker.cancel(access, order.clientOrderId)).rejects.toBeInstanceOf(
        BrokerUnreachable,
      );
    }
    pass(5_000);
    await broker.cancel(access, order.clientOrderId);
    const found = (await broker.find(access, [order.clientOrderId])).get(order.clientOrderId);
    expect([found?.status, found?.cancelling, account.orders.length]).toEqual([
      'cancelled',
      false,
      1,
    ]);
  });

  it.each(NAMES)(
    'at %s that is cancelled before a list shows it is cancelled after',
    async (name) => {
      const { broker, standIn, account, pass } = aWorld(name, { filling: 'by_hand' });
      const access = accessOf(name);
      const { clientOrderId } = orderOf(coin);
      const now = async () => (await broker.find(access, [clientOrderId])).get(clientOrderId);
      standIn.appearAfter(9_000);
      await broker.place(access, orderOf(coin));
      await broker.cancel(access, clientOrderId);
      pass(10_000);
      const shown = await now();
      // Else nobody would ask for its cancellation again.
      if (shown?.status === 'open') expect(shown.cancelling).toBe(false);
      await broker.cancel(access, clientOrderId);
      expect([(await now())?.status, account.orders[0]?.status]).toEqual([
        'cancelled',
        'cancelled',
      ]);
    },
  );

  it.each(NAMES)('at %s is to be cancelled again when the exchange lost that', async (name) => {
    const { broker, account, pass } = aWorld(name, { filling: 'by_hand', cancelling: 5_000 });
    const access = accessOf(name);
    const { clientOrderId } = orderOf(coin);
    const now = async () => (await broker.find(access, [clientOrderId])).get(clientOrderId);
    await broker.place(access, orderOf(coin));
    await broker.cancel(access, clientOrderId);
    for (const order of account.orders) order.cancelledAt = null;
    expect((await now())?.cancelling).toBe(true);
    pass(60_000);
    expect((await now())?.cancelling).toBe(false);
  });
});
