import { BrokerRateLimited, BrokerRefused, BrokerUnreachable } from '@slipstream/ports';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, NEVER } from './linked-broker.js';

export const TROUBLES = [
  ['unreachable', BrokerUnreachable],
  ['rate_limited', BrokerRateLimited],
  ['refused', BrokerRefused],
  ['unreadable', BrokerUnreachable],
] as const;

/** Questions without an answer: nothing is made up, and each trouble has its own error. */
export function troubleCases(now: () => LinkedBroker): void {
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
