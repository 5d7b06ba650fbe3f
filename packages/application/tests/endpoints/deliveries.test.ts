import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Delivery, SendAnswer } from '@slipstream/domain';
import { DELIVERED, FAILED, GONE, type Sent, world } from './receiver.js';

const HOUR = 3_600_000;

async function heard(command: Parameters<Awaited<ReturnType<typeof world>>['endpoint']>[0] = {}) {
  const made = await world();
  const { endpoint } = await made.endpoint(command);
  const endpointId = endpoint.id;
  return {
    ...made,
    endpointId,
    deliveries: () => made.app.getDeliveries(made.ada, { endpointId }),
    status: async () =>
      (await made.app.getEndpoints(made.ada)).map((one) => [
        one.endpoint.status,
        one.endpoint.statusReason,
      ])[0],
  };
}

const states = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ status, attempt }) => [status, attempt]);

describe('an event that many endpoints wait for', () => {
  it('is sent to one in each turn of the event loop, so that others are answered in between', async () => {
    let turns = 0;
    const pause = async (): Promise<void> => {
      await turn();
      turns += 1;
    };
    const { app, endpoint, copies, fills, receiver } = await world(undefined, { pause });
    await copies((await endpoint()).endpoint, 39);
    await fills(1);
    const sentIn: number[] = [];
    receiver.answer = () => {
      sentIn.push(turns);
      return DELIVERED;
    };
    await app.sendEvents();
    expect([sentIn.length, new Set(sentIn).size]).toEqual([40, 40]);
  });
});

describe('an event', () => {
  it('is sent after its commit, once, and in the order in which events happened', async () => {
    const { app, fills, receiver, deliveries } = await heard();
    await fills(5);
    expect(receiver.sent).toEqual([]);
    await app.sendEvents();
    await app.sendEvents();
    const sent = (await deliveries()).toReversed();
    expect(states(sent)).toEqual(Array(5).fill(['delivered', 1]));
    expect(receiver.sent.map(({ id }) => id)).toEqual(sent.map(({ id }) => id));
    expect(sent.map(({ place }) => place)).toEqual(
      sent.map(({ place }) => place).toSorted((one, other) => one - other),
    );
  });

  // While the receiver wants nothing, it is not asked for the second one.
  it.each<[string, SendAnswer, readonly number[]]>([
    ['failed', FAILED, [1, 2, 2]],
    ['was asked to wait for', { ...FAILED, retryAfter: HOUR }, [1, 1, 2]],
  ])('that %s while the clock was ahead is sent when it is back', async (_, answer, attempts) => {
    const { app, ports, quote, fills, receiver, deliveries } = await heard();
    await app.sendEvents();
    ports.clock.advance(366 * 24 * HOUR);
    ports.clock.doubt(true);
    receiver.answer = () => answer;
    await quote('AAPL:NASDAQ', '100');
    await fills(1);
    await app.sendEvents();
    await fills(1);
    await app.sendEvents();
    ports.clock.advance(-366 * 24 * HOUR);
    ports.clock.doubt(false);
    receiver.answer = () => DELIVERED;
    await quote('AAPL:NASDAQ', '100');
    await fills(1);
    await app.sendEvents();
    await app.sendEvents();
    expect(states(await deliveries()).toSorted()).toEqual(
      attempts.map((attempt) => ['delivered', attempt]),
    );
  });

  it('that failed while the clock was ahead is sent when it is back, however many came after it', async () => {
    const { app, ports, quote, fills, receiver } = await heard();
    ports.clock.advance(366 * 24 * HOUR);
    ports.clock.doubt(true);
    receiver.answer = () => FAILED;
    await quote('AAPL:NASDAQ', '100');
    await fills(1);
    await app.sendEvents();
    const held = receiver.sent.at(-1)?.id;
    receiver.answer = () => DELIVERED;
    await fills(110);
    for (let turn = 0; turn < 6; turn += 1) await app.sendEvents();
    ports.clock.advance(-366 * 24 * HOUR);
    ports.clock.doubt(false);
    const before = receiver.sent.length;
    for (let turn = 0; turn < 2; turn += 1) await app.sendEvents();
    expect(receiver.sent.slice(before).map(({ id }) => id)).toEqual([held]);
  });

  it('of before the endpoint is not told', async () => {
    const { app, fills, endpoint, receiver } = await world();
    await fills(1);
    await endpoint();
    await app.sendEvents();
    expect(receiver.sent).toEqual([]);
  });

  it('is told to endpoints that asked for it, of owner and followers', async () => {
    const { app, user, ada, endpoint, fills, receiver, strategyId, strategy } = await world();
    const bob = await user('bob');
    await app.newStrategySubscription(bob, { strategyId });
    const mine = await endpoint();
    const named = await endpoint({ strategyIds: [strategyId] }, bob);
    await endpoint({ events: ['order.rejected'] });
    await endpoint({}, bob);
    await endpoint({ strategyIds: [await strategy(ada)] });
    await fills(1);
    await app.sendEvents();
    const told = await Promise.all([
      app.getDeliveries(ada, { endpointId: mine.endpoint.id }),
      app.getDeliveries(bob, { endpointId: named.endpoint.id }),
    ]);
    expect(told.map((list) => list.length)).toEqual([1, 1]);
    expect(receiver.sent).toHaveLength(2);
  });

  it('has a short text with a link for messengers', async () => {
    const telegram = { kind: 'telegram', url: undefined, botToken: 'bot', chatId: '7' } as const;
    const { app, fills, receiver, strategyId } = await heard(telegram);
    await fills(1);
    await app.sendEvents();
    expect(receiver.sent[0]?.text).toMatch(
      /^Filled: buy AAPL, [\d.]+ at 100, in A strategy\.\nhttp:\/\/\S+\/strategies\//,
    );
    expect(receiver.sent[0]?.text).toContain(strategyId);
  });

  it('is not kept when nobody listens', async () => {
    const { ports, fills } = await world();
    await fills(3);
    const kept = await ports.unitOfWork.read(({ endpointEvents }) => endpointEvents.unaddressed(9));
    expect(kept).toEqual([]);
  });

  it('goes to any number of followers outside the transaction of the order', async () => {
    const { app, ports, user, ada, strategyId, endpoint, copies, fills } = await world();
    const bob = await user('bob');
    await app.newStrategySubscription(bob, { strategyId });
    const { endpoint: made } = await endpoint({ strategyIds: [strategyId] }, bob);
    await copies(made, 450);
    await fills(2);
    const counted = () =>
      ports.unitOfWork.read(
        async ({ deliveries }) => (await deliveries.expired(Infinity, 9999)).length,
      );
    expect(await counted()).toBe(0);
    await app.sendEvents();
    expect(await counted()).toBe(902);
    expect(await app.getDeliveries(ada, { endpointId: made.id }).catch(() => 'hidden')).toBe(
      'hidden',
    );
  });
});

describe('an attempt that fails', () => {
  it('is made again under the same id for two days, beside later events', async () => {
    const { app, ports, fills, receiver, deliveries, status } = await heard();
    receiver.answer = () => FAILED;
    await fills(1);
    const waits = [5_000, 300_000, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 16 * HOUR];
    await app.sendEvents();
    for (const [n, wait] of waits.entries()) {
      const [delivery] = await deliveries();
      expect(delivery).toMatchObject({
        status: 'retrying',
        attempt: n + 1,
        responseStatus: 503,
        nextAt: ports.clock.now() + wait,
      });
      ports.clock.advance(wait - 1);
      await app.sendEvents();
      expect(receiver.sent).toHaveLength(n + 1);
      ports.clock.advance(1);
      await app.sendEvents();
    }
    expect(states(await deliveries())).toEqual([['failed', 9]]);
    expect(new Set(receiver.sent.map(({ id }) => id)).size).toBe(1);
    expect(await status()).toEqual(['disabled', 'no message could be delivered for two days']);
  });

  it('waits as long as the receiver asks, with the events after it', async () => {
    const { app, ports, fills, receiver, deliveries } = await heard();
    receiver.answer = () => ({ ...FAILED, retryAfter: 60_000 });
    await fills(2);
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
    receiver.answer = () => DELIVERED;
    ports.clock.advance(59_999);
    await fills(1);
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
    ports.clock.advance(1);
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(4);
    expect(states(await deliveries()).map(([status]) => status)).toEqual(
      Array(3).fill('delivered'),
    );
  });

  it('waits no longer than an hour for a receiver, and not for one that is retried by hand', async () => {
    const { app, ada, ports, fills, receiver, deliveries } = await heard();
    receiver.answer = () => ({ ...FAILED, retryAfter: 1000 * HOUR });
    await fills(1);
    await app.sendEvents();
    const [delivery] = await deliveries();
    expect(delivery?.nextAt).toBe(ports.clock.now() + HOUR);
    await app.retryDelivery(ada, { deliveryId: delivery?.id ?? '' });
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(2);
  });

  it('does not wait for one whose address was changed', async () => {
    const { app, ada, endpointId, fills, receiver, deliveries } = await heard();
    receiver.answer = () => ({ ...FAILED, retryAfter: HOUR });
    await fills(1);
    await app.sendEvents();
    receiver.answer = () => DELIVERED;
    await app.updateEndpoint(ada, { endpointId, url: 'https://example.com/other' });
    await fills(1);
    await app.sendEvents();
    expect(states(await deliveries())[0]).toEqual(['delivered', 1]);
  });

  it('is not lost, and its endpoint goes on, when the address before is gone', async () => {
    const { app, ada, ports, endpointId, fills, receiver, deliveries, status } = await heard();
    const url = 'https://example.com/other';
    receiver.answer = async ({ target }) => {
      if (target.kind !== 'webhook' || target.url === url) return DELIVERED;
      await app.updateEndpoint(ada, { endpointId, url });
      return GONE;
    };
    await fills(1);
    await app.sendEvents();
    expect(await status()).toEqual(['active', null]);
    ports.clock.advance(5_000);
    await app.sendEvents();
    expect(states(await deliveries())).toEqual([['delivered', 2]]);
  });

  it('does not hold up later events, and does not disable an endpoint that took one of them', async () => {
    const { app, ports, fills, receiver, deliveries, status } = await heard();
    await fills(1);
    await app.sendEvents();
    const refused = new Set<string>();
    receiver.answer = ({ id }) => {
      if (refused.size === 0) refused.add(id);
      return refused.has(id) ? FAILED : DELIVERED;
    };
    await fills(2);
    for (let n = 0; n < 12; n += 1) {
      await app.sendEvents();
      await app.sendEvents();
      ports.clock.advance(16 * HOUR);
    }
    expect(states((await deliveries()).toReversed())).toEqual([
      ['delivered', 1],
      ['failed', 9],
      ['delivered', 1],
    ]);
    expect(await status()).toEqual(['active', null]);
  });

  it('is made again after a restart', async () => {
    const { app, ports, fills, receiver, restart } = await heard();
    receiver.answer = () => FAILED;
    await fills(2);
    await app.sendEvents();
    await app.sendEvents();
    const again = await restart();
    receiver.answer = () => DELIVERED;
    ports.clock.advance(5_000);
    await again.sendEvents();
    const ids = receiver.sent.map(({ id }) => id);
    expect(ids.slice(2).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  });

  it('with 410 disables the endpoint, and its owner is notified', async () => {
    const { app, ada, fills, receiver, deliveries, status } = await heard();
    receiver.answer = () => GONE;
    await fills(2);
    await app.sendEvents();
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
    expect(await status()).toEqual(['disabled', 'it answered 410']);
    expect(states((await deliveries()).toReversed())).toEqual([
      ['failed', 1],
      ['pending', 0],
    ]);
    const [notice] = await app.getNotifications(ada, {});
    expect(notice?.text).toMatch(/^Your webhook endpoint .* was disabled: it answered 410\.$/);
  });
});

describe('an endpoint that is active again', () => {
  it('is told what waited, in order', async () => {
    const { app, ada, endpointId, fills, receiver, deliveries } = await heard();
    receiver.answer = () => GONE;
    await fills(3);
    await app.sendEvents();
    receiver.answer = () => DELIVERED;
    await app.updateEndpoint(ada, { endpointId, status: 'active' });
    await app.sendEvents();
    expect(states((await deliveries()).toReversed())).toEqual([
      ['failed', 1],
      ['delivered', 1],
      ['delivered', 1],
    ]);
  });
});

describe('retryDelivery', () => {
  it('sends a message once more under its id, also one that was given up', async () => {
    const { app, ada, fills, receiver, deliveries, endpointId } = await heard();
    receiver.answer = () => GONE;
    await fills(1);
    await app.sendEvents();
    const [given] = await deliveries();
    const deliveryId = given?.id ?? '';
    await expect(app.retryDelivery(ada, { deliveryId })).rejects.toMatchObject({
      code: 'conflict',
    });
    await app.updateEndpoint(ada, { endpointId, status: 'active' });
    receiver.answer = () => DELIVERED;
    expect(await app.retryDelivery(ada, { deliveryId })).toMatchObject({ status: 'retrying' });
    await app.sendEvents();
    expect(states(await deliveries())).toEqual([['delivered', 1]]);
    expect(receiver.sent.map(({ id }) => id)).toEqual([deliveryId, deliveryId]);
  });

  it('tries a message that was given up for two days again, and disables no endpoint before', async () => {
    const { app, ada, ports, fills, receiver, deliveries, status, endpointId } = await heard();
    const passesTwoDays = async () => {
      for (let n = 0; n < 9; n += 1) {
        await app.sendEvents();
        ports.clock.advance(16 * HOUR);
      }
    };
    receiver.answer = () => FAILED;
    await fills(1);
    await passesTwoDays();
    expect(states(await deliveries())).toEqual([['failed', 9]]);
    await app.updateEndpoint(ada, { endpointId, status: 'active' });
    const [given] = await deliveries();
    await app.retryDelivery(ada, { deliveryId: given?.id ?? '' });
    await app.sendEvents();
    expect(await deliveries()).toMatchObject([
      { status: 'retrying', attempt: 1, nextAt: ports.clock.now() + 5_000 },
    ]);
    expect(await status()).toEqual(['active', null]);
    await passesTwoDays();
    expect(states(await deliveries())).toEqual([['failed', 9]]);
    expect(await status()).toEqual(['disabled', 'no message could be delivered for two days']);
  });

  it("refuses another user's", async () => {
    const { app, user, fills, deliveries } = await heard();
    await fills(1);
    await app.sendEvents();
    const [delivery] = await deliveries();
    const bob = await user('bob');
    await expect(app.retryDelivery(bob, { deliveryId: delivery?.id ?? '' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('endpoints that do not answer', () => {
  it('slow no other: those whose last attempt failed have places of their own', async () => {
    const { app, ports, endpoint, copies, fills, receiver } = await world();
    await endpoint({ url: 'https://example.com/alive' });
    const { endpoint: dead } = await endpoint({ url: 'https://example.com/dead' });
    await copies(dead, 149);
    const isTo = (path: string) => (message: Sent) =>
      message.target.kind === 'webhook' && message.target.url.endsWith(path);
    receiver.answer = (message) => (isTo('alive')(message) ? DELIVERED : FAILED);
    await fills(1);
    for (let n = 0; n < 5; n += 1) await app.sendEvents();
    expect(receiver.sent).toHaveLength(151);
    const hanging: (() => void)[] = [];
    receiver.answer = (message) =>
      isTo('alive')(message)
        ? DELIVERED
        : new Promise((resolve) => hanging.push(() => resolve(FAILED)));
    ports.clock.advance(5_000);
    await fills(2);
    const turn = app.sendEvents();
    while (receiver.sent.filter(isTo('alive')).length < 3) await new Promise(setImmediate);
    receiver.answer = () => FAILED;
    while (hanging.length > 0) for (const end of hanging.splice(0)) end();
    await turn;
  });
});

describe('old deliveries', () => {
  it('are forgotten after 30 days, with their events', async () => {
    const { app, ports, fills, deliveries } = await heard();
    await fills(1);
    await app.sendEvents();
    ports.clock.advance(31 * 24 * HOUR);
    await app.tick();
    expect(await deliveries()).toEqual([]);
    const left = await ports.unitOfWork.read(({ endpointEvents }) =>
      endpointEvents.expired(Infinity, 9),
    );
    expect(left).toEqual([]);
  });
});
