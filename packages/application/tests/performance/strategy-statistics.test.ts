import { describe, expect, it } from '@jest/globals';
import {
  DAY,
  type StatisticsView,
  decimal,
  isoDay,
  recordReader,
  strategyStatistics,
  withBodies,
} from '@slipstream/domain';
import { fixture } from '../fixture.js';

const anonymous = { kind: 'anonymous' } as const;

/** A strategy that held AAPL for half of its value on four days that are over, and sold it on the last one. */
async function world(settings: { readonly private?: boolean } = {}) {
  const made = await fixture();
  const { app, ports } = made;
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner, settings);
  const hold = (percent?: string) =>
    app.newOrderAllocations(owner, {
      strategyId,
      allocations: percent === undefined ? [] : [{ stock: 'aapl', percent: decimal(percent) }],
      slippage: decimal('0'),
    });
  const start = ports.clock.now();
  await made.quote('aapl', '100');
  await hold('0.5');
  for (const price of ['110', '104.5', '121']) {
    ports.clock.advance(DAY);
    await made.quote('aapl', price);
    await app.tick();
  }
  await hold();
  ports.clock.advance(DAY);
  await app.tick();
  const ask = (command: object = {}, caller: Parameters<typeof app.getTrades>[0] = owner) =>
    app.getStrategyStatistics(caller, { strategyId, ...command });
  return { ...made, owner, strategyId, hold, ask, first: isoDay(start), start };
}

/** The value of the book of half cash (less the smallest reserve) and half AAPL, from the record. */
const closesOf = (bodies: readonly string[]) =>
  bodies.map((body) => Number((JSON.parse(body) as { strategy_value: string }).strategy_value));

describe('getStrategyStatistics', () => {
  it('answers the figures of the days that are over, with their number and span', async () => {
    const { app, ask, owner, strategyId, first, start } = await world();
    const { entries } = await app.getTrackRecord(owner, { strategyId });
    const closes = closesOf(
      withBodies(entries).flatMap(({ kind, body }) => (kind === 'value' ? body : [])),
    );
    const found = await ask();
    expect(closes).toHaveLength(4);
    const span = { from: first, to: isoDay(start + 3 * DAY) };
    expect(found).toMatchObject({
      strategyId,
      basis: 'simulated',
      disclosure: expect.stringContaining('hypothetical'),
      segmentSince: start,
      ...span,
      totalReturn: { n: 4, ...span, gap: null },
      cagr: { value: null, gap: 'short_span' },
      sharpe: { value: null, gap: 'few_returns' },
      roundTrips: { all: { count: { value: '1' } }, byStock: [{ symbol: 'AAPL' }] },
    });
    expect(Number(found.totalReturn.value)).toBeCloseTo((closes.at(-1) ?? 0) - 1, 11);
    expect(Number(found.maxDrawdown.value)).toBeCloseTo(
      1 - (closes[2] ?? 0) / (closes[1] ?? 1),
      11,
    );
  });

  it('is the same to the digit when it is computed from the downloaded record', async () => {
    const { app, ask, owner, strategyId, start } = await world();
    const online = await ask({ minN: 2, riskFree: decimal('0.01') });
    const reader = recordReader(start);
    const { entries } = await app.getTrackRecord(owner, { strategyId });
    for (const entry of withBodies(entries)) reader.add(entry);
    const offline = strategyStatistics(reader.figures(), {
      to: online.to,
      daysPerYear: 365,
      isTradingDay: () => true,
      riskFree: 0.01,
      minN: 2,
    });
    for (const name of ['totalReturn', 'sharpe', 'sortino', 'maxDrawdown', 'exposure'] as const)
      expect([name, online[name]]).toEqual([name, offline[name]]);
    expect(online.sharpe.value).not.toBeNull();
  });

  it('has the daily series for tables, from which its returns follow', async () => {
    const { ask } = await world();
    expect((await ask()).series).toBeNull();
    const { series, totalReturn, bestDay } = await ask({ format: 'csv' });
    expect(series).toHaveLength(4);
    expect(Number(series?.at(-1)?.value) - 1).toBeCloseTo(Number(totalReturn.value), 11);
    expect(series?.find(({ date }) => date === bestDay.date)?.return).toBe(bestDay.value);
  });

  it('counts a day that is over before the record has it', async () => {
    const { ask, hold, quote, ports } = await world();
    await quote('aapl', '100');
    await hold('0.5');
    await quote('aapl', '130');
    await hold();
    ports.clock.advance(DAY);
    const atOnce = await ask();
    expect(atOnce.totalReturn.n).toBe(5);
    expect(Number(atOnce.bestDay.value)).toBeGreaterThan(0.14);
  });

  it('reads on where it was, also when it is asked twice at once', async () => {
    const { ask, hold, quote, ports, app } = await world();
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(other).toEqual(one);
    await quote('aapl', '100');
    await hold('0.5');
    await quote('aapl', '130');
    await hold();
    ports.clock.advance(DAY);
    await app.tick();
    const later = await ask();
    expect(later.roundTrips.all.count.value).toBe('2');
    expect(later.totalReturn.n).toBe(5);
  });

  it.each<[string, object, string, string]>([
    ['a timeframe', { timeframe: 'day' }, '2026-01-08', '2026-01-08'],
    ['dates', { from: '2026-01-06', to: '2026-01-07' }, '2026-01-06', '2026-01-07'],
    ['a date before the segment', { from: '2020-01-01' }, '2026-01-05', '2026-01-08'],
  ])('takes %s', async (_, command, from, to) => {
    const { ask, first } = await world();
    expect(first).toBe('2026-01-05');
    expect(await ask(command)).toMatchObject({ from, to });
  });

  it.each<[string, object, RegExp]>([
    ['a day that is not over', { to: '2026-01-09' }, /to must be at most 2026-01-08/],
    [
      'a span that ends before it begins',
      { from: '2026-01-07', to: '2026-01-06' },
      /from must not/,
    ],
    ['a timeframe and dates', { timeframe: 'day', from: '2026-01-06' }, /not both/],
  ])('refuses %s', async (_, command, message) => {
    const { ask } = await world();
    await expect(ask(command)).rejects.toMatchObject({
      code: 'invalid_field',
      message: expect.stringMatching(message),
    });
  });

  it('shows strangers everything but the round trips by stock', async () => {
    const { ask, user } = await world();
    const [all, stranger, nobody] = [
      await ask(),
      await ask({}, await user('stranger')),
      await ask({}, anonymous),
    ];
    const public_: StatisticsView = { ...all, roundTrips: { ...all.roundTrips, byStock: null } };
    expect(stranger).toEqual(public_);
    expect(nobody).toEqual(public_);
  });

  it('hides a private strategy from strangers', async () => {
    const { ask } = await world({ private: true });
    await expect(ask({}, anonymous)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says that a strategy of today has no day yet', async () => {
    const made = await fixture();
    const owner = await made.user('owner');
    const strategyId = await made.strategy(owner);
    const found = await made.app.getStrategyStatistics(owner, { strategyId });
    expect(found).toMatchObject({ from: null, totalReturn: { value: null, n: 0, gap: 'no_days' } });
  });
});
