import { describe, expect, it } from '@jest/globals';
import { type AlertAction, ZERO, decimal, DAY } from '@slipstream/domain';
import { openMemory } from '@slipstream/adapter-memory';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import type { App } from '../app.js';
import { fixture, text } from '../fixture.js';

type Fields = Partial<Parameters<App['newOrderWebhook']>[1]>;

/** An owner with a strategy of stocks, AAPL quoted at 100, and alerts that arrive as over HTTP. */
async function inbox(unitOfWork?: UnitOfWork) {
  const world = await fixture(unitOfWork && { unitOfWork });
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await world.quote('aapl', '100');
  let requests = 0;
  const { app, ports } = world;

  /** One step of two, to 1x, unless told. `to` may be another incarnation of the service. */
  const send = async (fields: Fields = {}, to: App = app, caller: Caller = owner) => {
    requests += 1;
    const command = {
      strategyId,
      stock: 'aapl',
      action: 'buy' as AlertAction,
      pyramiding: 2,
      ...fields,
    };
    const id = `request-${requests}`;
    /** The same request once more: a server that forwards sends it again when its link was cut. */
    const delivery = { id, body: JSON.stringify(fields) };
    const sentAgain = (next: App = to) =>
      next.newOrderWebhook(caller, command, { ...delivery, isAgain: true });
    const shown = await to.newOrderWebhook(caller, command, delivery);
    return { ...shown, id, answered: () => to.alertAnswered(id), sentAgain };
  };
  /** Verdicts, newest first. */
  const verdicts = async () =>
    (await app.getAlerts(owner, { strategyId })).map(({ verdict }) => verdict);
  const held = async () => {
    const { positions } = await app.getPositions(owner, { strategyId });
    return positions.map(({ position }) => text(position.amount));
  };
  return { ...world, owner, strategyId, send, verdicts, held, clock: ports.clock };
}

/** A step of 1x / 2 at the ask of 100: 1.992 / 2 / 2 / 100. */
const ONE_STEP = ['0.00498'];
const TWO_STEPS = ['0.00996'];
const HUNDRED = decimal('100');

describe('the inbox', () => {
  it('stores an alert with its order and its text', async () => {
    const world = await inbox();
    const { order, id } = await world.send();
    const [alert] = await world.app.getAlerts(world.owner, { strategyId: world.strategyId });
    expect(alert).toMatchObject({
      id,
      verdict: 'accepted',
      reason: null,
      orderId: order.id,
      stockId: 'aapl',
      body: '{}',
      createdAt: world.clock.now(),
    });
  });

  it('lets an alert whose answer was lost be repeated', async () => {
    const world = await inbox();
    const first = await world.send();
    first.answered();
    world.app.alertLost(first.id);
    const again = await world.send();
    expect(again.order.id).toBe(first.order.id);
    expect(await world.verdicts()).toEqual(['duplicate', 'accepted']);
    again.answered();
    await world.send();
    expect(await world.held()).toEqual(TWO_STEPS);
  });

  it('takes no alert for lost whose sender has the answer to its resend', async () => {
    const world = await inbox();
    const first = await world.send();
    const again = await world.send();
    again.answered();
    first.answered();
    world.app.alertLost(first.id);
    await world.send();
    expect(await world.verdicts()).toEqual(['accepted', 'duplicate', 'accepted']);
    expect(await world.held()).toEqual(TWO_STEPS);
  });

  it('shows an alert without a trade', async () => {
    const world = await inbox();
    const { order } = await world.send({ action: 'sell', marketPosition: 'long' });
    expect(order).toMatchObject({ status: 'filled', filledAmount: ZERO, filledPrice: null });
    expect(await world.verdicts()).toEqual(['no_change']);
  });

  it.each<[AlertAction, Fields, string]>([
    ['buy', { marketPosition: 'flat' }, 'buy'],
    ['long', { leverage: ZERO }, 'buy'],
    ['sell', { marketPosition: 'flat' }, 'sell'],
    ['sell', { marketPosition: 'long' }, 'sell'],
    ['short', { leverage: ZERO }, 'sell'],
    ['close', {}, 'sell'],
    ['flat', {}, 'sell'],
  ])(
    'answers %s %j without a trade with its own action, and names only readable orders',
    async (action, fields, expected) => {
      const world = await inbox();
      const { order } = await world.send({ action, ...fields });
      expect(order.action).toBe(expected);
      const [alert] = await world.app.getAlerts(world.owner, { strategyId: world.strategyId });
      expect(alert).toMatchObject({ verdict: 'no_change', orderId: null });
      expect(alert?.reason).toEqual(expect.any(String));
    },
  );

  it('names only orders that getOrders has', async () => {
    const world = await inbox();
    const actions = ['buy', 'buy', 'buy', 'close', 'close'] as const;
    for (const action of actions) (await world.send({ action })).answered();
    const named = await world.app.getAlerts(world.owner, { strategyId: world.strategyId });
    for (const { orderId } of named) {
      if (orderId === null) continue;
      const found = await world.ports.unitOfWork.read(({ orders }) => orders.find(orderId));
      expect(found?.id).toBe(orderId);
    }
    expect(named.map(({ orderId }) => orderId === null)).toEqual([true, false, true, false, false]);
  });

  it.each([
    ['at once', 0],
    ['later', 61_000],
  ])('reports that the order was cut to the largest size that fits %s', async (_, waits) => {
    const world = await inbox();
    await world.quote('msft', '100');
    const { app, owner, strategyId } = world;
    const beside = { strategyId, allocations: [{ stock: 'msft', percent: decimal('1') }] };
    await app.newOrderAllocations(owner, beside);
    // The gap at the opening: what was planned at 100 fills at 150.
    world.clock.advance(61_000);
    const { order } = await world.send({ leverage: decimal('1'), pyramiding: 1 });
    world.clock.advance(waits);
    await world.quote('msft', '100');
    await world.quote('aapl', '150');
    const cut = await world.ports.unitOfWork.read(({ orders }) => orders.find(order.id));
    const [alert] = await app.getAlerts(owner, { strategyId });
    expect(cut).toMatchObject({ status: 'filled', reason: expect.stringMatching(/^cut to 0\./) });
    expect(alert).toMatchObject({
      verdict: 'accepted',
      reason: cut?.status === 'filled' ? cut.reason : '',
    });
    const told = world.events.filter(({ kind }) => kind === 'alert_changed');
    expect(told).toMatchObject([{ alert: { id: alert?.id, reason: alert?.reason } }]);
  });

  it('names the alert that superseded an unfilled one', async () => {
    const world = await inbox();
    world.clock.advance(61_000);
    const first = await world.send({ leverage: decimal('1') });
    first.answered();
    const second = await world.send({ leverage: decimal('0.5') });
    const alerts = await world.app.getAlerts(world.owner, { strategyId: world.strategyId });
    expect(alerts.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['accepted', null],
      ['superseded', `superseded by ${second.id}`],
    ]);
  });

  it.each([
    ['an unknown stock', { stock: 'nothing' }, 'not_found', 'stock nothing does not exist'],
    ['a stock without a quote', { stock: 'msft' }, 'quote_unavailable', 'MSFT has no quote yet'],
  ])('stores a refused one with the reason: %s', async (_, fields, code, reason) => {
    const world = await inbox();
    await expect(world.send(fields)).rejects.toMatchObject({ code });
    const [alert] = await world.app.getAlerts(world.owner, { strategyId: world.strategyId });
    expect(alert).toMatchObject({ verdict: 'refused', reason, orderId: null });
    expect(await world.held()).toEqual([]);
  });

  it('publishes each alert once, and what becomes of it later, as getAlerts shows it', async () => {
    const world = await inbox();
    const published = () =>
      world.events.flatMap((event) =>
        event.kind === 'alert_added' || event.kind === 'alert_changed'
          ? [`${event.kind} ${event.alert.id} ${event.alert.verdict}`]
          : [],
      );
    world.clock.advance(61_000);
    (await world.send({ leverage: decimal('1') })).answered();
    await world.send({ leverage: decimal('0.5') });
    await world.send({ leverage: decimal('0.5') });
    await expect(world.send({ stock: 'nothing' })).rejects.toMatchObject({ code: 'not_found' });
    await world.send({ action: 'sell', marketPosition: 'long' });
    expect(published()).toEqual([
      'alert_added request-1 accepted',
      'alert_added request-2 accepted',
      'alert_changed request-1 superseded',
      'alert_added request-3 duplicate',
      'alert_added request-4 refused',
      'alert_added request-5 no_change',
    ]);
    const last = new Map(
      world.events.flatMap((event) => ('alert' in event ? [[event.alert.id, event.alert]] : [])),
    );
    const { strategyId } = world;
    expect([...last.values()].reverse()).toEqual(
      await world.app.getAlerts(world.owner, { strategyId }),
    );
  });

  it("stores a stranger's alert for a strategy in the stranger's inbox, not the owner’s", async () => {
    const world = await inbox();
    const stranger = await world.user('stranger');
    await expect(world.send({}, world.app, stranger)).rejects.toMatchObject({ code: 'not_owner' });
    expect(await world.verdicts()).toEqual([]);
    const own = await world.app.getAlerts(stranger, {});
    expect(own).toMatchObject([{ verdict: 'refused', strategyId: null }]);
    await expect(
      world.app.getAlerts(stranger, { strategyId: world.strategyId }),
    ).rejects.toMatchObject({ code: 'not_owner' });
  });

  it('stores nothing of an alert whose commit failed', async () => {
    const memory = openMemory();
    let failing = false;
    const world = await inbox({
      ...memory,
      run: (work, options) =>
        memory.run(async (stores) => {
          const answer = await work(stores);
          if (failing) throw new StorageUnavailable('the disk is full');
          return answer;
        }, options),
    });
    failing = true;
    await expect(world.send()).rejects.toBeInstanceOf(StorageUnavailable);
    failing = false;
    expect([await world.verdicts(), await world.held()]).toEqual([[], []]);
    await world.send();
    expect([await world.verdicts(), await world.held()]).toEqual([['accepted'], ONE_STEP]);
  });

  it.each([
    ['an alert', { stock: 'aapl' }],
    ['a refused alert', { stock: 'nothing' }],
  ])('does and stores nothing of %s whose sender has stopped waiting', async (_, { stock }) => {
    const { app, owner, strategyId, verdicts, held } = await inbox();
    const delivery = { id: 'request-1', body: '{}', isWanted: () => false };
    const late = app.newOrderWebhook(owner, { strategyId, stock, action: 'buy' }, delivery);
    await expect(late).rejects.toBeInstanceOf(StorageUnavailable);
    expect([await verdicts(), await held()]).toEqual([[], []]);
    await app.newOrderWebhook(
      owner,
      { strategyId, stock: 'aapl', action: 'buy' },
      { ...delivery, isWanted: () => true },
    );
    expect(await verdicts()).toEqual(['accepted']);
  });

  it('deletes alerts after 90 days, but not the answer to an alert_id', async () => {
    const world = await inbox();
    await world.send({ alertId: 'a' });
    (await world.send({ leverage: decimal('0.5') })).answered();
    world.clock.advance(91 * DAY);
    await world.app.tick();
    const alerts = await world.app.getAlerts(world.owner, {});
    expect(alerts.map(({ alertId }) => alertId)).toEqual(['a']);
  });
});

describe('a resend', () => {
  it('of an unanswered alert gets its answer without another effect', async () => {
    const world = await inbox();
    const first = await world.send();
    world.clock.advance(30_000);
    const again = await world.send();
    expect([again.order, again.quote, again.stock]).toEqual([
      first.order,
      first.quote,
      first.stock,
    ]);
    expect(await world.held()).toEqual(ONE_STEP);
    const [repeat] = await world.app.getAlerts(world.owner, { strategyId: world.strategyId });
    expect(repeat).toMatchObject({
      verdict: 'duplicate',
      reason: `repeats ${first.id}`,
      orderId: first.order.id,
    });
  });

  it('gets the first answer even when its order, the quote and the stock have changed', async () => {
    const world = await inbox();
    const first = await world.send();
    await world.quote('aapl', '107', '108');
    await world.app.updateStocks(
      { kind: 'operator' },
      { stocks: [{ stockId: 'aapl', name: 'Another name' }] },
    );
    const { order, quote, stock } = await world.send();
    expect([order, quote, stock]).toEqual([first.order, first.quote, first.stock]);
  });

  // oxfmt-ignore
  it.each([
    ['after the answer arrived', async (world: Awaited<ReturnType<typeof inbox>>, first: { answered(): void }) => { first.answered(); await world.send(); }],
    ['after 30 seconds', async (world: Awaited<ReturnType<typeof inbox>>) => { world.clock.advance(30_001); await world.send(); }],
    ['with another body', async (world: Awaited<ReturnType<typeof inbox>>) => { await world.send({ pyramiding: 2 }); }],
  ])('does not count %s: it is the next step', async (_, then) => {
    const world = await inbox();
    const first = await world.send();
    await then(world, first);
    expect(await world.held()).toEqual(TWO_STEPS);
    expect(await world.verdicts()).toEqual(['accepted', 'accepted']);
  });

  it('whose own answer arrived makes the next alert a new step', async () => {
    const world = await inbox();
    await world.send();
    (await world.send()).answered();
    await world.send();
    expect(await world.verdicts()).toEqual(['accepted', 'duplicate', 'accepted']);
    expect(await world.held()).toEqual(TWO_STEPS);
  });

  it('with another token is a separate alert', async () => {
    const world = await inbox();
    await world.send();
    const { text: other } = await world.app.newToken(world.owner, { name: 'b', scope: ['*'] });
    await world.send({}, world.app, await world.app.authenticate(other));
    expect(await world.held()).toEqual(TWO_STEPS);
  });

  it('after a restart counts as one even though the answer may have arrived', async () => {
    const world = await inbox();
    const first = await world.send();
    first.answered();
    const again = await world.send({}, await world.restart());
    expect(again.order.id).toBe(first.order.id);
    expect(await world.verdicts()).toEqual(['duplicate', 'accepted']);
  });

  it('of a refused alert is processed again', async () => {
    const world = await inbox();
    await expect(world.send({ stock: 'msft' })).rejects.toMatchObject({
      code: 'quote_unavailable',
    });
    await world.quote('msft', '50');
    await world.send({ stock: 'msft' });
    expect(await world.verdicts()).toEqual(['accepted', 'refused']);
  });

  it('does not exist for calls within the process', async () => {
    const world = await inbox();
    const { owner, strategyId } = world;
    const alert = { strategyId, stock: 'aapl', action: 'buy' as const, pyramiding: 2 };
    await world.app.newOrderWebhook(owner, alert);
    await world.app.newOrderWebhook(owner, alert);
    expect(await world.held()).toEqual(TWO_STEPS);
  });
});

describe('a request that a server sends again, since its link was cut', () => {
  it.each([
    ['its own answer, and is one alert', async () => undefined, ['accepted']],
    [
      'the same after another server took over',
      async ({ restart }: Awaited<ReturnType<typeof inbox>>) => restart(),
      ['accepted'],
    ],
    [
      'its own answer also when its sender has it from another request',
      async ({ send }: Awaited<ReturnType<typeof inbox>>) => (await send()).answered(),
      ['duplicate', 'accepted'],
    ],
  ])('gets %s', async (_, meanwhile, verdicts) => {
    const world = await inbox();
    const first = await world.send();
    const next = await meanwhile(world);
    expect((await first.sentAgain(next ?? world.app)).order).toEqual(first.order);
    expect(await world.verdicts()).toEqual(verdicts);
    expect(await world.held()).toEqual(ONE_STEP);
  });

  it('gets the first answer, is one duplicate, and so on, when it repeated another one', async () => {
    const world = await inbox();
    const first = await world.send();
    const repeat = await world.send();
    expect((await repeat.sentAgain()).order).toEqual(first.order);
    // Another server took over meanwhile, and the first one is no resend any more.
    world.clock.advance(31_000);
    expect((await repeat.sentAgain(await world.restart())).order).toEqual(first.order);
    expect(await world.verdicts()).toEqual(['duplicate', 'accepted']);
  });

  it('gets the answer to its alert_id', async () => {
    const world = await inbox();
    const first = await world.send({ alertId: 'one' });
    first.answered();
    expect((await first.sentAgain()).order).toEqual(first.order);
    expect(await world.verdicts()).toEqual(['accepted']);
  });

  it('is refused again, and is one refused alert', async () => {
    const { app, owner, strategyId, verdicts } = await inbox();
    const command = { strategyId, stock: 'msft', action: 'buy' as const };
    for (const isAgain of [false, true])
      await expect(
        app.newOrderWebhook(owner, command, { id: 'request-1', body: '{}', isAgain }),
      ).rejects.toMatchObject({ code: 'quote_unavailable' });
    expect(await verdicts()).toEqual(['refused']);
  });

  it.each([
    ['by the same server', false],
    ['by another one that took over', true],
  ])(
    'is done once, and is one alert, when only the first time was refused: %s',
    async (_, takenOver) => {
      const { app, owner, restart, strategyId, verdicts } = await inbox();
      const command = { strategyId, stock: 'msft', action: 'buy' as const };
      const delivery = { id: 'request-1', body: '{}' };
      await expect(app.newOrderWebhook(owner, command, delivery)).rejects.toMatchObject({
        code: 'quote_unavailable',
      });
      const next = takenOver ? await restart() : app;
      const msft = { stock: 'msft', bid: HUNDRED, ask: HUNDRED, last: HUNDRED };
      await next.newQuotes({ kind: 'operator' }, { quotes: [msft] });
      const { order } = await next.newOrderWebhook(owner, command, { ...delivery, isAgain: true });
      expect(await verdicts()).toEqual(['accepted']);
      const again = await next.newOrderWebhook(owner, command, { ...delivery, isAgain: true });
      expect(again.order).toEqual(order);
      expect(await next.getAlerts(owner, { strategyId })).toMatchObject([
        { id: 'request-1', verdict: 'accepted', reason: null, orderId: order.id },
      ]);
    },
  );
});

describe('an alert_id', () => {
  it('is answered with the first order whenever it comes again, whatever the other fields', async () => {
    const world = await inbox();
    const first = await world.send({ alertId: 'bar 7' });
    first.answered();
    world.clock.advance(40 * DAY);
    const restarted = await world.restart();
    const again = await world.send({ alertId: 'bar 7', action: 'sell' }, restarted);
    expect(again.order).toEqual(first.order);
    expect(await world.held()).toEqual(ONE_STEP);
    expect(await world.verdicts()).toEqual(['duplicate', 'accepted']);
  });

  it('that differs is another step, however fast', async () => {
    const world = await inbox();
    await world.send({ alertId: 'bar 7' });
    await world.send({ alertId: 'bar 8' });
    expect(await world.held()).toEqual(TWO_STEPS);
  });

  it('counts for its own strategy', async () => {
    const world = await inbox();
    const other = await world.strategy(world.owner);
    const first = await world.send({ alertId: 'bar 7' });
    const second = await world.send({ alertId: 'bar 7', strategyId: other });
    expect(second.order.id).not.toBe(first.order.id);
  });

  it('of a refused alert can be used again', async () => {
    const world = await inbox();
    await expect(world.send({ alertId: 'bar 7', stock: 'msft' })).rejects.toThrow();
    await world.send({ alertId: 'bar 7' });
    expect(await world.verdicts()).toEqual(['accepted', 'refused']);
  });
});
