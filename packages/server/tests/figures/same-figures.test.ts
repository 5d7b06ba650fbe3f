import { afterEach, beforeAll, describe, expect } from '@jest/globals';
import { DAY } from '@slipstream/domain';
import type { OperationName, ResponseOf } from '@slipstream/wire';
import fc from 'fast-check';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';
import { STOCKS, type Step, type Variation, playStory, storiesOf } from './story.js';
import { type Figures, toldFigures } from './told-figures.js';

/** How many stories more than `npm test` asks for; `npm run verify` says 150. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const [AAPL, IBM, MSFT] = STOCKS;

const SCALES: Readonly<Record<string, Variation>> = {
  'when all prices are twice as high': { scale: '2' },
  'when all prices are a tenth': { scale: '0.1' },
};
const OTHERS: Readonly<Record<string, Variation>> = {
  'when everything happens two weeks later': { weeks: 2 },
  'when its stocks have the names of each other': { stocks: [IBM, MSFT, AAPL] },
  'whatever others do before and beside it': { hasOthers: true },
  'whoever looks at it': { isWatched: true },
  'when each quote comes twice': { isQuotedTwice: true },
  'when each command comes twice under one key': { isSentTwice: true },
};

const together = (all: Readonly<Record<string, Variation>>): Variation =>
  Object.assign({}, ...Object.values(all)) as Variation;
/** One after another where there is time for it. */
const VARIATIONS: Readonly<Record<string, Variation>> =
  MORE > 1
    ? { ...SCALES, ...OTHERS }
    : {
        'when all prices are a tenth': together(SCALES),
        'at another time, by other names, among others, watched, and when everything is sent twice':
          together(OTHERS),
      };

async function figuresOf(story: readonly Step[], variation: Variation): Promise<Figures> {
  const played = await playStory(story, variation);
  try {
    return await toldFigures(played);
  } finally {
    await played.server.close();
  }
}

const it = itOne('it compares servers of one process');

describe.each(fc.sample(storiesOf(4, 5), MORE).map((story) => [story] as const))(
  'the figures of a strategy and its bots are the same',
  (story) => {
    let plain: Figures | undefined;
    beforeAll(async () => {
      plain = await figuresOf(story, {});
    });

    it.each(Object.keys(VARIATIONS))('%s', async (name) => {
      const variation = VARIATIONS[name] ?? {};
      const told = await figuresOf(story, variation);
      // Bots trade in whole steps of shares, so that their amounts do not scale.
      const expected = variation.scale === undefined ? plain : { ...plain, bots: told.bots };
      expect(told).toEqual(expected);
    });
  },
);

const FIRST = { [AAPL]: 200, [IBM]: 100, [MSFT]: 400 };

/** A server with an owner of strategies. */
interface World extends ComposedServer {
  does<Name extends OperationName>(
    this: void,
    name: Name,
    fields: object,
  ): Promise<ResponseOf<Name>>;
  strategy(this: void): Promise<string>;
  /** A day with this price. */
  day(this: void, prices: Readonly<Record<string, number>>): Promise<void>;
  /** What is told of a strategy, but for its ids. */
  told(this: void, strategyId: string): Promise<unknown>;
}

const worlds: ComposedServer[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function newWorld(): Promise<World> {
  const server = await composedServer();
  worlds.push(server);
  const owner = await server.user('owner');
  const does: World['does'] = (name, fields) => server.ask(name, { ...fields }, owner);
  const quoted = (prices: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(prices).map(([stock, price]) => [stock, [price, price + 0.1] as const]),
    );
  await server.quotes(quoted(FIRST));
  const costs = { stock_id: IBM, fee: '0.001' };
  await server.ask('updateStocks', { stocks: [costs] }, OPERATOR_TOKEN);
  return {
    ...server,
    does,
    strategy: async () => (await does('newStrategy', { type: 'stock', name: 'Mine' })).strategy_id,
    async day(prices) {
      await server.quotes(quoted(prices));
      await server.application.background.tick();
      server.clock.advance(DAY);
    },
    async told(strategy_id) {
      const { cash, positions } = await does('getPositions', { strategy_id });
      const { strategy_id: _, ...statistics } = await does('getStrategyStatistics', {
        ...{ strategy_id, min_n: 2 },
      });
      const held = positions.map((one) => [
        ...[one.stock_id, one.amount, one.value, one.percent, one.average_price],
        ...[one.realized, one.unrealized, one.dividends],
      ]);
      const trades = await does('getTrades', { strategy_id });
      const values = trades.map((one) => [one.stock_id, one.action, one.amount, one.total]);
      return { cash, positions: held, statistics, trades: values };
    },
  };
}

describe('a trade gives the same figures', () => {
  it('as a target, as an alert, as an order and as a plan', async () => {
    const { does, strategy, day, told } = await newWorld();
    const ids = [await strategy(), await strategy(), await strategy(), await strategy()];
    const [target, alert, order, plan] = ids.map((strategy_id) => ({ strategy_id }));
    const allocations = [{ stock_id: IBM, percent: 0.73 }];
    const [planned] = await does('newOrderAllocations', { ...target, allocations });
    const stock_id = planned?.stock_id;
    const bought = { stock_id, action: 'buy', amount: planned?.amount };
    await does('newOrderWebhook', { ...alert, stock_id, action: 'buy', leverage: 0.73 });
    await does('newOrder', { ...order, ...bought });
    const { plan_id } = await does('preparePlan', {
      ...{ operation: 'newOrder', body: { ...plan, ...bought } },
    });
    await does('commitPlan', { plan_id });
    for (const price of [98, 103, 101]) await day({ [IBM]: price });
    const [one, ...others] = await Promise.all(ids.map(told));
    for (const other of others) expect(other).toEqual(one);
  });

  it('in one batch and one after another', async () => {
    const { does, strategy, day, told } = await newWorld();
    const [batch, single] = [await strategy(), await strategy()];
    const allocations = [
      { stock_id: AAPL, percent: 0.3 },
      { stock_id: MSFT, percent: -0.4 },
      { stock_id: IBM, percent: 0.5 },
    ];
    const orders = await does('newOrderAllocations', { strategy_id: batch, allocations });
    for (const { stock_id, action, amount } of orders)
      await does('newOrder', { strategy_id: single, stock_id, action, amount });
    for (const price of [198, 203]) await day({ [AAPL]: price, [MSFT]: 2 * price });
    expect(await told(single)).toEqual(await told(batch));
  });

  it.each([
    [2, 1],
    [1, 4],
  ])('before and after a split of %i for %i', async (more, less) => {
    const ratio = more / less;
    const figures = async (isFirst: boolean) => {
      const { does, strategy, day, told, ask, quotes } = await newWorld();
      const strategy_id = await strategy();
      const split = async () => {
        const shares = { new_shares: more, old_shares: less };
        await ask('newStockAction', { stock_id: AAPL, kind: 'split', ...shares }, OPERATOR_TOKEN);
        await quotes({ [AAPL]: 200 / ratio });
      };
      await quotes({ [AAPL]: 200 });
      const unit = isFirst ? ratio : 1;
      const order = { strategy_id, stock_id: AAPL };
      if (isFirst) await split();
      await does('newOrder', { ...order, action: 'buy', amount: `${0.004 * unit}` });
      const limit = { type: 'limit', price: 240 / unit, amount: `${0.001 * unit}` };
      await does('newOrder', { ...order, action: 'sell', ...limit });
      if (!isFirst) await split();
      for (const price of [220, 250]) await day({ [AAPL]: price / ratio });
      const { trades: _, ...shown } = (await told(strategy_id)) as Record<string, unknown>;
      return shown;
    };
    expect(await figures(true)).toEqual(await figures(false));
  });
});

describe('an account holds the same', () => {
  it('by leverage and by the parts of its strategies, and after a pause without a trade', async () => {
    const { does, strategy, quotes, clock, application } = await newWorld();
    const strategy_id = await strategy();
    const bots: string[] = [];
    for (const [name, percent, leverage] of [
      ['leverage', '1', '1.5'],
      ['parts', '1.5', '1'],
      ['paused', '1.5', '1'],
    ] as const) {
      const account = { name, account_id: name, credentials: { starting_balance: '10000' } };
      const given = { type: 'stock', broker: 'simulated', leverage, ...account };
      const allocations = [{ strategy_id, percent }];
      bots.push((await does('newBot', { ...given, allocations })).bot_id);
    }
    for (const bot_id of bots) await does('startBot', { bot_id });
    for (const [at, percent] of [0.5, -0.3, 0.9].entries()) {
      await quotes({ ...FIRST, [MSFT]: 400 + at * 10 });
      for (const mode of ['paused', 'normal']) {
        await does('updateBot', { bot_id: bots[2], mode });
        await application.background.runBots();
      }
      await does('newOrderAllocations', {
        ...{ strategy_id, allocations: [{ stock_id: MSFT, percent }] },
      });
      for (let minute = 0; minute < 3; minute += 1) {
        clock.advance(61_000);
        await quotes({ ...FIRST, [MSFT]: 400 + at * 10 });
        await application.background.runBots();
      }
      const [one, ...others] = await Promise.all(
        bots.map((bot_id) => does('getBotAccount', { bot_id })),
      );
      expect(one?.positions).toHaveLength(1);
      for (const other of others) expect(other).toEqual(one);
    }
  });
});
