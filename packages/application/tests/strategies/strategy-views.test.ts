import { describe, expect, it } from '@jest/globals';
import {
  type StrategyId,
  type StrategyView,
  byListingKey,
  decimal,
  id,
  MINUTE,
  HOUR,
  DAY,
  listingKey,
  TIMEFRAMES,
  type Timeframe,
} from '@slipstream/domain';
import fc from 'fast-check';
import { type Caller, DEFAULT_SETTINGS, LiveState } from '../../src/index.js';
import { type App, createApp } from '../app.js';
import { PerformanceCache } from '../../src/performance/performance-cache.js';
import { rankStrategies } from '../../src/performance/ranks/rank-strategies.js';
import { Catalogue } from '../../src/strategies/catalogue.js';
import { RankChanges } from '../../src/performance/ranks/rank-changes.js';
import { Ranking } from '../../src/performance/ranks/ranking.js';
import { viewStrategies } from '../../src/strategies/strategy-views.js';
import { fixture } from '../fixture.js';

/** How many times more than `npm test` asks for; `npm run verify` says 60. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

/** Waits that end at, before and after what matters: minutes, sealed buckets, the ends of timeframes. */
const waits = [
  1,
  59_999,
  MINUTE,
  5 * MINUTE,
  HOUR,
  13 * HOUR,
  DAY - MINUTE,
  DAY,
  7 * DAY,
  31 * DAY,
];

const which = fc.nat({ max: 2 });
const change = fc.oneof(
  fc.record({ kind: fc.constant('quote' as const), price: fc.integer({ min: 50, max: 150 }) }),
  fc.record({ kind: fc.constant('sample' as const), price: fc.integer({ min: 50, max: 150 }) }),
  fc.record({
    kind: fc.constant('trade' as const),
    which,
    percent: fc.constantFrom('0', '0.5', '1'),
  }),
  fc.record({ kind: fc.constant('wait' as const), time: fc.constantFrom(...waits) }),
  fc.record({ kind: fc.constant('upkeep' as const) }),
  fc.record({ kind: fc.constant('rank' as const) }),
  fc.record({ kind: fc.constant('rename' as const), which, isPrivate: fc.boolean() }),
  fc.record({ kind: fc.constant('follow' as const), which }),
  fc.record({ kind: fc.constant('leave' as const), which }),
  fc.record({ kind: fc.constant('name' as const), name: fc.constantFrom('', 'Ada', 'Bob') }),
);

const ANYBODY: Caller = { kind: 'anonymous' };
const idsOf = (views: readonly StrategyView[]) => views.map(({ strategy }) => strategy.id);

const quote = (app: App, figure: number) => {
  const price = decimal(String(figure));
  const quotes = [{ stock: 'aapl', bid: price, ask: price, last: price }];
  return app.newQuotes({ kind: 'operator' }, { quotes });
};
const trade = (app: App, owner: Caller, strategyId: StrategyId, percent: string) =>
  app.newOrderAllocations(owner, {
    strategyId,
    allocations: [{ stock: 'aapl', percent: decimal(percent) }],
    slippage: decimal('0'),
  });

/** The application with what views are made of at hand, and three strategies, of which two hold a stock. */
async function world() {
  const made = await fixture();
  const { ports } = made;
  const live = new LiveState(ports.tradingHours, 60_000);
  const app = createApp(ports, undefined, live);
  await app.start();
  const [owner, fan] = [await made.user('owner'), await made.user('fan')];
  const strategyIds = await Promise.all(
    ['one', 'two', 'three'].map(
      async (name) => (await app.newStrategy(owner, { type: 'stock', name })).strategy.id,
    ),
  );
  const core = {
    ...ports,
    live,
    performances: new PerformanceCache(),
    ranking: new Ranking(),
    rankChanges: new RankChanges(),
    catalogue: new Catalogue(),
    settings: DEFAULT_SETTINGS,
  };
  const rank = rankStrategies(core);
  const packed = new PerformanceCache(1);
  const views = (performances: PerformanceCache, timeframe?: Timeframe) =>
    ports.unitOfWork.read(async (stores) =>
      viewStrategies(
        { ...core, performances },
        stores,
        await stores.strategies.list(strategyIds),
        timeframe,
      ),
    );
  await quote(app, 100);
  for (const strategyId of strategyIds.slice(0, 2)) await trade(app, owner, strategyId, '1');
  return {
    ports,
    app,
    owner,
    fan,
    strategyIds,
    kept: (timeframe?: Timeframe) => views(core.performances, timeframe),
    /** The same, while nearly every history rests. */
    packed: (timeframe?: Timeframe) => views(packed, timeframe),
    /** The ranks as a process computes them that knows nothing yet. */
    async ranksAnew() {
      const anew = {
        ...core,
        performances: new PerformanceCache(),
        ranking: new Ranking(),
        rankChanges: new RankChanges(),
        catalogue: new Catalogue(),
      };
      await rankStrategies(anew)();
      return anew;
    },
    fresh: (timeframe?: Timeframe) => views(new PerformanceCache(), timeframe),
    rank: () => {
      // These ranks do not hear of the commits of the application.
      for (const strategyId of strategyIds) core.rankChanges.records.add(strategyId);
      return rank();
    },
  };
}

type World = Awaited<ReturnType<typeof world>>;
type Change = typeof change extends fc.Arbitrary<infer Made> ? Made : never;

async function make({ ports, app, owner, fan, strategyIds, rank }: World, made: Change) {
  const strategyId = strategyIds['which' in made ? made.which : 0] ?? id<'strategy'>('none');
  switch (made.kind) {
    case 'quote':
      return quote(app, made.price);
    case 'sample':
      ports.clock.advance(MINUTE);
      await quote(app, made.price);
      return app.tick();
    case 'trade':
      return trade(app, owner, strategyId, made.percent);
    case 'wait':
      return ports.clock.advance(made.time);
    case 'upkeep':
      return app.tick();
    case 'rank':
      return rank();
    case 'rename':
      return app.updateStrategy(owner, { strategyId, name: 'new', private: made.isPrivate });
    case 'follow':
      return app.newStrategySubscription(fan, { strategyId });
    case 'leave':
      return app.deleteStrategySubscription(fan, { strategyId });
    case 'name':
      return app.updateUserInfo(owner, { name: made.name });
  }
}

describe('views of strategies', () => {
  it('are the same as without a cache, after any change and at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
        const around = await world();
        for (const one of changes) {
          // What is refused changes nothing: a private strategy has no new followers.
          await Promise.resolve(make(around, one)).catch(() => undefined);
          for (const timeframe of [undefined, ...TIMEFRAMES]) {
            const fresh = JSON.stringify(await around.fresh(timeframe));
            expect(JSON.stringify(await around.kept(timeframe))).toBe(fresh);
            expect(JSON.stringify(await around.packed(timeframe))).toBe(fresh);
          }
        }
      }),
      { numRuns: 8 * MORE },
    );
  });

  it('have the ranks and the order of recommendation that a computation of all strategies gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
        const around = await world();
        const { app, owner, strategyIds } = around;
        for (const one of changes) {
          await Promise.resolve(make(around, one)).catch(() => undefined);
          around.ports.clock.advance(MINUTE);
          await app.rankStrategies();
          const { ranking, catalogue } = await around.ranksAnew();
          const views = await app.getStrategies(owner, { strategyIds });
          for (const timeframe of TIMEFRAMES) {
            const ranksOf = (strategyId: StrategyId) => ranking.ranksOf(strategyId, timeframe);
            for (const { strategy, timeframes } of views) {
              const over = timeframes.find((figures) => figures.timeframe === timeframe);
              const { performance, popular, trending, top } = ranksOf(strategy.id);
              expect(
                [over?.rankPerformance, over?.rankPopular, over?.rankTrending, over?.rankTop].map(
                  String,
                ),
              ).toEqual([performance, popular, trending, top].map(String));
            }
            const recommended = await app.getRecommendedStrategies(ANYBODY, { timeframe });
            expect(idsOf(recommended)).toEqual(
              [...ranking.candidates(timeframe)].map(({ strategyId }) => strategyId),
            );
            for (const sort of ['return', 'drawdown', 'followers'] as const) {
              const keyOf = listingKey(sort, timeframe, ranksOf);
              const found = await app.findStrategies(ANYBODY, { sort, timeframe });
              expect(idsOf(found)).toEqual(
                catalogue
                  .all()
                  .map((listing) => ({ listing, key: keyOf(listing) }))
                  .sort(byListingKey)
                  .map(({ listing }) => listing.strategyId),
              );
            }
          }
        }
      }),
      { numRuns: 8 * MORE },
    );
  });

  it('tell the value, the returns to it, the whole days and the name of the owner', async () => {
    const around = await world();
    const figures = async () => {
      const [view] = await around.kept('day');
      const [day] = view?.timeframes ?? [];
      return [view?.value, day?.return, view?.ageDays, view?.ownerName].map(String);
    };
    expect(await figures()).toEqual(['1', '0', '0', 'null']);
    await make(around, { kind: 'quote', price: 125 });
    await make(around, { kind: 'name', name: 'Ada' });
    expect(await figures()).toEqual(['1.25', '0.25', '0', 'Ada']);
    await make(around, { kind: 'wait', time: DAY - 1 });
    expect((await figures())[2]).toBe('0');
    await make(around, { kind: 'wait', time: 1 });
    expect((await figures())[2]).toBe('1');
    await make(around, { kind: 'name', name: '' });
    expect((await figures())[3]).toBe('null');
  });

  it('of a new strategy begin with the value 1', async () => {
    const { app, owner } = await world();
    const view = await app.newStrategy(owner, { type: 'stock', name: 'three' });
    expect(String(view.value)).toBe('1');
    expect(view.timeframes.map((over) => String(over.return))).toEqual(Array(5).fill('0'));
  });

  it('stay the same objects while their content is unchanged', async () => {
    const around = await world();
    const [one, two] = await around.kept();
    await make(around, { kind: 'wait', time: 1000 });
    await make(around, { kind: 'rename', which: 0, isPrivate: false });
    const [renamed, same] = await around.kept();
    expect(renamed).not.toBe(one);
    expect(same).toBe(two);
    await make(around, { kind: 'follow', which: 1 });
    expect((await around.kept())[1]?.subscriberCount).toBe(1);
    const month = await around.kept('month');
    expect((await around.kept('month'))[1]).toBe(month[1]);
  });
});
