import { describe, expect, it } from '@jest/globals';
import { type OrderId, Refusal, decimal, id } from '@slipstream/domain';
import { aNotification } from '@slipstream/port-contracts';
import { type Caller, type Caps, DEFAULT_CAPS, DEFAULT_SETTINGS } from '../src/index.js';
import { type Fixture, fixture } from './fixture.js';

const withCaps = (
  caps: Partial<Caps>,
  ports: Parameters<typeof fixture>[0] = {},
): Promise<Fixture> => fixture(ports, { ...DEFAULT_SETTINGS, caps: { ...DEFAULT_CAPS, ...caps } });

const capReached = (message: string) => ({ code: 'cap_reached', message });

describe('the cap', () => {
  it('of tokens counts api tokens that have not expired', async () => {
    const { app, user, ports } = await withCaps({ tokens: 3 });
    const ada = await user('ada');
    const token = (expiresAt?: number) => app.newToken(ada, { name: 't', scope: ['*'], expiresAt });
    await token(ports.clock.now() + 1000);
    await token();
    await expect(token()).rejects.toMatchObject(capReached('a user can have 3 tokens at most'));
    ports.clock.advance(1000);
    await token();
  });

  it('of strategies counts those that are not deleted', async () => {
    const { app, user, strategy } = await withCaps({ strategies: 2 });
    const ada = await user('ada');
    const [first] = [await strategy(ada), await strategy(ada)];
    await expect(strategy(ada)).rejects.toMatchObject(
      capReached('a user can have 2 strategies at most'),
    );
    await app.deleteStrategy(ada, { strategyId: first });
    await strategy(ada);
  });

  it("of subscriptions counts followed strategies, not the user's own", async () => {
    const { app, user, strategy } = await withCaps({ subscriptions: 1 });
    const [ada, bob] = [await user('ada'), await user('bob')];
    const [first, second] = [await strategy(ada), await strategy(ada)];
    await strategy(bob);
    await app.newStrategySubscription(bob, { strategyId: first });
    const more = () => app.newStrategySubscription(bob, { strategyId: second });
    await expect(more()).rejects.toMatchObject(
      capReached('a user can follow 1 strategies at most'),
    );
    await app.deleteStrategySubscription(bob, { strategyId: first });
    await more();
  });

  it('of posts is for a day', async () => {
    const { app, user, ports } = await withCaps({ posts: 2 });
    const ada = await user('ada');
    const post = () => app.newPost(ada, { text: 'Long.' });
    await post();
    await post();
    await expect(post()).rejects.toMatchObject(
      capReached('a user can write 2 posts a day at most'),
    );
    await app.newPost(await user('bob'), { text: 'Short.' });
    ports.clock.advance(24 * 60 * 60 * 1000);
    await post();
  });

  it('of alerts refuses none: the oldest refused ones are deleted first', async () => {
    const { app, user, ports, quote, strategy } = await withCaps({ alerts: 3 });
    const [ada, bob] = [await user('ada'), await user('bob')];
    const strategyId = await strategy(ada);
    await quote('aapl', '100');
    const alert = (stock: string) =>
      app.newOrderWebhook(ada, { strategyId, stock, action: 'buy' }).catch(() => undefined);
    const kept = async () => (await app.getAlerts(ada, {})).map(({ verdict }) => verdict);
    await app.keepRefusedAlert(bob, {}, new Refusal('not_found', 'no'));
    for (const stock of ['aapl', 'none', 'aapl', 'none']) {
      ports.clock.advance(1000);
      await alert(stock);
    }
    expect(await kept()).toHaveLength(4);
    ports.clock.advance(10_000);
    await app.tick();
    expect(await kept()).toEqual(['refused', 'no_change', 'accepted']);
    for (const stock of ['aapl', 'aapl', 'aapl']) await alert(stock);
    // One that came just now may be sent again: it stays until it cannot.
    ports.clock.advance(10_000);
    await app.tick();
    expect(await kept()).not.toContain('refused');
    expect(await kept()).toHaveLength(5);
    // Then it goes, also when no other one comes.
    ports.clock.advance(60_001);
    await app.tick();
    expect(await kept()).not.toContain('refused');
    expect(await kept()).toHaveLength(3);
    expect(await app.getAlerts(bob, {})).toHaveLength(1);
  });

  it('of alerts keeps the refused ones of an inbox that is full of alerts with an alert_id', async () => {
    const { app, user, ports, quote, strategy } = await withCaps({ alerts: 3 });
    const ada = await user('ada');
    const strategyId = await strategy(ada);
    await quote('aapl', '100');
    const alert = (stock: string, alertId?: string) =>
      app
        .newOrderWebhook(ada, { strategyId, stock, action: 'buy', alertId })
        .catch(() => undefined);
    for (const alertId of ['a', 'b', 'c', 'd']) await alert('aapl', alertId);
    await alert('none');
    await alert('aapl');
    ports.clock.advance(60_001);
    await app.tick();
    const verdicts = (await app.getAlerts(ada, {})).map(({ verdict }) => verdict);
    expect(verdicts).toHaveLength(6);
    expect(verdicts).toContain('refused');
  });

  describe('of storage', () => {
    const MEGABYTE = 1_000_000;
    const stored = ({ ports }: Fixture, caller: Caller) =>
      ports.unitOfWork.read(({ users }) =>
        caller.kind === 'user' ? users.stored(caller.userId) : Promise.resolve(0),
      );
    const body = 'x'.repeat(60_000);

    /** Alerts with bodies and requests under keys, together more than a megabyte. */
    async function full() {
      const world = await withCaps({ storage: 1 });
      const ada = await world.user('ada');
      if (ada.kind !== 'user') throw new Error('not a user');
      const strategyId = await world.strategy(ada);
      await world.quote('aapl', '100');
      let sent = 0;
      const alert = async (stock: string, alertId?: string, action: 'buy' | 'sell' = 'buy') => {
        sent += 1;
        const delivery = { id: `delivery-${sent}`, body: `${body}${sent}`, isWanted: () => true };
        const command = { strategyId, stock, action, alertId };
        await world.app.newOrderWebhook(ada, command, delivery).catch(() => undefined);
      };
      /** A post under a key, as often as it is sent. */
      const keyed = () =>
        world.app.idempotently(
          { caller: 'a token', userId: ada.userId, route: 'r', key: 'k', body: 'b' },
          (operations) => operations.newPost(ada, { text: 'Long.' }),
          () => body,
        );
      const post = (text = 'Long.') => world.app.newPost(ada, { text });
      const kept = () => world.app.getAlerts(ada, {});
      const settle = async () => {
        world.ports.clock.advance(60_001);
        await world.app.tick();
      };
      return { ...world, ada, strategyId, alert, keyed, post, kept, settle };
    }

    it('refuses operations that add stored data, by name, but never alerts, orders, cancellations or deletions', async () => {
      const world = await full();
      const { app, ada, strategyId, alert, post, kept } = world;
      const { post: first } = await post();
      for (let count = 0; count < 17; count += 1) await alert('aapl');
      const refusal = capReached(
        'a user can keep 1 MB at most (storage): delete posts, or wait until older alerts and answers are forgotten',
      );
      await expect(post()).rejects.toMatchObject(refusal);
      await expect(world.strategy(ada)).rejects.toMatchObject(refusal);
      await alert('msft');
      await alert('aapl', undefined, 'sell');
      expect((await kept()).find(({ id }) => id === 'delivery-19')).toMatchObject({
        verdict: 'accepted',
      });
      const { order } = await app.newOrder(ada, {
        strategyId,
        stock: 'aapl',
        action: 'buy',
        pricing: { type: 'limit', price: decimal('50') },
        size: { by: 'amount', amount: decimal('0.0001') },
      });
      await app.deleteOrder(ada, { strategyId, orderId: order.id });
      await app.deletePost(ada, { postId: first.id });
      await app.deleteStrategy(ada, { strategyId });
    });

    it('is held by deleting the oldest refused alerts first, then the oldest others', async () => {
      const world = await full();
      const { alert, kept, post, settle } = world;
      await alert('aapl');
      for (let count = 0; count < 16; count += 1) await alert('none');
      await settle();
      expect(await stored(world, world.ada)).toBeLessThanOrEqual(MEGABYTE);
      expect((await kept()).at(-1)?.verdict).toBe('accepted');
      for (let count = 0; count < 17; count += 1) await alert('aapl');
      await settle();
      expect(await stored(world, world.ada)).toBeLessThanOrEqual(MEGABYTE);
      await post();
    });

    it('is held by the next process, too, when it has refused something', async () => {
      const world = await full();
      for (let count = 0; count < 17; count += 1) await world.alert('aapl');
      const { app } = await withCaps({ storage: 1 }, world.ports);
      const post = () => app.newPost(world.ada, { text: 'Long.' });
      await expect(post()).rejects.toMatchObject({ code: 'cap_reached' });
      world.ports.clock.advance(60_001);
      await app.tick();
      await post();
    });

    it('keeps alerts that may be repeated, without their bodies, and answers under a key', async () => {
      const world = await full();
      const { ada, alert, kept, keyed, settle, post } = world;
      expect(await keyed()).toBe(body);
      expect(await keyed()).toBe(body);
      for (let count = 0; count < 18; count += 1) await alert('aapl', `mine-${count}`);
      await settle();
      expect(await stored(world, ada)).toBeLessThanOrEqual(MEGABYTE);
      const alerts = await kept();
      expect(alerts).toHaveLength(18);
      expect(alerts[0]?.body).not.toBeNull();
      expect(alerts.at(-1)?.body).toBeNull();
      await expect(keyed()).rejects.toMatchObject({ code: 'idempotency_interrupted' });
      expect(await world.app.getTimeline(ada, {})).toHaveLength(1);
      await post();
    });
  });

  it('of notifications refuses nothing: the oldest beyond 1,000 are deleted', async () => {
    const { app, user, ports } = await withCaps({});
    const [ada, bob] = [await user('ada'), await user('bob')];
    if (ada.kind !== 'user') throw new Error('not a user');
    const { userId } = ada;
    await ports.unitOfWork.run(async ({ notifications }) => {
      for (let index = 0; index < 1_600; index += 1)
        await notifications.save(
          aNotification({ id: id(`old-${index}`), userId, createdAt: index }),
        );
    });
    await app.updateUserNotifications(ada, { notifications: ['like'] });
    const { post } = await app.newPost(ada, { text: 'Long.' });
    await app.newLike(bob, { postId: post.id });
    ports.clock.advance(10_000);
    await app.tick();
    const [newest, next] = await app.getNotifications(ada, {});
    expect(newest).toMatchObject({ type: 'like', postId: post.id });
    expect(next?.id).toBe('old-1599');
    expect(await app.readNotifications(ada, {})).toBe(1_000);
  });

  describe('of dependencies', () => {
    async function chained(cap: number) {
      const world = await withCaps({ dependencies: cap });
      const ada = await world.user('ada');
      const strategyId = await world.strategy(ada);
      await world.quote('aapl', '100');
      await world.app.newOrder(ada, buy(strategyId, { pricing: { type: 'market' } }));
      const add = async (
        owner: Caller,
        before: OrderId | undefined,
        reduceOnly = false,
      ): Promise<OrderId> => {
        const dependsOn = before ? [before] : [];
        const order = { ...buy(strategyId), dependsOn, reduceOnly };
        return (await world.app.newOrder(owner, order)).order.id;
      };
      let last: OrderId | undefined;
      for (let place = 0; place <= cap; place += 1) last = await add(ada, last);
      return { ...world, ada, strategyId, add, last };
    }
    const buy = (strategyId: string, changes = {}) => ({
      strategyId,
      stock: 'aapl',
      action: 'buy' as const,
      pricing: { type: 'limit' as const, price: decimal('50') },
      size: { by: 'amount' as const, amount: decimal('0.0001') },
      ...changes,
    });

    it('is the length of a chain of waiting orders', async () => {
      const { ada, add, last } = await chained(3);
      await expect(add(ada, last)).rejects.toMatchObject(
        capReached('order_dependencies can be 3 deep at most'),
      );
    });

    it('refuses no order that reduces', async () => {
      const { app, ada, strategyId, add, last } = await chained(3);
      const stop = await add(ada, last, true);
      const sell = { action: 'sell' as const, dependsOn: [stop] };
      await app.newOrder(
        ada,
        buy(strategyId, { ...sell, pricing: { type: 'limit', price: decimal('200') } }),
      );
    });
  });
});
