import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import { BrokerRateLimited } from '@slipstream/ports';
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

  it('tells after some pauses of many orders that ended while nobody asked', async () => {
    const { newBroker, standIn, account, clock, pass, broker } = aWorld(name, {
      filling: 'by_hand',
    });
    const access = accessOf(name);
    const madeAt = clock.now();
    const ids = Array.from({ length: 30 }, (_, n) => `of-a-bot-${n}`.padEnd(32, 'a'));
    for (const one of ids) {
      await broker.place(access, orderOf(coin, { clientOrderId: one, amount: decimal('0.1') }));
      pass(SHOWN);
    }
    standIn.fillAll(account);
    for (let order = 0; order < 60; order += 1)
      standIn.tradeByHand(account, 'COIN', order % 2 === 0 ? 'buy' : 'sell', decimal('0.01'));
    const restarted = newBroker();
    const asked = async (): Promise<number> => {
      pass(60_000);
      const found = await restarted.find(access, ids, madeAt).catch((error: unknown) => {
        if (error instanceof BrokerRateLimited) return undefined;
        throw error;
      });
      return found?.size ?? 0;
    };
    const answers: number[] = [];
    for (let pause = 0; pause < 5; pause += 1) answers.push(await asked());
    expect(answers.at(-1)).toBe(ids.length);
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
