import { BrokerRateLimited, BrokerRefused, BrokerUnreachable } from '@slipstream/ports';
import { ONE, type Timestamp, decimal } from '@slipstream/domain';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, NEVER } from './linked-broker.js';

export const TROUBLES = [
  ['unreachable', BrokerUnreachable],
  ['rate_limited', BrokerRateLimited],
  ['refused', BrokerRefused],
  ['unreadable', BrokerUnreachable],
] as const;

/** More orders than a broker answers on one page, as a rule. */
const MANY = 120;

/** Questions without an answer: nothing is made up, and each trouble has its own error. */
export function troubleCases(now: () => LinkedBroker): void {
  /** A broker may ask for pauses between its pages; what it has not told by then is not left out. */
  async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let pauses = 0; pauses < MANY; pauses += 1) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof BrokerRateLimited)) throw error;
        await now().fixture.settle();
      }
    }
    return ask();
  }

  it('BC-11 finds those of the requested orders that it has received, and no others', async () => {
    const { broker, access, request, trade } = now();
    const [first, second, unasked] = [request(), request(), request()];
    for (const order of [first, second, unasked]) await trade(order);
    const ids = [first.clientOrderId, NEVER, second.clientOrderId];
    const found = await broker.find(access, ids);
    expect([...found.keys()].sort()).toEqual([first.clientOrderId, second.clientOrderId]);
    for (const [clientOrderId, order] of found) expect(order.clientOrderId).toBe(clientOrderId);
    expect((await broker.find(access, [])).size).toBe(0);
  });

  it('BC-61 finds all of many orders at once, and those made since a moment', async () => {
    const { broker, access, fixture, request, trade } = now();
    const since = fixture.now();
    await trade(request());
    const sent: string[] = [];
    for (let one = 0; one < MANY; one += 1) {
      const order = request({ action: one % 2 === 0 ? 'sell' : 'buy', amount: ONE });
      await trade(order);
      sent.push(order.clientOrderId);
    }
    const found = async (from?: Timestamp) => {
      const orders = await patiently(() => broker.find(access, sent, from));
      return [...orders.keys()].toSorted();
    };
    expect(await found()).toEqual(sent.toSorted());
    expect(await found(since)).toEqual(sent.toSorted());
  });

  it.each(TROUBLES)(
    'BC-23 throws if it cannot read an order (%s): only an order that it certainly never received is absent',
    async (trouble, error) => {
      const { fixture, request, trade, find } = now();
      const order = request();
      await trade(order);
      fixture.troubleNext('find', trouble);
      await expect(find(order.clientOrderId)).rejects.toBeInstanceOf(error);
      expect((await find(order.clientOrderId))?.status).toBe('filled');
    },
  );

  it.each(TROUBLES)(
    'BC-24 throws if it cannot read an account (%s): an unreadable account is not flat',
    async (trouble, error) => {
      const { fixture, request, trade, account, expectHeld } = now();
      await trade(request());
      fixture.troubleNext('account', trouble);
      await expect(account()).rejects.toBeInstanceOf(error);
      await expectHeld('10');
    },
  );

  it('BC-25 states how long to wait when it limits the rate, and has done nothing', async () => {
    const { fixture, request, place, find, trade, expectHeld } = now();
    const order = request();
    fixture.troubleNext('place', 'rate_limited');
    const failed = await place(order).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BrokerRateLimited);
    expect((failed as BrokerRateLimited).retryAfter).toBeGreaterThanOrEqual(0);
    expect(await find(order.clientOrderId)).toBeUndefined();
    expect((await trade(order)).status).toBe('filled');
    await expectHeld('10');
  });

  it('BC-58 throws if its access has ended when it places an order: that is no rejection of the order', async () => {
    const { fixture, request, place, find, trade, expectHeld } = now();
    const order = request();
    fixture.troubleNext('place', 'refused');
    await expect(place(order)).rejects.toBeInstanceOf(BrokerRefused);
    expect(await find(order.clientOrderId)).toBeUndefined();
    expect((await trade(order)).status).toBe('filled');
    await expectHeld('10');
  });

  // What the broker says about a cancellation may be nothing at all: `find` tells what became of it.
  it.each(TROUBLES.filter(([trouble]) => trouble !== 'unreadable'))(
    'BC-59 throws if it could not ask for a cancellation (%s), and the order stays open',
    async (trouble, error) => {
      const { fixture, broker, access, request, place, settled } = now();
      const order = request();
      fixture.closeMarket();
      await place(order);
      fixture.troubleNext('cancel', trouble);
      await expect(broker.cancel(access, order.clientOrderId)).rejects.toBeInstanceOf(error);
      expect((await settled(order)).status).toBe('open');
      await broker.cancel(access, order.clientOrderId);
      expect((await settled(order)).status).toBe('cancelled');
    },
  );

  it.each(TROUBLES)(
    'BC-60 throws if it cannot read an account that it links (%s): it never seems empty',
    async (trouble, error) => {
      const { fixture, broker, access } = now();
      await fixture.tradeByHand(access, 'buy', decimal('3'));
      const again = () => broker.link({ ...fixture.link, accountId: access.accountId });
      fixture.troubleNext('link', trouble);
      await expect(again()).rejects.toBeInstanceOf(error);
      expect((await again()).holdings).toHaveLength(1);
    },
  );

  it.each(TROUBLES)(
    'BC-38 throws if it cannot read the rules (%s): it never omits a traded stock',
    async (trouble, error) => {
      const { fixture, rules } = now();
      fixture.troubleNext('rules', trouble);
      await expect(rules()).rejects.toBeInstanceOf(error);
      expect((await rules()).session).toBe('open');
    },
  );
}
