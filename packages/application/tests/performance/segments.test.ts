import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  DAY,
  type FillMarket,
  HOUR,
  MINUTE,
  decimal,
  verifyTrack,
  withBodies,
} from '@slipstream/domain';
import { type MarketRun, StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import { DEFAULT_SETTINGS } from '../../src/index.js';
import { type App, createApp } from '../app.js';
import { fixture, text } from '../fixture.js';

const sha256 = (hashed: string): string => createHash('sha256').update(hashed).digest('hex');

/** A strategy that holds AAPL for all of its value, on a market of that kind; the server can start again on another. */
async function world(market: FillMarket, percent = '1') {
  const made = await fixture({}, { ...DEFAULT_SETTINGS, market });
  const { ports } = made;
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner);
  let app: App = made.app;

  const quote = (bid: string, stock = 'aapl') =>
    app.newQuotes(
      { kind: 'operator' },
      { quotes: [{ stock, bid: decimal(bid), ask: decimal(bid), last: decimal(bid) }] },
    );
  const hold = (share: string, stock = 'aapl') =>
    app.newOrderAllocations(owner, {
      strategyId,
      allocations: share === '0' ? [] : [{ stock, percent: decimal(share) }],
      slippage: decimal('0'),
    });
  /** Time passes with a minute's work at its end. */
  const pass = async (time: number) => {
    ports.clock.advance(time);
    await app.tick();
  };
  const view = async () => {
    const [found] = await app.getStrategies({ kind: 'anonymous' }, { strategyIds: [strategyId] });
    if (!found) throw new Error('the strategy is gone');
    return found;
  };

  await quote('100');
  if (percent !== '0') await hold(percent);
  return {
    ports,
    owner,
    strategyId,
    user: (name: string) => made.user(name),
    app: () => app,
    quote,
    hold,
    pass,
    view,
    figures: async () =>
      (await view()).timeframes.map(({ pastValue, maxDrawdown }) => [
        text(pastValue),
        text(maxDrawdown),
      ]),
    segments: async () =>
      (await view()).segments.map(({ basis, reason, startValue, jump, ...figures }) => ({
        basis,
        reason,
        start: text(startValue),
        jump: text(jump),
        ended: figures.end !== null,
        return: text(figures.return),
        drawdown: text(figures.maxDrawdown),
        earlier: text(figures.earlierMaxDrawdown),
      })),
    verdict: async () => {
      const { entries } = await app.getTrackRecord(owner, { strategyId });
      return verifyTrack(withBodies(entries), sha256);
    },
    /** A start that ends after the segments are open, before it is stored that this market ran. */
    failToStart: async (next: FillMarket) => {
      await app.stop();
      const { unitOfWork } = ports;
      const run: UnitOfWork['run'] = (work, options) =>
        unitOfWork.run((stores) => {
          const save = async (one: MarketRun): Promise<void> => {
            if (one.market === next) throw new StorageUnavailable('the disk is full');
            await stores.marketRuns.save(one);
          };
          return work({ ...stores, marketRuns: { ...stores.marketRuns, save } });
        }, options);
      const settings = { ...DEFAULT_SETTINGS, market: next };
      const failing = createApp({ ...ports, unitOfWork: { ...unitOfWork, run } }, settings);
      await expect(failing.start()).rejects.toThrow('the disk is full');
    },
    startAgain: async (next: FillMarket, stopped = MINUTE) => {
      await app.tick();
      await app.stop();
      ports.clock.advance(stopped);
      app = createApp(ports, { ...DEFAULT_SETTINGS, market: next });
      await app.start();
    },
    /** The same after a crash: what was not stored yet is lost. */
    crash: async (next: FillMarket, stopped = MINUTE) => {
      ports.clock.advance(stopped);
      app = createApp(ports, { ...DEFAULT_SETTINGS, market: next });
      await app.start();
    },
  };
}

const five = <Figures>(figures: Figures): Figures[] => Array.from({ length: 5 }, () => figures);

describe('a record on another kind of prices (contract 8)', () => {
  it('continues in a new segment; no figure reaches across its start', async () => {
    const { quote, pass, startAgain, figures, segments, view, verdict, hold } = await world('demo');
    await quote('80');
    await pass(MINUTE);
    await quote('300');
    await pass(MINUTE);
    expect(await figures()).toEqual(five(['1', '0.2']));

    await startAgain('live');
    await quote('150');
    await pass(1_000);
    expect(await segments()).toEqual([
      {
        basis: 'simulated',
        reason: 'created',
        start: '1',
        jump: null,
        ended: true,
        return: '2',
        drawdown: '0.2',
        earlier: null,
      },
      {
        basis: 'hypothetical',
        reason: 'market',
        start: '1.5',
        jump: '-1.5',
        ended: false,
        return: '0',
        drawdown: '0',
        earlier: null,
      },
    ]);
    expect(await figures()).toEqual(five(['1.5', '0']));

    await pass(MINUTE);
    await quote('120');
    await hold('0');
    expect(await figures()).toEqual(five(['1.5', '0.2']));
    expect((await segments()).at(-1)).toMatchObject({ return: '-0.2', drawdown: '0.2' });
    expect((await view()).strategy).toMatchObject({ segmentOpening: null });
    expect(await verdict()).toMatchObject({ intact: true });
  });

  it('has no figures and no ranks until every holding has a fresh quote', async () => {
    const { app, owner, quote, startAgain, pass, view, figures, strategyId } = await world(
      'demo',
      '0',
    );
    await quote('50', 'msft');
    await app().newOrderAllocations(owner, {
      strategyId,
      allocations: [
        { stock: 'aapl', percent: decimal('0.5') },
        { stock: 'msft', percent: decimal('0.5') },
      ],
      slippage: decimal('0'),
    });
    await pass(2 * HOUR);
    await app().rankStrategies();
    expect((await view()).timeframes[0]?.rankPerformance).not.toBeNull();

    await startAgain('live');
    await quote('90');
    await pass(1_000);
    expect((await view()).strategy.segmentOpening).toMatchObject({
      kind: 'live',
      reason: 'market',
    });
    expect(await figures()).toEqual(five(['0.95', '0']));
    await app().rankStrategies();
    expect((await view()).timeframes[0]?.rankPerformance).toBeNull();

    await quote('45', 'msft');
    await pass(1_000);
    expect(await figures()).toEqual(five(['0.9', '0']));
  });

  it.each([
    ['another market', 'live', MINUTE],
    ['another market, a day later', 'push', DAY + HOUR],
    ['a gap', 'demo', 8 * DAY],
  ] as const)('keeps a fall of the last minute before %s', async (_, next, stopped) => {
    const { quote, pass, startAgain, view, segments, verdict } = await world('demo');
    await pass(MINUTE);
    // The value is sampled once a minute: nothing has sampled this one when the server stops.
    await quote('80');
    expect((await view()).timeframes[0]).toMatchObject({ maxDrawdown: decimal('0.2') });

    await startAgain(next, stopped);
    await quote('90');
    await pass(1_000);
    expect(await segments()).toMatchObject([
      { reason: 'created', ended: true, return: '-0.2', drawdown: '0.2' },
      { start: '0.9', jump: '0.1', ended: false, return: '0', drawdown: '0' },
    ]);
    expect(await verdict()).toMatchObject({ intact: true });
  });

  it('ends with the value of the last fill after a crash: the stored quotes are older', async () => {
    const { ports, quote, pass, hold, crash, segments, verdict } = await world('demo', '0.5');
    await pass(MINUTE);
    ports.clock.advance(1_000);
    await quote('80');
    await hold('1');
    await crash('live');
    await quote('90');
    await pass(1_000);
    expect(await segments()).toMatchObject([
      { reason: 'created', ended: true, return: '-0.1', drawdown: '0.1' },
      { ended: false, return: '0', drawdown: '0' },
    ]);
    expect(await verdict()).toMatchObject({ intact: true });
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'ends with the value of before a split that a crash interrupted (%i)',
    async (works) => {
      const { ports, quote, pass, crash, segments } = await world('demo');
      await pass(MINUTE);
      ports.clock.advance(1_000);
      await quote('100');
      const { unitOfWork } = ports;
      let left = Infinity;
      const run: UnitOfWork['run'] = async (work, options) => {
        if (left <= 0) throw new StorageUnavailable('the disk is full');
        left -= 1;
        return unitOfWork.run(work, options);
      };
      const settings = { ...DEFAULT_SETTINGS, market: 'demo' as const };
      const failing = createApp({ ...ports, unitOfWork: { ...unitOfWork, run } }, settings);
      await failing.start();
      left = works;
      const ratio = { newShares: decimal('4'), oldShares: decimal('1') };
      await failing
        .newStockAction({ kind: 'operator' }, { stock: 'aapl', kind: 'split', ratio })
        .catch(() => undefined);
      await crash('live');
      expect(await segments()).toMatchObject([{ ended: true, return: '0', drawdown: '0' }]);
    },
  );

  it('says in the entry of the next one how it ended, for reports of the record alone', async () => {
    const { app, owner, strategyId, quote, pass, startAgain, view } = await world('demo');
    await quote('80');
    await pass(MINUTE);
    await quote('120');
    await startAgain('live', DAY);
    const { entries } = await app().getTrackRecord(owner, { strategyId });
    const opened = withBodies(entries)
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .find(({ state }) => state === 'opened');
    const [ended] = (await view()).segments;
    expect(ended?.end).not.toBeNull();
    expect(opened).toMatchObject({
      ...{ end_value: '1.2', max_drawdown: '0.2', ended_at: ended?.end },
    });
  });

  it('starts without holdings at once, at its cash', async () => {
    const { startAgain, segments, figures } = await world('demo', '0');
    await startAgain('push');
    expect(await segments()).toMatchObject([
      { basis: 'simulated', ended: true, return: '0' },
      { basis: 'supplied', start: '1', jump: '0', ended: false },
    ]);
    expect(await figures()).toEqual(five(['1', '0']));
  });

  it('starts before the first fill at a fresh quote, in its transaction', async () => {
    const { startAgain, quote, hold, segments, verdict } = await world('demo');
    await startAgain('live');
    await quote('70');
    await hold('0.5');
    expect((await segments()).at(-1)).toMatchObject({ start: '0.7', jump: '-0.3' });
    expect(await verdict()).toMatchObject({ intact: true });
  });

  it('starts before the fill of an order that waited for that quote, in its transaction', async () => {
    const { app, owner, strategyId, startAgain, quote, segments, verdict } = await world('demo');
    await app().newOrder(owner, {
      ...{ strategyId, stock: 'aapl', action: 'sell' },
      pricing: { type: 'stop_market', stopPrice: decimal('80') },
      size: { by: 'amount', amount: decimal('0.005') },
    });
    await startAgain('live');
    await quote('70');
    expect((await segments()).at(-1)).toMatchObject({ start: '0.7', jump: '-0.3', ended: false });
    const { entries } = await app().getTrackRecord(owner, { strategyId });
    expect(entries.map(({ kind }) => kind).slice(-3)).toEqual(['segment', 'segment', 'trade']);
    expect(await verdict()).toMatchObject({ intact: true });
  });

  it.each<[FillMarket, FillMarket]>([
    ['demo', 'demo'],
    ['demo', 'replay'],
    ['live', 'live'],
    ['unknown', 'unknown'],
  ])('from %s to %s goes on in one segment', async (before, after) => {
    const { quote, pass, startAgain, segments } = await world(before);
    await pass(MINUTE);
    await startAgain(after);
    await quote('110');
    await pass(MINUTE);
    expect(await segments()).toHaveLength(1);
  });

  it('keeps its figures when its buckets merge with age', async () => {
    const { quote, pass, startAgain, segments, figures, app, owner, strategyId } =
      await world('demo');
    await pass(MINUTE);
    await quote('400');
    await startAgain('live', 10_000);
    await quote('200');
    await pass(1_000);
    await quote('150');
    await pass(MINUTE);
    for (let day = 0; day < 100; day += 10) {
      await pass(10 * DAY);
      await quote('180');
    }
    expect((await segments()).at(-1)).toMatchObject({ start: '2', drawdown: '0.25' });
    expect((await figures()).at(-1)).toEqual(['2', '0.25']);
    const history = await app().getStrategyHistory(owner, { strategyId, timeframe: 'five_year' });
    expect(text(history[0]?.value)).toBe('2');
    expect(history.some(({ high }) => high.gt('2'))).toBe(false);
  });

  it('ranks anew after an hour, with the subscribers gained since its start', async () => {
    const { app, pass, quote, startAgain, view, strategyId, user } = await world('demo');
    await app().newStrategySubscription(await user('fan'), { strategyId });
    await pass(MINUTE);
    await startAgain('live');
    await quote('100');
    await pass(1_000);
    await app().rankStrategies();
    expect((await view()).timeframes[0]?.rankTrending).toBeNull();
    await pass(HOUR);
    await app().rankStrategies();
    expect((await view()).timeframes[2]).toMatchObject({ rankTrending: decimal('1') });
  });
});

describe('a start on another kind of prices that is interrupted', () => {
  it.each<FillMarket>(['push', 'live'])(
    'leaves no record in its segments: after a start on %s each fill lies in one of its kind',
    async (next) => {
      const { failToStart, startAgain, quote, pass, hold, segments, verdict } = await world('push');
      await pass(MINUTE);
      await failToStart('live');
      await startAgain(next);
      await quote('120');
      await pass(1_000);
      await hold('0.5');
      const basis = next === 'push' ? 'supplied' : 'hypothetical';
      expect((await segments()).at(-1)).toMatchObject({ basis, ended: false, start: '1.2' });
      expect(await verdict()).toMatchObject({ intact: true });
    },
  );
});

describe('a long stop of the server', () => {
  it('begins a segment when positions were open; it keeps the worst drawdown beside its own', async () => {
    const { quote, pass, startAgain, segments, figures } = await world('live');
    await quote('60');
    await pass(MINUTE);
    await startAgain('live', 8 * DAY);
    await quote('90');
    await pass(1_000);
    expect(await segments()).toMatchObject([
      { drawdown: '0.4', ended: true },
      { reason: 'gap', basis: 'hypothetical', start: '0.9', drawdown: '0', earlier: '0.4' },
    ]);
    expect(await figures()).toEqual(five(['0.9', '0']));
  });

  it.each([
    ['a stop of less than seven days', '1', 6 * DAY],
    ['a strategy without positions', '0', 8 * DAY],
  ])('does not for %s', async (_, percent, stopped) => {
    const { quote, pass, startAgain, segments } = await world('live', percent);
    await pass(MINUTE);
    await startAgain('live', stopped);
    await quote('90');
    await pass(1_000);
    expect(await segments()).toHaveLength(1);
  });

  it('is counted from the last minute in which the server ran, not from the last sample', async () => {
    const { pass, startAgain, segments } = await world('live');
    for (let day = 0; day < 10; day += 1) await pass(DAY);
    await startAgain('live', DAY);
    expect(await segments()).toHaveLength(1);
  });
});
