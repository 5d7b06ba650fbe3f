import { describe, expect, it } from '@jest/globals';
import { DAY, type ReportContent, type StrategyId, decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { userOf } from '../accounts.js';
import type { App } from '../app.js';
import { type Fixture, fixture } from '../fixture.js';
import { outcomesAmid } from '../interleavings.js';

interface World extends Fixture {
  readonly owner: Caller;
  readonly follower: Caller;
  readonly strategyId: StrategyId;
}

const holds = (app: App, { owner, strategyId }: World, stock?: string): Promise<unknown> =>
  app.newOrderAllocations(owner, {
    strategyId,
    allocations: stock === undefined ? [] : [{ stock, percent: decimal('0.5') }],
    slippage: decimal('0'),
  });

/** A strategy that traded AAPL for two days, and its follower. */
async function world(isPrivate: boolean): Promise<World> {
  const made = await fixture({
    reportPages: {
      *ofStrategy(content: ReportContent) {
        yield;
        return JSON.stringify(content);
      },
      // eslint-disable-next-line require-yield
      *ofBot() {
        throw new Error('not of a bot');
      },
    },
  });
  const { app } = made;
  const [owner, follower] = [await made.user('owner'), await made.user('follower')];
  const strategyId = await made.strategy(owner, { private: isPrivate });
  if (isPrivate)
    await app.updateStrategy(owner, { strategyId, invitedUserIds: [userOf(follower)] });
  await app.newStrategySubscription(follower, { strategyId, price: 0 });
  const begun = { ...made, owner, follower, strategyId };
  for (const stock of ['aapl', undefined]) {
    await made.quote('aapl', '100');
    await holds(app, begun, stock);
    made.ports.clock.advance(DAY);
    await app.tick();
  }
  return begun;
}

type Ask = (app: App, world: World) => Promise<unknown>;

/** Those that read more than once. */
const READS: Readonly<Record<string, Ask>> = {
  getReport: (app, { follower, strategyId }) => app.getReport(follower, { strategyId }),
  getStrategyStatistics: (app, { follower, strategyId }) =>
    app.getStrategyStatistics(follower, { strategyId }),
  'getTrackRecord with its proof': (app, { follower, strategyId }) =>
    app.getTrackRecord(follower, { strategyId, proof: true }),
};

const ENDS: readonly (readonly [name: string, isPrivate: boolean, end: Ask])[] = [
  [
    'deleteStrategySubscription',
    false,
    (app, { follower, strategyId }) => app.deleteStrategySubscription(follower, { strategyId }),
  ],
  [
    'its owner excludes a follower',
    true,
    (app, { owner, follower, strategyId }) =>
      app.deleteStrategySubscription(owner, { strategyId, userId: userOf(follower) }),
  ],
];

/** Buys and sells a stock that the strategy never had. */
async function tradesOn(app: App, world: World): Promise<void> {
  const price = decimal('100');
  const quotes = [{ stock: 'msft', bid: price, ask: price, last: price }];
  await app.newQuotes({ kind: 'operator' }, { quotes });
  await holds(app, world, 'msft');
  await holds(app, world);
}

describe('at every moment of a reading of a strategy', () => {
  const pairs = ENDS.flatMap(([end, isPrivate, ends]) =>
    Object.entries(READS).map(([read, reads]) => ({ read, reads, end, isPrivate, ends })),
  );

  it.each(pairs)(
    'the end of the access hides what is traded after it: $read, amid it $end',
    async ({ reads, isPrivate, ends }) => {
      const answers = new Map<World, unknown>();
      const outcomes = await outcomesAmid({
        begin: () => world(isPrivate),
        flow: async (app, begun) => void answers.set(begun, await reads(app, begun)),
        async other(app, begun) {
          await ends(app, begun);
          await tradesOn(app, begun);
        },
        outcome: async (_, begun) => ({
          tellsLater: /msft/i.test(JSON.stringify(answers.get(begun) ?? null)),
        }),
      });
      expect(outcomes.filter(({ became }) => became.tellsLater)).toEqual([]);
    },
  );
});

describe('the end of a day at every moment of newAnchor', () => {
  it('has every day anchored, once', async () => {
    const outcomes = await outcomesAmid({
      begin: () => world(false),
      flow: (app) => app.newAnchor({ kind: 'operator' }, {}),
      async other(app, { ports: { clock } }) {
        clock.advance(DAY);
        await app.tick();
      },
      async outcome(app, { ports: { unitOfWork } }) {
        await app.newAnchor({ kind: 'operator' }, {});
        const anchors = await unitOfWork.read((stores) => stores.anchors.listFrom('', 9));
        return anchors.map(({ day }) => day);
      },
    });
    expect(outcomes.map(({ became }) => became)).toEqual([
      ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08'],
    ]);
  });
});
