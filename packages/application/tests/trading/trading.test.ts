import { describe, expect, it } from '@jest/globals';
import { decimal, verifyTrack, withBodies } from '@slipstream/domain';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import { openMemory } from '@slipstream/adapter-memory';
import { aBucket } from '@slipstream/port-contracts';
import { type Fixture, fixture, text } from '../fixture.js';

const half = [{ stock: 'AAPL:NASDAQ', percent: decimal('0.5') }];
const quarterEach = [
  { stock: 'aapl', percent: decimal('0.25') },
  { stock: 'msft', percent: decimal('0.25') },
];

const kinds = ({ events }: Fixture): string[] =>
  events.flatMap((event) =>
    event.kind === 'book_changed' ? event.changes.map(({ kind }) => kind) : [],
  );

describe('newOrderAllocations', () => {
  it('answers the orders as accepted; they have executed before the next command', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '99', '100');

    const [order] = await world.app.newOrderAllocations(owner, { strategyId, allocations: half });
    expect(order?.order.status).toBe('open');

    const { positions, cash } = await world.app.getPositions(owner, { strategyId });
    // FinalBuyingPower = 2 - 4 x 0.002 = 1.992, half of which x 0.5 is 0.498, at the ask of 100
    expect(positions.map(({ position }) => text(position.amount))).toEqual(['0.00498']);
    expect(text(cash)).toBe('0.502');
  });

  it('places increases behind the reduces and executes them in one change of the book', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await world.quote('msft', '50');
    await world.app.newOrderAllocations(owner, { strategyId, allocations: half });
    const orders = await world.app.newOrderAllocations(owner, {
      strategyId,
      allocations: quarterEach,
    });

    const [reduce, increase] = orders.map(({ order }) => order);
    expect(reduce?.action).toBe('sell');
    expect(increase?.action).toBe('buy');
    expect(increase?.dependsOn).toEqual([reduce?.id]);
    expect(kinds(world).slice(-5)).toEqual(['opened', 'opened', 'filled', 'released', 'filled']);
  });

  it('samples the value after each of its fills', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '80', '100');
    await world.quote('msft', '40', '50');
    await world.app.newOrderAllocations(owner, { strategyId, allocations: quarterEach });
    const trades = await world.app.getTrades(owner, { strategyId });
    const sampled = await world.ports.unitOfWork.read(({ valueHistory }) =>
      valueHistory.last(strategyId),
    );
    // Each of two buys of 0.249 loses a fifth to the spread.
    expect(trades.map(({ strategyValue }) => text(strategyValue))).toEqual(['0.9004', '0.9502']);
    expect([text(sampled?.high), text(sampled?.last)]).toEqual(['0.9502', '0.9004']);
  });

  it('cancels nothing when it is refused', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await world.app.newOrder(owner, {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      pricing: { type: 'limit', price: decimal('90') },
      size: { by: 'amount', amount: decimal('0.001') },
    });
    await expect(
      world.app.newOrderAllocations(owner, { strategyId, allocations: [...half, ...half] }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
    expect(await world.app.getOrders(owner, { strategyId })).toHaveLength(1);
  });

  it('previews the same orders without an effect', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    const preview = await world.app.previewOrderAllocations(owner, {
      strategyId,
      allocations: half,
    });
    expect(text(preview.buffers[0]?.buffer.finalBuyingPower)).toBe('1.992');
    expect(preview.orders).toHaveLength(1);
    expect((await world.app.getPositions(owner, { strategyId })).version).toBe(0);
  });
});

describe('an order that waits', () => {
  const buyAt90 = {
    stock: 'aapl',
    action: 'buy' as const,
    pricing: { type: 'limit' as const, price: decimal('90') },
    size: { by: 'amount' as const, amount: decimal('0.001') },
  };

  async function waiting(): Promise<
    Fixture & { owner: Awaited<ReturnType<Fixture['user']>>; strategyId: string }
  > {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await world.app.newOrder(owner, { strategyId, ...buyAt90 });
    return { ...world, owner, strategyId };
  }

  it('fills at its own price on the quote that reaches it', async () => {
    const world = await waiting();
    await world.quote('aapl', '90.01');
    expect(await world.app.getTrades(world.owner, world)).toEqual([]);
    await world.quote('aapl', '85');
    const [trade] = await world.app.getTrades(world.owner, world);
    expect(text(trade?.price)).toBe('90');
  });

  it('is matched with every quote in order of receipt, also one that a later quote has replaced', async () => {
    const world = await waiting();
    await Promise.all([world.quote('aapl', '89'), world.quote('aapl', '100')]);
    expect(await world.app.getTrades(world.owner, world)).toHaveLength(1);
  });

  it('waits again after a restart, with its prerequisites', async () => {
    const world = await waiting();
    const again = await world.restart();
    await again.newQuotes(
      { kind: 'operator' },
      { quotes: [{ stock: 'aapl', bid: decimal('80'), ask: decimal('80'), last: decimal('80') }] },
    );
    const [trade] = await again.getTrades(world.owner, world);
    expect(text(trade?.price)).toBe('90');
  });

  it('waits for a fresh quote when the last one is stale', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    world.ports.clock.advance(60_001);
    const order = await world.app.newOrder(owner, {
      ...buyAt90,
      strategyId,
      pricing: { type: 'market' },
    });
    expect(order.waitingReason).toBe('quote');
    await world.quote('aapl', '101');
    expect(text((await world.app.getTrades(owner, { strategyId }))[0]?.price)).toBe('101');
  });

  it('releases its dependents when it is deleted', async () => {
    const world = await waiting();
    const { app, owner, strategyId } = world;
    const [first] = await app.getOrders(owner, { strategyId });
    const dependent = await app.newOrder(owner, {
      ...buyAt90,
      strategyId,
      pricing: { type: 'market' },
      dependsOn: [first?.order.id ?? ''],
    });
    expect(dependent.waitingReason).toBe('dependency');
    await app.deleteOrder(owner, { strategyId, orderId: first?.order.id ?? '' });
    expect((await app.getTrades(owner, { strategyId })).map((trade) => trade.orderId)).toEqual([
      dependent.order.id,
    ]);
  });

  it('leaves the index when its transaction fails', async () => {
    const storage = openMemory();
    let failures = 0;
    let runs = 0;
    const unitOfWork: UnitOfWork = {
      ...storage,
      run: (work, options) => {
        runs += 1;
        return storage.run(async (stores) => {
          const answer = await work(stores);
          if (failures > 0) {
            failures -= 1;
            throw new StorageUnavailable('full');
          }
          return answer;
        }, options);
      },
    };
    const world = await fixture({ unitOfWork });
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    failures = 1;
    await expect(world.app.newOrder(owner, { strategyId, ...buyAt90 })).rejects.toThrow('full');
    await world.quote('aapl', '89');
    runs = 0;
    await world.quote('aapl', '88');
    expect(runs).toBe(0);
    expect(await world.app.getTrades(owner, { strategyId })).toEqual([]);
  });

  it('fills later when the storage could not store the fill', async () => {
    const storage = openMemory();
    let broken = false;
    const unitOfWork: UnitOfWork = {
      ...storage,
      run: (work, options) =>
        broken ? Promise.reject(new StorageUnavailable('full')) : storage.run(work, options),
    };
    const world = await fixture({ unitOfWork });
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await world.app.newOrder(owner, { strategyId, ...buyAt90 });
    broken = true;
    await world.quote('aapl', '90');
    await world.quote('aapl', '95');
    broken = false;
    await world.app.tick();
    expect(text((await world.app.getTrades(owner, { strategyId }))[0]?.price)).toBe('90');
  });
});

describe('newOrderWebhook', () => {
  const alert = {
    stock: 'BTC:COINBASE',
    action: 'buy' as const,
    leverage: decimal('2'),
    pyramiding: 4,
  };

  it('takes a step of leverage / pyramiding with each alert and reverses to the first step', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner, { type: 'cryptocurrency' });
    await world.quote('btc', '100');
    const exposures: (string | null)[] = [];
    const signed = async (): Promise<string | null> =>
      text((await world.app.getPositions(owner, { strategyId })).positions[0]?.percent?.round(1));
    for (const action of ['buy', 'buy', 'buy', 'buy', 'buy', 'sell'] as const) {
      await world.app.newOrderWebhook(owner, { ...alert, strategyId, action });
      exposures.push(await signed());
    }
    expect(exposures).toEqual(['0.5', '1', '1.5', '2', '2', '-0.5']);
  });

  it('answers an order of amount 0 when there is nothing to do', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner, { type: 'cryptocurrency' });
    const { order } = await world.app.newOrderWebhook(owner, {
      ...alert,
      strategyId,
      action: 'close',
    });
    expect(order.status).toBe('filled');
    expect(order.size).toEqual({ by: 'amount', amount: decimal('0') });
  });
});

describe('strategy_value', () => {
  it('is published only while somebody listens', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await world.app.newOrderAllocations(owner, { strategyId, allocations: half });
    const published = () =>
      world.events.flatMap((event) => (event.kind === 'value_changed' ? text(event.value) : []));
    await world.quote('aapl', '110');
    expect(published()).toEqual([]);
    const stop = world.app.watchValue(strategyId);
    await world.quote('aapl', '120');
    stop();
    await world.quote('aapl', '130');
    expect(published()).toEqual(['1.0996']);
  });

  it('is sampled at fills and once a minute while it changes', async () => {
    const world = await fixture();
    const { app, ports } = world;
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await app.newOrderAllocations(owner, { strategyId, allocations: half });
    for (const price of ['120', '120', '90']) {
      ports.clock.advance(60_000);
      await world.quote('aapl', price);
      await app.tick();
    }
    const history = await app.getStrategyHistory(owner, { strategyId, timeframe: 'day' });
    // From past_value, minute by minute, to now.
    expect(history.map(({ value }) => text(value))).toEqual(['1', '1.0996', '1.0996', '0.9502']);
    expect(history.at(-1)?.at).toBe(ports.clock.now());
    const [view] = await app.getStrategies(owner, { strategyIds: [strategyId], timeframe: 'day' });
    expect(view?.timeframes[0]?.maxDrawdown.toFixed(6)).toBe('0.135868');
    expect(text(view?.timeframes[0]?.pastValue)).toBe('1');
  });
});

describe('getStrategyHistory', () => {
  it('of a strategy that never traded goes from its beginning to the present', async () => {
    const { app, ports, ...world } = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    const began = ports.clock.now();
    ports.clock.advance(3_600_000);
    const history = await app.getStrategyHistory(owner, { strategyId, timeframe: 'day' });
    expect(history.map(({ at, value }) => [at, text(value)])).toEqual(
      Array.from({ length: 61 }, (_, minute) => [began + minute * 60_000, '1']),
    );
    expect(history.at(-1)?.at).toBe(ports.clock.now());
  });

  it('begins with the past_value of getStrategies at the start of the timeframe', async () => {
    const { app, ports, ...world } = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await app.newOrderAllocations(owner, { strategyId, allocations: half });
    await world.quote('aapl', '120');
    ports.clock.advance(60_000);
    await app.tick();
    ports.clock.advance(2 * 86_400_000);
    const history = await app.getStrategyHistory(owner, { strategyId, timeframe: 'day' });
    const [first, last] = [history[0], history.at(-1)];
    const [view] = await app.getStrategies(owner, { strategyIds: [strategyId], timeframe: 'day' });
    expect(first).toMatchObject({ at: ports.clock.now() - 86_400_000 });
    expect(text(first?.value)).toBe(text(view?.timeframes[0]?.pastValue));
    expect([last?.at, text(last?.value)]).toEqual([ports.clock.now(), '1.0996']);
    expect(history).toHaveLength(500);
  });
});

describe('newOrderAllocations names a duplicate stock as it was sent', () => {
  it.each([
    ['aapl', 'aapl', 'aapl is allocated twice'],
    ['AAPL:NASDAQ', 'aapl', 'AAPL:NASDAQ (also sent as aapl) is allocated twice'],
  ])('%s and %s', async (one, other, message) => {
    const { app, ...world } = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    const percent = decimal('0.25');
    const allocations = [one, other].map((stock) => ({ stock, percent }));
    const refused = expect.objectContaining({ code: 'invalid_field', message });
    await expect(app.newOrderAllocations(owner, { strategyId, allocations })).rejects.toEqual(
      refused,
    );
    await expect(app.previewOrderAllocations(owner, { strategyId, allocations })).rejects.toEqual(
      refused,
    );
  });
});

describe('the track record', () => {
  it('chains every fill and the last value of each finished day', async () => {
    const world = await fixture();
    const { app, ports } = world;
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await app.newOrderAllocations(owner, { strategyId, allocations: half });
    ports.clock.advance(86_400_000);
    await world.quote('aapl', '110');
    await app.tick();
    await app.newOrderAllocations(owner, { strategyId, allocations: [] });

    const { entries } = await app.getTrackRecord(owner, { strategyId });
    expect(entries.map(({ kind }) => kind)).toEqual(['trade', 'value', 'trade']);
    expect(JSON.parse(entries[1]?.body ?? '')).toEqual({
      format: 2,
      strategy_value: '1',
      high: '1',
      low: '1',
      drawdown: '0',
      gross: '0.498',
      held: '0.375',
    });
    expect(
      verifyTrack(withBodies(entries), (line) => ports.fingerprints.sha256(line)),
    ).toMatchObject({
      intact: true,
      entries: 3,
    });
    const rest = await app.getTrackRecord(owner, { strategyId, after: 2 });
    expect(rest.entries).toEqual(entries.slice(2));
  });

  it('has a day as soon as it is over, once, also of a strategy that holds nothing any more', async () => {
    const world = await fixture();
    const { app, ports } = world;
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await app.newOrderAllocations(owner, { strategyId, allocations: half });
    ports.clock.advance(3_600_000);
    await world.quote('aapl', '90');
    await app.newOrderAllocations(owner, { strategyId, allocations: [] });
    const dayEntries = async () =>
      withBodies((await app.getTrackRecord(owner, { strategyId })).entries).flatMap(
        ({ kind, body }) =>
          kind === 'value' ? (JSON.parse(body) as { held: string; drawdown: string }) : [],
      );
    await app.tick();
    expect(await dayEntries()).toEqual([]);
    ports.clock.advance(86_400_000);
    await app.tick();
    ports.clock.advance(60_000);
    await app.tick();
    await world.quote('aapl', '100');
    await app.newOrderAllocations(owner, { strategyId, allocations: half });
    // An hour of twenty-four, and half of the value fell by a tenth.
    const [day, ...more] = await dayEntries();
    expect(day?.held).toBe('0.041666666666666667');
    expect(Number(day?.drawdown)).toBeCloseTo(0.05, 2);
    expect(more).toEqual([]);
  });

  it('has the exposure at the quote that filled the last order', async () => {
    const world = await fixture();
    const { app, ports } = world;
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await app.newOrderAllocations(owner, { strategyId, allocations: half });
    await app.newOrder(owner, {
      ...{ strategyId, stock: 'aapl', action: 'sell' },
      pricing: { type: 'stop_market', stopPrice: decimal('60') },
      size: { by: 'amount', amount: decimal('0.00098') },
    });
    await world.quote('aapl', '50');
    ports.clock.advance(86_400_000);
    await app.tick();
    const { entries } = await app.getTrackRecord(owner, { strategyId });
    const { gross } = JSON.parse(entries.at(-1)?.body ?? '') as { gross: string };
    // 0.00498 were bought, and 0.004 are left.
    expect(gross).toBe('0.2');
  });

  it('has a sample of the order that the first quote of its stock fills', async () => {
    const world = await fixture();
    const { app } = world;
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await app.newOrder(owner, {
      ...{ strategyId, stock: 'aapl', action: 'buy' },
      pricing: { type: 'limit', price: decimal('100') },
      size: { by: 'amount', amount: decimal('0.005') },
    });
    await world.quote('aapl', '90', '100');
    const [last] = await world.ports.unitOfWork.read(({ valueHistory }) =>
      valueHistory.list(strategyId, 0),
    );
    expect(text(last?.last)).toBe('0.95');
  });

  it('has only the last value of a day that began before days were measured', async () => {
    const world = await fixture();
    const { app, ports } = world;
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await ports.unitOfWork.run(({ valueHistory }) =>
      valueHistory.save(strategyId, aBucket({ start: ports.clock.now() - 60_000 })),
    );
    await world.quote('aapl', '100');
    await app.newOrderAllocations(owner, { strategyId, allocations: half });
    ports.clock.advance(86_400_000);
    await world.quote('aapl', '110');
    await app.tick();
    const { entries } = await app.getTrackRecord(owner, { strategyId });
    expect(entries.at(-1)).toMatchObject({ kind: 'value', body: '{"strategy_value":"1"}' });
  });

  it('is visible to users who may see the trades', async () => {
    const world = await fixture();
    const [owner, stranger] = [await world.user('owner'), await world.user('stranger')];
    const strategyId = await world.strategy(owner);
    await expect(world.app.getTrackRecord(stranger, { strategyId })).rejects.toMatchObject({
      code: 'not_owner',
    });
  });
});
