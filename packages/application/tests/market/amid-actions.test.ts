import { describe, expect, it } from '@jest/globals';
import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import { openMemory } from '@slipstream/adapter-memory';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import {
  DAY,
  HOUR,
  type Market,
  ONE,
  type Quote,
  type SourcedAction,
  type StockId,
  decimal,
  id,
} from '@slipstream/domain';
import { aQuote } from '@slipstream/port-contracts';
import type { App } from '../app.js';
import { outcomesOf } from '../crashes.js';
import { STOCKS, fixture, text } from '../fixture.js';
import { Moments, wrongMoments } from '../moments.js';
import { AAPL, DUE, anAction, dividend, none, operator, scene } from './announced-scene.js';

const paid = anAction({ ...dividend, stockId: id('msft') });
const split = anAction({ sourceId: 'source-2', dueAt: DUE + DAY });

describe('at every moment at which a due action is processed', () => {
  it('an action that its source announces then is booked at its own time', async () => {
    const wrong = await wrongMoments(async (moments) => {
      const { announce, clock, source, world, view } = await scene((storage) =>
        moments.watched(storage),
      );
      const { app } = world;
      await announce(paid);
      clock.advance(DUE - clock.now());
      source(paid, split);
      await moments.amid(
        () => app.followMarket(),
        () => app.tick(),
      );
      clock.advance(DAY);
      await app.tick();
      return (await view()).cashOf.length === 1;
    });
    expect(wrong).toEqual([]);
  });
});

describe('a stock that the operator sets active', () => {
  it.each([
    ['before its transaction', 1],
    ['before the request goes on after it', 2],
  ])('is held by another announced action that comes due %s', async (_, moment) => {
    const moments = new Moments(moment);
    const { announce, clock, says, world, view } = await scene((storage) =>
      moments.watched(storage),
    );
    const { app } = world;
    const merger = anAction({ kind: 'other', name: 'cash merger', ...none });
    await announce(merger, { ...merger, sourceId: 'source-2', dueAt: DUE + DAY });
    clock.advance(DUE - clock.now());
    await app.tick();
    await moments.amid(
      () => {
        clock.advance(DAY);
        return app.tick();
      },
      () => says('active'),
    );
    const rows = await world.ports.unitOfWork.read(({ announcedActions }) =>
      announcedActions.open(),
    );
    const isHeld = rows.some(({ status }) => status === 'held');
    expect((await view()).status).toBe(isHeld ? 'halted' : 'active');
  });
});

describe('at every moment of a split', () => {
  it('a strategy that had nothing of the stock orders in the shares of before until the split is done', async () => {
    const wrong = await wrongMoments(async (moments) => {
      const { splitByHand, world } = await scene((storage) => moments.watched(storage));
      const { app, ports } = world;
      const other = await world.user('other');
      const strategyId = await world.strategy(other);
      let isDone = true;
      await moments.amid(
        async () => {
          await app.newOrder(other, {
            strategyId,
            stock: 'aapl',
            action: 'buy',
            pricing: { type: 'limit', price: decimal('160') },
            size: { by: 'amount', amount: decimal('0.001') },
          });
          isDone = await ports.unitOfWork.read(async ({ stockActions }) => {
            const [split] = await stockActions.ofStock(AAPL, 0);
            return split?.status === 'done';
          });
        },
        () => splitByHand('4'),
      );
      // In new shares the order is far above the price.
      const [trade] = await app.getTrades(other, { strategyId });
      return isDone || trade === undefined;
    });
    expect(wrong).toEqual([]);
  });
});

/** Three strategies that rest an order for AAPL at 160 while it costs 200: one holds half of its value, one is short. A bot mirrors the first. */
async function mirrored(announced: readonly SourcedAction[]) {
  const unitOfWork = openMemory();
  const { clock, ids } = memoryPorts();
  const price = { now: decimal('200') };
  const quote = (stockId: StockId): Quote =>
    aQuote({ stockId, bid: price.now, ask: price.now, last: price.now, at: clock.now() });
  const market = (): Market => ({
    now: clock.now(),
    stock: (stockId) => STOCKS.find((stock) => stock.id === stockId),
    quote,
    freshQuote: quote,
    session: () => ({ opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER }),
  });
  const broker = simulatedBroker({ unitOfWork, ids, market });
  const made = await fixture({
    unitOfWork,
    clock,
    ids,
    brokers: new Map([[broker.name, broker]]),
    announcedActions: {
      source: 'own',
      between: async (_, from, to) => {
        const actions = announced.filter(({ dueAt }) => dueAt >= from && dueAt < to);
        return { actions, unanswered: [] };
      },
    },
  });
  const { app } = made;
  const owner = await made.user('owner');
  await made.quote('aapl', '200');
  const strategies: string[] = [];
  for (const percent of ['0.5', '-0.25', '0']) {
    const strategyId = await made.strategy(owner);
    strategies.push(strategyId);
    await app.newOrderAllocations(owner, {
      strategyId,
      allocations: [{ stock: 'aapl', percent: decimal(percent) }],
      slippage: decimal('0'),
    });
    await app.newOrder(owner, {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      pricing: { type: 'limit', price: decimal('160') },
      size: { by: 'amount', amount: decimal('0.001') },
    });
  }
  const { id: botId } = await app.newBot(owner, {
    type: 'stock',
    broker: broker.name,
    allocations: [{ strategyId: strategies[0] ?? '', percent: ONE }],
    credentials: { starting_balance: '10000' },
  });
  await app.startBot(owner, { botId });
  await app.runBots();
  return { ...made, price, owner, strategies, botId };
}
type Mirrored = Awaited<ReturnType<typeof mirrored>>;
type Act = (app: App, world: Mirrored) => Promise<unknown>;

/** What the strategies and the bot have, a minute after the stock is quoted at that price. */
async function holdingsAt(app: App, { ports, price, owner, strategies, botId }: Mirrored) {
  for (const step of [0, 1_000, 60_000]) {
    ports.clock.advance(step);
    const quote = { bid: price.now, ask: price.now, last: price.now };
    await app.newQuotes(operator, { quotes: [{ stock: 'aapl', ...quote }] });
    await app.tick();
    await app.runBots();
  }
  const books = await Promise.all(
    strategies.map(async (strategyId) => {
      const { cash, positions } = await app.getPositions(owner, { strategyId });
      const orders = await app.getOrders(owner, { strategyId });
      const actions = await app.getStockActions(owner, { strategyId });
      return [
        [text(cash), ...positions.map(({ position }) => text(position.amount))],
        orders.map(({ order: { pricing } }) => pricing.type === 'limit' && text(pricing.price)),
        actions.map((one) => `${one.kind} ${text(one.cash)}`),
      ];
    }),
  );
  const account = await app.getBotAccount(owner, { botId });
  return {
    books,
    account: [text(account.cash), ...account.positions.map(({ amount }) => text(amount))],
    orders: (await app.getBotOrders(owner, { botId })).length,
  };
}

describe('a crash at any moment of a corporate action', () => {
  const asked =
    (command: Parameters<App['newStockAction']>[1]): Act =>
    (app) =>
      app.idempotently(
        { caller: 'operator', route: 'newStockAction', key: 'key', body: '' },
        (operations) => operations.newStockAction(operator, command),
        JSON.stringify,
      );
  const split = asked({
    stock: 'aapl',
    kind: 'split',
    ratio: { newShares: decimal('4'), oldShares: ONE },
  });
  const paid = asked({ stock: 'aapl', kind: 'cash_dividend', amount: decimal('2') });
  const delisting: Act = (app) =>
    app.updateStocks(operator, {
      stocks: [{ stockId: 'aapl', stockStatus: 'delisted', settlePrice: decimal('10') }],
    });
  const followed: Act = async (app, { ports: { clock } }) => {
    clock.advance(HOUR);
    await app.followMarket();
    clock.advance(Math.max(0, DUE - clock.now()));
    await app.tick();
  };

  const afterSplit = {
    books: [
      [['0.5', '0.01'], ['40'], ['split 0']],
      [['1.25', '-0.005'], ['40'], ['split 0']],
      [['1'], ['40'], ['split 0']],
    ],
    account: ['5000', '100'],
    orders: 1,
  };
  const afterDividend = {
    books: [
      [['0.505', '0.0025'], ['160'], ['cash_dividend 0.005']],
      [['1.2475', '-0.00125'], ['160'], ['cash_dividend -0.0025']],
      [['1'], ['160'], []],
    ],
    account: ['5050', '25'],
    orders: 1,
  };
  const afterDelisting = {
    books: [
      [['0.525'], [], ['delisting 0']],
      [['1.2375'], [], ['delisting 0']],
      [['1'], [], ['delisting 0']],
    ],
    account: ['5250'],
    orders: 1,
  };

  it.each<[string, readonly SourcedAction[], Act, string, object]>([
    ['a split', [], split, '50', afterSplit],
    ['a dividend', [], paid, '198', afterDividend],
    ['a delisting', [], delisting, '10', afterDelisting],
    ['a split that is announced', [anAction()], followed, '50', afterSplit],
    ['a dividend that is announced', [anAction(dividend)], followed, '198', afterDividend],
  ])('%s is booked once in every book and account', async (_, announced, act, price, became) => {
    const outcomes = await outcomesOf<Mirrored>({
      begin: () => mirrored(announced),
      flow: act,
      async outcome(next, world) {
        await act(next, world).catch((error: unknown) => {
          // The operator is told that it is being done, or was.
          expect(error).toMatchObject({ name: 'Refusal' });
        });
        world.price.now = decimal(price);
        return holdingsAt(next, world);
      },
    });
    expect(outcomes).toEqual([became]);
  });
});
