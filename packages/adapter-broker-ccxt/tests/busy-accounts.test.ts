import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import { NAMES, type Name, REQUESTS, SHOWN, aWorld, accessOf, coin, orderOf } from './fixture.js';

const DAY = 86_400_000;
/** As many as a bot of real money may send by itself. */
const ORDERS_A_DAY = 200;
const { clientOrderId } = orderOf(coin);

/** An exchange with an account that traded so often on each of the last twelve days. */
function aBusyWorld(name: Name) {
  const world = aWorld(name);
  for (let order = 0; order < 12 * ORDERS_A_DAY; order += 1) {
    const side = order % 2 === 0 ? 'buy' : 'sell';
    world.standIn.tradeByHand(world.account, 'COIN', side, decimal('0.01'));
    world.pass(DAY / ORDERS_A_DAY);
  }
  return world;
}

describe.each(NAMES)('an account at %s of thousands of orders a month', (name) => {
  it('tells at once that it never had an order whose request was lost, and takes it then', async () => {
    const { broker, standIn, account, clock, pass } = aBusyWorld(name);
    const access = accessOf(name);
    const before = account.orders.length;
    const sentAt = clock.now();
    standIn.faults.add({ ...REQUESTS[name].place, kind: { lost: () => pass(SHOWN) } });
    await expect(broker.place(access, orderOf(coin))).rejects.toThrow();
    expect([...(await broker.find(access, [clientOrderId], sentAt))]).toEqual([]);
    const again = await broker.place(access, orderOf(coin));
    expect([again.status, account.orders.length - before]).toEqual(['open', 1]);
  });

  it('tells it to the process after, too, by when the order was made', async () => {
    const { newBroker, clock, pass } = aBusyWorld(name);
    const madeAt = clock.now();
    pass(DAY);
    const restarted = newBroker();
    pass(SHOWN);
    expect([...(await restarted.find(accessOf(name), [clientOrderId], madeAt))]).toEqual([]);
  });

  it('has every order that was sent since', async () => {
    const { broker, newBroker, standIn, account, clock, pass } = aBusyWorld(name);
    const access = accessOf(name);
    // The clock of this server may be hours ahead of that of the exchange, and be set right then.
    const madeAt = clock.now() + DAY / 2;
    await broker.place(access, orderOf(coin));
    for (let order = 0; order < 300; order += 1) {
      standIn.tradeByHand(account, 'COIN', order % 2 === 0 ? 'buy' : 'sell', decimal('0.01'));
      pass(150_000);
    }
    for (const one of [broker, newBroker()])
      expect((await one.find(access, [clientOrderId], madeAt)).size).toBe(1);
  });
});
