import { describe, expect, it } from '@jest/globals';
import {
  type StrategyId,
  addSample,
  decimal,
  maxDrawdown,
  pastValue,
  HOUR,
  DAY,
  TIMEFRAMES,
} from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { type Fixture, fixture, text } from '../fixture.js';

const anonymous: Caller = { kind: 'anonymous' };

const buy = (world: Fixture, owner: Caller, strategyId: StrategyId, percent: string) =>
  world.app.newOrderAllocations(owner, {
    strategyId,
    allocations: [{ stock: 'aapl', percent: decimal(percent) }],
    slippage: decimal('0'),
  });
const month = async (world: Fixture, strategyId: StrategyId, caller: Caller = anonymous) => {
  const [view] = await world.app.getStrategies(caller, {
    strategyIds: [strategyId],
    timeframe: 'month',
  });
  const [over] = view?.timeframes ?? [];
  return [over?.rankPerformance, over?.rankPopular, over?.rankTrending, over?.rankTop].map(text);
};
const recommended = async (world: Fixture, command: Record<string, unknown> = {}) =>
  (await world.app.getRecommendedStrategies(anonymous, command)).map(({ strategy }) => strategy.id);

describe('ranks', () => {
  it('exist after their computation, for strategies an hour old', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const first = await world.strategy(owner);
    await world.app.rankStrategies();
    expect(await month(world, first)).toEqual([null, null, null, null]);
    world.ports.clock.advance(HOUR);
    await world.app.rankStrategies();
    expect(await month(world, first)).toEqual(['1', '1', '1', null]);
  });

  it('follow returns, subscribers and trades, and are computed once a minute', async () => {
    const world = await fixture();
    const [owner, fan] = [await world.user('owner'), await world.user('fan')];
    const [cautious, bold, idle] = [
      await world.strategy(owner),
      await world.strategy(owner),
      await world.strategy(owner),
    ];
    world.ports.clock.advance(7 * DAY);
    await world.quote('aapl', '100');
    await buy(world, owner, cautious, '0.1');
    await buy(world, owner, bold, '1');
    await world.app.newStrategySubscription(fan, { strategyId: idle });
    await world.quote('aapl', '110');
    await world.app.rankStrategies();
    expect(await month(world, bold)).toEqual(['1', '3', '3', '1']);
    expect(await month(world, cautious)).toEqual(['2', '2', '2', '2']);
    expect(await month(world, idle)).toEqual(['3', '1', '1', null]);

    await world.quote('aapl', '50');
    world.ports.clock.advance(59_999);
    await world.app.rankStrategies();
    expect(await month(world, bold)).toEqual(['1', '3', '3', '1']);
    world.ports.clock.advance(1);
    await world.app.rankStrategies();
    expect(await month(world, bold)).toEqual(['3', '3', '3', '2']);
  });

  it('are computed also after a moment in which the clock was ahead', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    world.ports.clock.advance(5 * HOUR);
    await world.app.rankStrategies();
    world.ports.clock.advance(-5 * HOUR);
    const strategyId = await world.strategy(owner);
    world.ports.clock.advance(HOUR);
    await world.app.rankStrategies();
    expect(await month(world, strategyId)).toEqual(['1', '1', '1', null]);
  });

  it('are of the present again after it, also of strategies whose value stood still', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const [cautious, bold] = [await world.strategy(owner), await world.strategy(owner)];
    await world.quote('aapl', '100');
    await buy(world, owner, cautious, '0.1');
    await buy(world, owner, bold, '1');
    await world.quote('aapl', '110');
    for (const strategyId of [cautious, bold])
      await world.app.newOrderAllocations(owner, { strategyId, allocations: [] });
    world.ports.clock.advance(HOUR);
    await world.app.rankStrategies();
    const ranks = await month(world, bold);
    world.ports.clock.advance(31 * DAY);
    await world.app.rankStrategies();
    expect(await month(world, bold)).not.toEqual(ranks);
    world.ports.clock.advance(-31 * DAY);
    await world.app.rankStrategies();
    expect(await month(world, bold)).toEqual(ranks);
  });

  it('exist only for public strategies, and end when one becomes private or is deleted', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const [open, hidden, gone] = [
      await world.strategy(owner),
      await world.strategy(owner, { private: true }),
      await world.strategy(owner),
    ];
    world.ports.clock.advance(HOUR);
    await world.app.rankStrategies();
    expect(await month(world, hidden, owner)).toEqual([null, null, null, null]);
    await world.app.deleteStrategy(owner, { strategyId: gone });
    expect(await recommended(world)).toEqual([open]);
    await world.app.updateStrategy(owner, { strategyId: open, private: true });
    expect(await month(world, open, owner)).toEqual([null, null, null, null]);
    expect(await recommended(world)).toEqual([]);
  });

  it('exist again after a restart', async () => {
    const world = await fixture();
    const strategyId = await world.strategy(await world.user('owner'));
    world.ports.clock.advance(HOUR);
    const app = await world.restart();
    await app.rankStrategies();
    expect(await month({ ...world, app }, strategyId)).toEqual(['1', '1', '1', null]);
  });

  it('let other tasks run while there are many strategies', async () => {
    let pauses = 0;
    const world = await fixture({
      pause: async () => {
        pauses += 1;
      },
    });
    const owner = await world.user('owner');
    for (let made = 0; made < 30; made += 1) await world.strategy(owner);
    world.ports.clock.advance(HOUR);
    const { clock } = world.ports;
    const { now } = clock;
    // Every look at the clock takes a millisecond.
    clock.now = () => {
      clock.advance(1);
      return now();
    };
    await world.app.rankStrategies();
    expect(pauses).toBeGreaterThan(3);
  });
});

describe('recommended strategies', () => {
  it('leave out the strategies that the caller knows, and prefer their categories', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const make = async (categories: readonly string[]) => {
      world.ports.clock.advance(1);
      const made = await world.app.newStrategy(owner, { type: 'stock', name: 'S', categories });
      return made.strategy.id;
    };
    const [known, plain, alike, other] = [
      await make(['Swing']),
      await make([]),
      await make(['x', 'swing']),
      await make(['value']),
    ];
    world.ports.clock.advance(HOUR);
    await world.app.rankStrategies();
    expect(await recommended(world)).toEqual([known, plain, alike, other]);
    expect(await recommended(world, { strategyIds: [known] })).toEqual([alike, plain, other]);
    expect(await recommended(world, { strategyIds: [known], limit: 1 })).toEqual([alike]);
    expect(await recommended(world, { strategyIds: ['unknown', other] })).toEqual([
      known,
      plain,
      alike,
    ]);
  });

  it('show the requested timeframe, by default the month', async () => {
    const world = await fixture();
    await world.strategy(await world.user('owner'));
    world.ports.clock.advance(HOUR);
    await world.app.rankStrategies();
    const frames = async (command: Parameters<typeof world.app.getRecommendedStrategies>[1]) =>
      (await world.app.getRecommendedStrategies(anonymous, command)).flatMap(({ timeframes }) =>
        timeframes.map(({ timeframe }) => timeframe),
      );
    expect(await frames({})).toEqual(['month']);
    expect(await frames({ timeframe: 'day' })).toEqual(['day']);
  });
});

describe('past_value and max_drawdown', () => {
  it('equal those of all samples at every moment, although few are read each time', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await buy(world, owner, strategyId, '1');
    let reads = 0;
    for (let step = 0; step < 60; step += 1) {
      world.ports.clock.advance(step % 7 === 0 ? 5 * HOUR : 61_000 * ((step % 4) + 1));
      await world.quote('aapl', String(100 + ((step * 37) % 23)));
      await world.app.tick();
      if (step % 10 === 9) await buy(world, owner, strategyId, step % 20 === 9 ? '0.5' : '1');
      const now = world.ports.clock.now();
      const [view] = await world.app.getStrategies(anonymous, { strategyIds: [strategyId] });
      const [value] = await world.app.getStrategyValues(owner, { strategyIds: [strategyId] });
      const buckets = await world.ports.unitOfWork.read((stores) =>
        stores.valueHistory.list(strategyId, 0),
      );
      const lengths = [1, 7, 30, 365, 1826].map((days) => days * DAY);
      expect(view?.timeframes.map(({ timeframe }) => timeframe)).toEqual([...TIMEFRAMES]);
      view?.timeframes.forEach(({ pastValue: past, maxDrawdown: fall }, index) => {
        const from = now - (lengths[index] ?? 0);
        expect(text(past)).toBe(text(pastValue(buckets, from)));
        expect(text(fall)).toBe(text(maxDrawdown(buckets, from, value?.strategyValue ?? null)));
      });
      reads += 1;
    }
    expect(reads).toBe(60);
  });

  it('read few buckets when they were requested before', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    const begin = world.ports.clock.now();
    await world.ports.unitOfWork.run(async ({ valueHistory }) => {
      for (let minute = 0; minute < 1000; minute += 1) {
        const at = begin - minute * 60_000;
        await valueHistory.save(strategyId, addSample(undefined, at, decimal('1.5')));
      }
    });
    const { unitOfWork } = world.ports;
    let rows = 0;
    const counting = await fixture({
      unitOfWork: {
        ...unitOfWork,
        read: (work) =>
          unitOfWork.read((stores) =>
            work({
              ...stores,
              valueHistory: {
                ...stores.valueHistory,
                list: async (id, from) => {
                  const found = await stores.valueHistory.list(id, from);
                  rows += found.length;
                  return found;
                },
              },
            }),
          ),
      },
    });
    const ask = () => counting.app.getStrategies(anonymous, { strategyIds: [strategyId] });
    await ask();
    expect(rows).toBeGreaterThan(1000);
    rows = 0;
    counting.ports.clock.advance(30_000);
    await ask();
    expect(rows).toBeLessThan(20);
  });
});
