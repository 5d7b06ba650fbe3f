import { describe, expect, it } from '@jest/globals';
import {
  type OrderId,
  type Pricing,
  type StrategyId,
  decimal,
  decimalText,
  refundedOf,
} from '@slipstream/domain';
import fc from 'fast-check';
import { type Caller, type UserCaller } from '../../src/index.js';
import type { App } from '../app.js';
import { type BillingWorld, billingWorld } from '../billing/billing-world.js';
import { type Fixture, fixture } from '../fixture.js';

const operator: Caller = { kind: 'operator' };
const MARKET: Pricing = { type: 'market' };
const limit = (price: string): Pricing => ({ type: 'limit', price: decimal(price) });

interface Scene {
  readonly world: Fixture;
  readonly owner: Caller;
  readonly strategyId: StrategyId;
  readonly app: App;
}

type Restarted = Pick<Scene, 'world' | 'app'>;

/** Time goes by in steps of ten seconds, with a quote in each unless there is none. */
async function pass({ world, app }: Restarted, seconds: number, price?: string): Promise<void> {
  for (let gone = 0; gone < seconds; gone += 10) {
    world.ports.clock.advance(10_000);
    if (price !== undefined) await quote(app, price);
    await app.tick();
  }
}

const quote = async (app: App, ...prices: readonly string[]): Promise<void> => {
  const quotes = prices.map((price) => ({
    stock: 'aapl',
    bid: decimal(price),
    ask: decimal(price),
    last: decimal(price),
  }));
  await app.newQuotes(operator, { quotes });
};

const order = async (
  { app, owner, strategyId }: Omit<Scene, 'world'>,
  action: 'buy' | 'sell',
  amount: string,
  pricing: Pricing = MARKET,
  dependsOn: readonly OrderId[] = [],
) => {
  const size = { by: 'amount', amount: decimal(amount) } as const;
  const command = { strategyId, stock: 'aapl', action, pricing, size, dependsOn };
  return (await app.newOrder(owner, command)).order;
};

/** Short of AAPL at 100, which is at or below zero from 200 on. */
async function short(world: Fixture, owner: Caller, strategyId: StrategyId): Promise<Scene> {
  const scene = { world, owner, strategyId, app: world.app };
  await world.quote('aapl', '100');
  await order(scene, 'sell', '0.01');
  return scene;
}

async function scene(): Promise<Scene> {
  const world = await fixture();
  const owner = await world.user('owner');
  return short(world, owner, await world.strategy(owner));
}

const strategyOf = async ({ app, owner, strategyId }: Omit<Scene, 'world'>) => {
  const [view] = await app.getStrategies(owner, { strategyIds: [strategyId] });
  if (!view) throw new Error('the strategy is not there');
  return view.strategy;
};

const held = async ({ app, owner, strategyId }: Omit<Scene, 'world'>): Promise<string[]> =>
  (await app.getPositions(owner, { strategyId })).positions.map(({ position }) =>
    decimalText(position.amount),
  );

const open = async ({ app, owner, strategyId }: Omit<Scene, 'world'>) =>
  (await app.getOrders(owner, { strategyId })).map(({ order: { id, reduceOnly } }) => ({
    id,
    reduceOnly,
  }));

const alert = ({ app, owner, strategyId }: Omit<Scene, 'world'>, action: 'sell' | 'close') =>
  app.newOrderWebhook(owner, { strategyId, stock: 'aapl', action });

const increases = (of: Omit<Scene, 'world'>) => ({
  newOrder: () => order(of, 'sell', '0.001'),
  'a limit order': () => order(of, 'buy', '0.02', limit('50')),
  newOrderAllocations: () =>
    of.app.newOrderAllocations(of.owner, {
      strategyId: of.strategyId,
      allocations: [{ stock: 'aapl', percent: decimal('-0.5') }],
    }),
  newOrderWebhook: () => alert(of, 'sell'),
  previewOrderWebhook: () =>
    of.app.previewOrderWebhook(of.owner, {
      strategyId: of.strategyId,
      stock: 'aapl',
      action: 'sell',
    }),
});

describe('a strategy at or below zero for a minute (contract 7b.9)', () => {
  it.each(Object.keys(increases({} as Scene)) as (keyof ReturnType<typeof increases>)[])(
    'can only close: %s that increases is refused',
    async (name) => {
      const of = await scene();
      await pass(of, 80, '250');
      expect((await strategyOf(of)).belowZeroFor).toBeGreaterThanOrEqual(60_000);
      await expect(increases(of)[name]()).rejects.toMatchObject({ code: 'closing_only' });
      expect(await held(of)).toEqual(['-0.01']);
    },
  );

  it('accepts a reducing order, and limits it to that', async () => {
    const of = await scene();
    await pass(of, 80, '250');
    expect(await order(of, 'buy', '0.004', limit('240'))).toMatchObject({ reduceOnly: true });
    await order(of, 'buy', '0.003');
    expect(await held(of)).toEqual(['-0.007']);
    await alert(of, 'close');
    expect(await held(of)).toEqual([]);
  });

  it('keeps reducing orders, limited to that, and cancels the others with their dependents', async () => {
    const of = await scene();
    const { id: exit } = await order(of, 'buy', '0.005', limit('50'));
    const { id: entry } = await order(of, 'sell', '0.001', {
      type: 'stop_market',
      stopPrice: decimal('60'),
    });
    await order(of, 'buy', '0.001', limit('40'), [entry]);
    await pass(of, 80, '250');
    const left = await open(of);
    expect(left).toEqual(expect.arrayContaining([{ id: exit, reduceOnly: true }]));
    expect(left.every(({ reduceOnly }) => reduceOnly)).toBe(true);
    const { owner, strategyId } = of;
    const [gone] = await of.app.getOrders(owner, { strategyId, orderStatus: 'cancelled' });
    expect(gone?.order).toMatchObject({
      id: entry,
      reason: expect.stringMatching(/^closing_only/),
    });
  });

  it.each([
    ['before a minute has gone by', 50, '250'],
    ['at a value of a hair above zero', 120, '199.99'],
  ])('is not bound %s', async (_, seconds, price) => {
    const of = await scene();
    await pass(of, seconds, price);
    expect(await strategyOf(of)).toMatchObject({ belowZeroFor: 0 });
    await quote(of.app, '100');
    expect(await order(of, 'sell', '0.0001')).toBeDefined();
  });

  it('does not count time without fresh quotes', async () => {
    const of = await scene();
    await pass(of, 20, '250');
    await pass(of, 3600);
    expect((await strategyOf(of)).belowZeroFor).toBeGreaterThanOrEqual(60_000);
    expect((await strategyOf(of)).belowZeroFor).toBeLessThan(100_000);
    expect(await strategyOf(of)).toMatchObject({ endedAt: null });
  });

  it('trades again after one quote above zero, also within a batch', async () => {
    const of = await scene();
    await pass(of, 300, '250');
    await expect(alert(of, 'sell')).rejects.toMatchObject({ code: 'closing_only' });
    await quote(of.app, '250', '150', '250');
    await expect(alert(of, 'sell')).rejects.toMatchObject({ code: 'insufficient_buying_power' });
    await pass(of, 840, '250');
    expect(await strategyOf(of)).toMatchObject({ endedAt: null });
    await quote(of.app, '100');
    await of.app.tick();
    expect(await strategyOf(of)).toMatchObject({ belowZeroFor: 0 });
    expect(await order(of, 'sell', '0.0001')).toBeDefined();
  });

  it('is known after a restart, and its time continues', async () => {
    const of = await scene();
    await pass(of, 600, '250');
    const app = await of.world.restart();
    const again = { ...of, app };
    await expect(order(again, 'sell', '0.001')).rejects.toMatchObject({ code: 'closing_only' });
    await pass({ world: of.world, app }, 240, '250');
    expect(await strategyOf(again)).toMatchObject({ endedAt: null });
    await pass({ world: of.world, app }, 180, '250');
    expect(await strategyOf(again)).toMatchObject({ endedAt: expect.any(Number) });
  });
});

describe('a strategy at or below zero for fifteen minutes ends', () => {
  const ended = async (): Promise<Scene> => {
    const of = await scene();
    await order(of, 'buy', '0.002', limit('50'));
    await pass(of, 960, '250');
    return of;
  };

  it('cancels its orders and closes its positions', async () => {
    const of = await ended();
    expect(await strategyOf(of)).toMatchObject({ endedAt: expect.any(Number) });
    expect(await held(of)).toEqual([]);
    expect(await open(of)).toEqual([]);
  });

  /** Its time was up when the process ended, and no quote has come since. */
  const endedWithoutQuotes = async (): Promise<Scene> => {
    const of = await scene();
    await pass(of, 880, '250');
    await of.world.ports.unitOfWork.run(async ({ strategies }) => {
      const found = await strategies.find(of.strategyId);
      if (found) await strategies.save({ ...found, belowZeroFor: 900_000 });
    });
    const app = await of.world.restart();
    const again = { ...of, app };
    await app.tick();
    expect(await strategyOf(again)).toMatchObject({ endedAt: expect.any(Number) });
    expect(await held(again)).toEqual(['-0.01']);
    expect(await open(again)).toMatchObject([{ reduceOnly: true }]);
    return again;
  };

  it('ends no sooner than its clock is believed: until then it can only close', async () => {
    const of = await scene();
    of.world.ports.clock.doubt(true);
    await pass(of, 1_200, '250');
    expect(await strategyOf(of)).toMatchObject({ endedAt: null });
    await expect(alert(of, 'sell')).rejects.toMatchObject({ code: 'closing_only' });
    of.world.ports.clock.doubt(false);
    await pass(of, 10, '250');
    expect((await strategyOf(of)).endedAt).not.toBeNull();
  });

  it('closes untradable positions as soon as they can trade', async () => {
    const of = await endedWithoutQuotes();
    await expect(
      of.app.deleteOrder(of.owner, {
        strategyId: of.strategyId,
        orderId: (await open(of))[0]?.id ?? '',
      }),
    ).rejects.toMatchObject({ code: 'strategy_ended' });
    await quote(of.app, '300');
    expect(await held(of)).toEqual([]);
  });

  it('places an order again for a stock that was delisted for a time', async () => {
    const of = await endedWithoutQuotes();
    const list = (stockStatus: 'active' | 'delisted') =>
      of.app.updateStocks(operator, { stocks: [{ stockId: 'aapl', stockStatus }] });
    await list('delisted');
    expect(await open(of)).toEqual([]);
    await list('active');
    await pass(of, 70);
    expect(await open(of)).toMatchObject([{ reduceOnly: true }]);
    await quote(of.app, '300');
    expect(await held(of)).toEqual([]);
  });

  it('refuses everything that would trade, and stores its alerts', async () => {
    const of = await ended();
    const { app, owner, strategyId } = of;
    const over = { code: 'strategy_ended' };
    for (const attempt of Object.values(increases(of)))
      await expect(attempt()).rejects.toMatchObject(over);
    await expect(alert(of, 'close')).rejects.toMatchObject(over);
    const [kept] = await app.getAlerts(owner, { strategyId });
    expect(kept).toMatchObject({ verdict: 'refused', reason: expect.stringContaining('is over') });
    const follower = await of.world.user('follower');
    await expect(app.newStrategySubscription(follower, { strategyId })).rejects.toMatchObject(over);
  });

  it('keeps its record, without ranks', async () => {
    const of = await ended();
    const { app, owner, strategyId } = of;
    expect(await app.getTrades(owner, { strategyId })).toHaveLength(2);
    expect(await app.getStrategyHistory(owner, { strategyId })).not.toEqual([]);
    await app.rankStrategies();
    const [view] = await app.getStrategies(owner, { strategyIds: [strategyId] });
    expect(view?.timeframes.every(({ rankPopular }) => rankPopular === null)).toBe(true);
  });

  it('can be deleted, and does not continue after that', async () => {
    const { app, owner, strategyId } = await ended();
    await app.deleteStrategy(owner, { strategyId });
    expect(await app.getStrategies(owner, { strategyIds: [strategyId] })).toEqual([]);
    await expect(app.undoStrategyEnd(operator, { strategyId })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('continues when the operator undoes its end within seven days', async () => {
    const of = await ended();
    const { app, strategyId } = of;
    const { clock } = of.world.ports;
    const untilUndone = async (): Promise<number> =>
      ((await strategyOf(of)).endedAt ?? 0) + 7 * 86_400_000 - clock.now();
    clock.advance(await untilUndone());
    const revived = await app.undoStrategyEnd(operator, { strategyId });
    expect(revived.strategy).toMatchObject({ endedAt: null, belowZeroFor: 0 });
    await expect(app.undoStrategyEnd(operator, { strategyId })).rejects.toMatchObject({
      code: 'conflict',
    });
    // It bought back at 250 what it had sold at 100: a flat strategy of -0.5 is over again after as long.
    await pass(of, 840, '250');
    expect(await strategyOf(of)).toMatchObject({ endedAt: null });
    await pass(of, 120, '250');
    expect(await strategyOf(of)).toMatchObject({ endedAt: expect.any(Number) });
    clock.advance((await untilUndone()) + 1);
    await expect(app.undoStrategyEnd(operator, { strategyId })).rejects.toMatchObject({
      message: expect.stringContaining('7 days'),
    });
    await expect(app.undoStrategyEnd(operator, { strategyId: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a listener to the value of a strategy', () => {
  /** How the strategy stood by each value that was told, each once in a row, and as a read says it. */
  const reported = ({ world: { events } }: Scene): string[] => {
    const stood = events.flatMap((event) =>
      event.kind === 'value_changed'
        ? [event.state.endedAt ? 'over' : event.state.closingOnly ? 'closes only' : 'trades']
        : [],
    );
    return stood.filter((word, index) => word !== stood[index - 1]);
  };
  const read = async ({ app, owner, strategyId }: Omit<Scene, 'world'>) =>
    (await app.getStrategyValues(owner, { strategyIds: [strategyId] }))[0]?.state;

  it('gets an event when the strategy can only close, recovers, ends and continues, equal to reads', async () => {
    const of = await scene();
    of.app.watchValue(of.strategyId);
    await pass(of, 80, '250');
    expect(await read(of)).toEqual({ closingOnly: true, endedAt: null });
    await pass(of, 10, '100');
    expect(await read(of)).toEqual({ closingOnly: false, endedAt: null });
    await pass(of, 960, '250');
    expect(await read(of)).toEqual({ closingOnly: true, endedAt: expect.any(Number) });
    await of.app.undoStrategyEnd(operator, { strategyId: of.strategyId });
    expect(await read(of)).toEqual({ closingOnly: false, endedAt: null });
    expect(reported(of)).toEqual([
      'trades',
      'closes only',
      'trades',
      'closes only',
      'over',
      'trades',
    ]);
  });

  it('gets one event when only this has changed, also after a restart', async () => {
    const of = await scene();
    await pass(of, 880, '250');
    const again = { ...of, app: await of.world.restart() };
    of.world.events.length = 0;
    again.app.watchValue(of.strategyId);
    await pass(again, 120, '250');
    expect(reported(of)).toEqual(['over']);
    expect(of.world.events.filter(({ kind }) => kind === 'value_changed')).toHaveLength(1);
  });
});

describe('followers of an ended strategy', () => {
  interface Followed extends Scene {
    readonly world: BillingWorld;
    readonly payer: UserCaller;
    readonly free: UserCaller;
  }

  /** One that costs 31 USD a month, paid on January 31st for 28 days; ten days later it is short. */
  async function followed(price: number): Promise<Followed> {
    const world = await billingWorld();
    const owner = await world.confirmed('owner');
    const strategyId = await world.priced(owner, price);
    const [payer, free] = [await world.confirmed('payer'), await world.user('free')];
    await world.pay(payer, 'test_card_paid');
    await world.subscribe(payer, strategyId);
    await world.days(10);
    return { ...(await short(world, owner, strategyId)), world, payer, free };
  }

  it('get a refund for the unused days of the month, and are billed no more', async () => {
    const of = await followed(28);
    await pass(of, 960, '250');
    const { world, payer, owner } = of;
    await world.app.runBilling();
    const invoice = await world.invoice(payer);
    // Of 28 days, ten and a quarter of an hour are used: 17 whole days are left.
    expect(refundedOf(invoice.invoice).toFixed()).toBe('17');
    expect(invoice.invoice.state.kind).toBe('paid');
    expect(await world.subscription(payer)).toMatchObject({
      status: 'cancelled',
      statusReason: expect.stringContaining('over'),
      renewsAt: null,
    });
    await world.days(40);
    expect(await world.app.getInvoices(payer, {})).toHaveLength(1);
    const [balance] = await world.balance(owner);
    expect(Number(balance)).toBeGreaterThan(0);
    expect(Number(balance)).toBeLessThan(11);
  });

  it('are notified, as is the owner', async () => {
    const of = await followed(28);
    await pass(of, 960, '250');
    const { world, payer, owner, strategyId } = of;
    for (const user of [payer, owner]) {
      const reported = await world.app.getNotifications(user, {});
      expect(reported.filter(({ type }) => type === 'strategy_ended')).toMatchObject([
        { strategyId, text: expect.stringMatching(/^Strategy “Momentum” is over/) },
      ]);
      expect((await world.toldAlways(user)).at(-1)).toContain('is over');
    }
    expect(await world.mailed('owner')).toContain('A strategy of yours is over');
    expect(await world.mailed('payer')).toContain('A subscription has ended');
  });

  it('keep following it when it is free', async () => {
    const of = await followed(28);
    const { world, free, owner, strategyId } = of;
    await world.app.updateStrategy(owner, { strategyId, price: 0 });
    await world.subscribe(free, strategyId);
    await pass(of, 960, '250');
    expect(await world.subscription(free)).toMatchObject({ status: 'active' });
    expect(await world.app.getTrades(free, { strategyId })).toHaveLength(2);
  });
});

describe('any history of a strategy below zero', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.constantFrom(10, 40, 120, 600),
      price: fc.constantFrom('150', '199', '200', '250', undefined),
    }),
    fc.record({
      do: fc.constantFrom(
        'sell',
        'buy',
        'alert',
        'close',
        'restart',
        'undo',
        'halt',
        'go_on' as const,
      ),
    }),
  );

  it('never increases a position once it can only close or has ended, and never ends too early', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const of = await scene();
        const { world, strategyId } = of;
        let app = of.app;
        /** At most so many seconds have gone by since the value was seen above zero. */
        let below = 0;
        const status = (stockStatus: 'active' | 'halted') =>
          app.updateStocks(operator, { stocks: [{ stockId: 'aapl', stockStatus }] });
        for (const given of steps) {
          const now = { ...of, app };
          const before = await strategyOf(now);
          const [amount = '0'] = await held(now);
          const attempt = async (): Promise<unknown> => {
            switch (given.do) {
              case 'pass': {
                // A quote is good for a minute beyond the last one.
                below += given.seconds + 60;
                return pass({ world, app }, given.seconds, given.price);
              }
              case 'sell':
              case 'buy':
                return order(now, given.do, '0.005');
              case 'alert':
                return alert(now, 'sell');
              case 'close':
                return alert(now, 'close');
              case 'restart':
                app = await world.restart();
                return undefined;
              case 'undo':
                await app.undoStrategyEnd(operator, { strategyId });
                below = 0;
                return undefined;
              case 'halt':
                return status('halted');
              case 'go_on':
                return status('active');
            }
          };
          const refused = await attempt().then(
            () => undefined,
            (error: unknown) => error as { readonly code: string },
          );
          const after = await strategyOf({ ...of, app });
          const [left = '0'] = await held({ ...of, app });
          const grew = Math.abs(Number(left)) > Math.abs(Number(amount));
          const stayed =
            after.endedAt === before.endedAt && after.belowZeroFor >= before.belowZeroFor;
          if (stayed && (before.endedAt !== null || before.belowZeroFor >= 60_000)) {
            expect(grew).toBe(false);
          }
          if (before.endedAt !== null && ['sell', 'buy', 'alert', 'close'].includes(given.do))
            expect(refused?.code).toBe('strategy_ended');
          if (after.endedAt !== null && before.endedAt === null)
            expect(below).toBeGreaterThanOrEqual(900);
          const [{ strategyValue } = { strategyValue: null }] = await app.getStrategyValues(
            of.owner,
            {
              strategyIds: [strategyId],
            },
          );
          if (strategyValue?.gt(decimal('0'))) below = 0;
        }
      }),
      { numRuns: 12 },
    );
  });
});
