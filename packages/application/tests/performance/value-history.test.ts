import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, decimal } from '@slipstream/domain';
import { fixture, text } from '../fixture.js';

const anonymous = { kind: 'anonymous' } as const;

/** A strategy that is all AAPL, on three days of quotes. */
async function world(settings: { readonly private?: boolean } = {}) {
  const made = await fixture();
  const { app, ports } = made;
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner, settings);
  const began = ports.clock.now();
  await made.quote('aapl', '100');
  await app.newOrderAllocations(owner, {
    strategyId,
    allocations: [{ stock: 'aapl', percent: decimal('1') }],
    slippage: decimal('0'),
  });
  for (const price of ['110', '90', '120']) {
    ports.clock.advance(DAY);
    await made.quote('aapl', price);
    await app.tick();
  }
  const ask = (command: object = {}, caller: Parameters<typeof app.getTrades>[0] = owner) =>
    app.getStrategyHistory(caller, { strategyId, ...command });
  return { ...made, owner, strategyId, began, ask };
}

const valuesOf = (points: Awaited<ReturnType<Awaited<ReturnType<typeof world>>['ask']>>) =>
  points.map(({ value }) => text(value));

describe('getStrategyHistory', () => {
  it('answers the value at the times of an interval', async () => {
    const { ask, began } = await world();
    const history = await ask({ timeframe: 'all', interval: '1d' });
    expect(valuesOf(history)).toEqual(['1', '1.1', '0.9', '1.2']);
    expect(history.map(({ at }) => at - began)).toEqual([0, DAY, 2 * DAY, 3 * DAY]);
  });

  it('answers a span of time, also one that is over', async () => {
    const { ask, began } = await world();
    const span = { from: began + DAY + HOUR, to: began + 2 * DAY };
    expect(valuesOf(await ask({ ...span, interval: '4h' }))).toEqual([
      ...['1.1', '1.1', '1.1', '1.1', '1.1', '1.1', '0.9'],
    ]);
    expect(await ask({ to: began - 1 })).toEqual([]);
    expect((await ask({ from: began - DAY }))[0]?.at).toBe(began);
  });

  it('has the falls after a moment in which the clock was ahead', async () => {
    const { ask, app, ports, quote } = await world();
    ports.clock.advance(5 * HOUR);
    await app.tick();
    ports.clock.advance(-5 * HOUR);
    for (const price of ['100', '130']) {
      ports.clock.advance(MINUTE);
      await quote('aapl', price);
      await app.tick();
    }
    const history = await ask({ timeframe: 'day' });
    expect(history.some(({ low }) => text(low) === '1')).toBe(true);
  });

  it.each([
    ['a quarter of an hour', 15 * MINUTE],
    ['an hour', HOUR],
    ['a day', DAY],
    ['a year', 366 * DAY],
  ])('goes on after a moment in which the clock was %s ahead', async (_, ahead) => {
    const { ask, app, ports, quote, owner, strategyId } = await world();
    const now = ports.clock.now();
    ports.clock.advance(ahead);
    ports.clock.doubt(true);
    for (const price of ['60', '110']) {
      await quote('aapl', price);
      await app.tick();
      ports.clock.advance(MINUTE);
    }
    ports.clock.set(now);
    ports.clock.doubt(false);
    for (const price of ['100', '130', '125']) {
      ports.clock.advance(MINUTE);
      await quote('aapl', price);
      await app.tick();
    }

    const since = await ask({ from: now, interval: '1m' });
    expect(valuesOf(since)).toEqual(['1.2', '1', '1.3', '1.25']);
    expect(since.some(({ low }) => text(low) === '0.6')).toBe(true);
    const [view] = await app.getStrategies(owner, {
      ...{ strategyIds: [strategyId], timeframe: 'month' },
    });
    expect(view?.timeframes[0]?.maxDrawdown.toFixed(3)).toBe('0.500');
    ports.clock.advance(DAY);
    await app.tick();
    const { entries } = await app.getTrackRecord(owner, { strategyId });
    const last = entries.findLast(({ kind }) => kind === 'value');
    expect(last?.at).toBe(now + 3 * MINUTE);
  });

  it('has the closes of a benchmark beside its points when one is named', async () => {
    const { ask } = await world();
    const history = await ask({ timeframe: 'all', interval: '1d', benchmark: 'aapl' });
    expect(history.map(({ benchmark }) => benchmark)).toEqual(['100', '110', '90', '120']);
    expect((await ask()).every((point) => !('benchmark' in point))).toBe(true);
    await expect(ask({ benchmark: 'nope' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('answers at most 500 points, in equal steps', async () => {
    const { ask } = await world();
    for (const timeframe of ['day', 'month', 'all']) {
      const points = await ask({ timeframe });
      const gaps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? 0));
      expect(points).toHaveLength(500);
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
      expect(text(points.at(-1)?.value)).toBe('1.2');
    }
  });

  it.each<[string, object, RegExp]>([
    ['an interval with too many points', { interval: '1m' }, /more than 500 points; 15m fits/],
    ['a timeframe and times', { timeframe: 'all', from: 0 }, /not both/],
    ['a span that ends before it begins', { from: DAY, to: HOUR }, /from must be before to/],
    ['a start in the future', { from: Date.UTC(2100, 0) }, /before now/],
  ])('refuses %s', async (_, command, message) => {
    const { ask } = await world();
    await expect(ask(command)).rejects.toMatchObject({
      code: 'invalid_field',
      message: expect.stringMatching(message),
    });
  });

  it('is for anybody, but of private strategies only for those who see them', async () => {
    const open = await world();
    expect(await open.ask({}, anonymous)).toEqual(await open.ask());
    const closed = await world({ private: true });
    await expect(closed.ask({}, anonymous)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('samples that grow old', () => {
  /** A strategy that held AAPL for some days, sampled every ten minutes, and sold it. */
  async function sold() {
    const made = await fixture();
    const { app, ports, quote } = made;
    const owner = await made.user('owner');
    const strategyId = await made.strategy(owner);
    const hold = (percent: string) =>
      app.newOrderAllocations(owner, {
        strategyId,
        allocations: [{ stock: 'aapl', percent: decimal(percent) }],
        slippage: decimal('0'),
      });
    const lengths = () =>
      ports.unitOfWork.read(async ({ valueHistory }) =>
        (await valueHistory.list(strategyId, 0)).map(({ length }) => length),
      );
    await quote('aapl', '100');
    await hold('1');
    for (let sample = 0; sample < 20; sample += 1) {
      ports.clock.advance(10 * MINUTE);
      await quote('aapl', String(100 + (sample % 7)));
      await app.tick();
    }
    await hold('0');
    return { ...made, owner, strategyId, hold, lengths };
  }

  it.each([
    ['a day', 25 * HOUR, 15 * MINUTE],
    ['a week', 8 * DAY, HOUR],
    ['90 days', 92 * DAY, DAY],
  ])('are merged after %s although the strategy holds nothing', async (_, later, length) => {
    const { app, ports, lengths } = await sold();
    ports.clock.advance(later);
    await app.tick();
    expect(new Set(await lengths())).toEqual(new Set([length]));
  });

  it('are merged of a strategy that was deleted', async () => {
    const { app, ports, owner, strategyId, lengths } = await sold();
    await app.deleteStrategy(owner, { strategyId });
    ports.clock.advance(92 * DAY);
    await app.tick();
    expect(new Set(await lengths())).toEqual(new Set([DAY]));
  });

  it('are merged of a trade between two looks, long after all others were', async () => {
    const { app, ports, quote, hold, lengths } = await sold();
    for (let look = 0; look < 2; look += 1) {
      ports.clock.advance(92 * DAY);
      await app.tick();
    }
    await quote('aapl', '100');
    await hold('1');
    ports.clock.advance(MINUTE);
    await quote('aapl', '101');
    await hold('0');
    expect(await lengths()).toContain(MINUTE);
    ports.clock.advance(92 * DAY);
    await app.tick();
    expect(new Set(await lengths())).toEqual(new Set([DAY]));
  });
});

describe('a deleted strategy that holds something', () => {
  it('is sampled for an hour at most, so its record ends with the day of its end, also after a restart', async () => {
    const { app, ports, quote, owner, strategyId, restart } = await world();
    const recorded = () =>
      ports.unitOfWork.read(async ({ track, valueHistory }) => [
        (await track.listAfter(strategyId, 0, 100)).length,
        (await valueHistory.list(strategyId, 0)).length,
      ]);
    const later = async (running: Pick<typeof app, 'tick'>) => {
      ports.clock.advance(2 * HOUR);
      await quote('aapl', String(100 + (ports.clock.now() % 7)));
      await running.tick();
    };
    await app.deleteStrategy(owner, { strategyId });
    await later(app);
    await later(app);
    const before = await recorded();
    for (let hours = 0; hours < 22; hours += 2) await later(app);
    const [entries = 0, samples = 0] = before;
    expect(await recorded()).toEqual([entries + 1, samples]);
    const again = await restart();
    for (let hours = 0; hours < 72; hours += 12) await later(again);
    expect((await recorded())[0]).toBe(entries + 1);
  });
});
