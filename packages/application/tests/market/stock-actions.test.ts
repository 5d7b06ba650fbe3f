import { setImmediate as hostPause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { silentFeed } from '@slipstream/adapter-memory/testing';
import {
  type Decimal,
  ONE,
  type Quote,
  type StrategyId,
  decimal,
  id,
  round18,
  sum,
  withBodies,
} from '@slipstream/domain';
import { StorageUnavailable } from '@slipstream/ports';
import { openMemory } from '@slipstream/adapter-memory';
import type { Caller } from '../../src/index.js';
import { QUOTES_AT_ONCE } from '../../src/market/quotes/quote-line.js';
import { type Fixture, fixture, text } from '../fixture.js';

const operator: Caller = { kind: 'operator' };

const hold = (world: Fixture, owner: Caller, strategyId: StrategyId, percent: string) =>
  world.app.newOrderAllocations(owner, {
    strategyId,
    allocations: [
      { stock: 'aapl', percent: decimal(percent) },
      { stock: 'msft', percent: decimal('0.1') },
    ],
    slippage: decimal('0'),
  });
const split = (world: Fixture, ratio: string) =>
  world.app.newStockAction(operator, {
    stock: 'aapl',
    kind: 'split',
    ratio: { newShares: decimal(ratio), oldShares: decimal('1') },
  });
const dividend = (world: Fixture, amount: string) =>
  world.app.newStockAction(operator, {
    stock: 'AAPL:NASDAQ',
    kind: 'cash_dividend',
    amount: decimal(amount),
  });
const settle = (world: Fixture, price: string) =>
  world.app.updateStocks(operator, {
    stocks: [{ stockId: 'aapl', stockStatus: 'delisted', settlePrice: decimal(price) }],
  });
const view = async ({ app }: Pick<Fixture, 'app'>, owner: Caller, strategyId: StrategyId) => {
  const { strategyValue, cash, version, positions } = await app.getPositions(owner, { strategyId });
  const held = positions.find(({ position }) => position.stockId === 'aapl');
  return {
    value: text(strategyValue),
    cash: text(cash),
    version,
    amount: text(held?.position.amount),
    average: text(held?.position.averagePrice),
    bid: text(held?.quote?.bid),
  };
};
const limitBuy = (world: Fixture, owner: Caller, strategyId: StrategyId, price: string) =>
  world.app.newOrder(owner, {
    strategyId,
    stock: 'aapl',
    action: 'buy',
    pricing: { type: 'limit', price: decimal(price) },
    size: { by: 'amount', amount: decimal('0.001') },
  });

/** A strategy long and one short of AAPL at 200. */
const twoStrategies = async (world: Fixture) => {
  const owner = await world.user('owner');
  const [long, short] = [await world.strategy(owner), await world.strategy(owner)];
  await world.quote('aapl', '199.9', '200');
  await world.quote('msft', '50');
  await hold(world, owner, long, '0.5');
  await hold(world, owner, short, '-0.5');
  return { owner, long, short };
};

describe('a split', () => {
  it('keeps every strategy_value', async () => {
    const world = await fixture();
    const { owner, long, short } = await twoStrategies(world);
    const before = [await view(world, owner, long), await view(world, owner, short)];
    await split(world, '4');
    const after = [await view(world, owner, long), await view(world, owner, short)];
    expect(after.map(({ value }) => value)).toEqual(before.map(({ value }) => value));
    expect(after.map(({ cash }) => cash)).toEqual(before.map(({ cash }) => cash));
    expect(after.map(({ amount }) => amount)).toEqual(['0.01', '-0.01']);
    expect(after.map(({ average }) => average)).toEqual(['50', '49.975']);
    expect(after.map(({ bid }) => bid)).toEqual(['49.975', '49.975']);
    expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version + 1));
  });

  it('turns open orders into new shares, which wait for the new price', async () => {
    const world = await fixture();
    const { owner, long } = await twoStrategies(world);
    await limitBuy(world, owner, long, '180');
    await split(world, '4');
    const [open] = await world.app.getOrders(owner, { strategyId: long });
    expect(open?.order).toMatchObject({
      pricing: { type: 'limit', price: decimal('45') },
      size: { by: 'amount', amount: decimal('0.004') },
    });
    world.ports.clock.advance(1);
    await world.quote('aapl', '45.01');
    expect(await world.app.getOrders(owner, { strategyId: long })).toHaveLength(1);
    world.ports.clock.advance(1);
    await world.quote('aapl', '44.9');
    expect(await world.app.getOrders(owner, { strategyId: long })).toHaveLength(0);
    const [trade] = await world.app.getTrades(owner, { strategyId: long });
    expect([trade?.price, trade?.amount].map(text)).toEqual(['45', '0.004']);
  });

  it('is published: the adjusted orders, and the position in full', async () => {
    const world = await fixture();
    const { owner, long } = await twoStrategies(world);
    await limitBuy(world, owner, long, '180');
    world.events.length = 0;
    await split(world, '2');
    const published = world.events.find(
      (event) => event.kind === 'book_changed' && event.strategyId === long,
    );
    if (published?.kind !== 'book_changed') throw new Error('the split was not told');
    expect(published.changes.map(({ kind }) => kind)).toEqual(['adjusted']);
    const positions = world.app.changedPositions(published)?.positions;
    expect(positions?.map(({ position }) => position.stockId)).toEqual(['aapl']);
    expect(world.events.some((event) => event.kind === 'value_changed')).toBe(false);
  });

  it('publishes no value that is equal in all shown places', async () => {
    const world = await fixture();
    const { owner, long } = await twoStrategies(world);
    world.app.watchValue(long);
    const { value } = await view(world, owner, long);
    world.events.length = 0;
    await split(world, '3');
    world.ports.clock.advance(1);
    await world.quote('aapl', '66.633333333333333333', '66.666666666666666667');
    expect((await view(world, owner, long)).value).not.toBe(value);
    const published = world.events.flatMap((event) =>
      event.kind === 'value_changed' ? text(event.value && round18(event.value)) : [],
    );
    expect(new Set(published).size).toBe(published.length);
    expect(published).not.toContain(text(round18(decimal(value ?? '0'))));
  });

  it('is stored with the quote that fits it, and survives a restart', async () => {
    const world = await fixture();
    const { owner, long } = await twoStrategies(world);
    const { value } = await view(world, owner, long);
    await world.app.tick();
    await split(world, '4');
    const app = await world.restart();
    expect(await view({ app }, owner, long)).toMatchObject({ value, bid: '49.975' });
  });

  /** A feed of its own, with what it says of splits, and what getStocks shows after each price that it quotes. */
  const ownFeed = async (quotesNewShares: boolean, meanwhile = (): void => undefined) => {
    let receive = (_: readonly Quote[]): void => undefined;
    const world = await fixture({
      pause: async () => {
        meanwhile();
        await hostPause();
      },
      marketFeed: {
        ...silentFeed(),
        acceptsQuotes: false,
        quotesNewShares,
        start: async (_, __, told) => {
          receive = told.quotes;
        },
      },
    });
    const bid = async () =>
      text((await world.app.getStocks(operator, { stocks: ['aapl'] }))[0]?.quote?.bid);
    /** The price of AAPL, after so many quotes of another stock in the same list. */
    const receiveAfter = (others: number, price: string): void => {
      world.ports.clock.advance(1);
      const [at, figure] = [world.ports.clock.now(), decimal(price)];
      const quotes = [...new Array<string>(others).fill('msft'), 'aapl'];
      receive(
        quotes.map((stock) => ({
          ...{ stockId: id<'stock'>(stock), bid: figure, ask: figure, last: figure, at },
        })),
      );
    };
    const quoted = (price: string) => {
      receiveAfter(0, price);
      return bid();
    };
    return { world, quoted, bid, receiveAfter };
  };

  it('rescales later quotes of a feed that does not know splits', async () => {
    const { world, quoted, bid } = await ownFeed(false);
    expect(await quoted('200')).toBe('200');
    await split(world, '4');
    expect(await bid()).toBe('50');
    expect(await quoted('204')).toBe('51');
    await split(world, '0.5');
    expect(await quoted('208')).toBe('104');
  });

  it('rescales quotes of such a feed that wait in line while it is done', async () => {
    let isOn = false;
    const feed = await ownFeed(false, () => {
      if (isOn) feed.receiveAfter(QUOTES_AT_ONCE, '200');
      isOn = false;
    });
    const { world } = feed;
    await feed.quoted('200');
    const owner = await world.user('owner');
    await limitBuy(world, owner, await world.strategy(owner), '100');
    isOn = true;
    await split(world, '4');
    for (let turn = 0; turn < 5; turn += 1) await hostPause();
    expect(await feed.bid()).toBe('50');
  });

  it('does not rescale quotes of a feed that knows splits, wherever they come from', async () => {
    const { world, quoted, bid } = await ownFeed(true);
    expect(await quoted('1000')).toBe('1000');
    await split(world, '10');
    expect(await bid()).toBe('100');
    expect(await quoted('100.5')).toBe('100.5');
  });

  it('is refused for an unknown stock, and when nothing would change', async () => {
    const world = await fixture();
    await expect(split(world, '1')).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(
      world.app.newStockAction(operator, {
        stock: 'none',
        kind: 'split',
        ratio: { newShares: decimal('2'), oldShares: decimal('1') },
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an action that a fault interrupts half-way', () => {
  /** A world whose storage refuses works from the moment that `fail` says how many more it takes. */
  const failing = async () => {
    const storage = openMemory();
    let left = Infinity;
    const world = await fixture({
      unitOfWork: {
        ...storage,
        run: async (work, options) => {
          if (left <= 0) throw new StorageUnavailable('full');
          left -= 1;
          return storage.run(work, options);
        },
      },
    });
    return { world, fail: (after: number) => (left = after), repair: () => (left = Infinity) };
  };

  // The action, then the two books, then the end: it can stop after each.
  it.each([1, 2, 3])('is finished by a later tick, each book once (%i)', async (works) => {
    const { world, fail, repair } = await failing();
    const { owner, long, short } = await twoStrategies(world);
    const before = [await view(world, owner, long), await view(world, owner, short)];
    fail(works);
    await expect(split(world, '4')).rejects.toThrow('full');
    repair();
    // No value is told that is neither the old nor the new one.
    expect((await view(world, owner, long)).value).toBeNull();
    await expect(split(world, '4')).rejects.toMatchObject({ code: 'conflict' });
    expect((await view(world, owner, long)).value).toBeNull();
    await world.app.tick();
    const after = [await view(world, owner, long), await view(world, owner, short)];
    expect(after.map(({ value }) => value)).toEqual(before.map(({ value }) => value));
    expect(after.map(({ amount }) => amount)).toEqual(['0.01', '-0.01']);
    await world.app.tick();
    expect(await view(world, owner, long)).toEqual(after[0]);
  });

  it.each([1, 2, 3])('is finished by the next start, before any request (%i)', async (works) => {
    const { world, fail, repair } = await failing();
    const { owner, long, short } = await twoStrategies(world);
    await world.app.tick();
    const before = [await view(world, owner, long), await view(world, owner, short)];
    fail(works);
    await expect(split(world, '4')).rejects.toThrow('full');
    repair();
    const app = await world.restart();
    const after = [await view({ app }, owner, long), await view({ app }, owner, short)];
    expect(after.map(({ value }) => value)).toEqual(before.map(({ value }) => value));
    expect(after.map(({ amount }) => amount)).toEqual(['0.01', '-0.01']);
  });

  it('is a dividend: nobody trades the stock until all are paid, as on the holdings of its time', async () => {
    const { world, fail, repair } = await failing();
    const { owner, long, short } = await twoStrategies(world);
    const later = await world.strategy(owner);
    fail(1);
    await expect(dividend(world, '2')).rejects.toThrow('full');
    repair();
    // One buys, one sells all that it has; MSFT trades on.
    await hold(world, owner, later, '0.5');
    await hold(world, owner, long, '0');
    expect((await view(world, owner, later)).amount).toBeNull();
    expect((await view(world, owner, long)).amount).toBe('0.0025');
    expect(await world.app.getTrades(owner, { strategyId: later })).toHaveLength(1);
    await world.app.tick();
    const paid = async (strategyId: StrategyId) =>
      (await world.app.getStockActions(owner, { strategyId })).map(({ cash }) => text(cash));
    expect([await paid(long), await paid(short), await paid(later)]).toEqual([
      ['0.005'],
      ['-0.005'],
      [],
    ]);
    expect((await view(world, owner, later)).amount).toBe('0.0025');
    expect((await view(world, owner, long)).amount).toBeNull();
  });

  it.each([
    ['a split', (world: Fixture) => split(world, '4')],
    ['a dividend', (world: Fixture) => dividend(world, '2')],
  ])('is %s that was refused: an order that came meanwhile executes', async (_kind, act) => {
    const storage = openMemory();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const world = await fixture({
      unitOfWork: {
        ...storage,
        run: async (work, options) => {
          const order = meanwhile;
          meanwhile = undefined;
          if (!order) return storage.run(work, options);
          await order();
          throw new StorageUnavailable('full');
        },
      },
    });
    const { owner } = await twoStrategies(world);
    const strategyId = await world.strategy(owner);
    meanwhile = () => limitBuy(world, owner, strategyId, '200');
    await expect(act(world)).rejects.toThrow('full');
    expect(await world.app.getTrades(owner, { strategyId })).toHaveLength(1);
  });

  it('does not keep the action of another stock', async () => {
    const storage = openMemory();
    const world = await fixture({
      unitOfWork: {
        ...storage,
        run: (work, options) =>
          storage.run((stores) => {
            const save: typeof stores.adjustments.save = async (row) => {
              if (row.stockId === 'aapl') throw new StorageUnavailable('this one never goes');
              return stores.adjustments.save(row);
            };
            return work({ ...stores, adjustments: { ...stores.adjustments, save } });
          }, options),
      },
    });
    const { owner, long } = await twoStrategies(world);
    await expect(dividend(world, '2')).rejects.toThrow('this one never goes');
    const other = { stock: 'msft', kind: 'cash_dividend', amount: decimal('1') } as const;
    await world.app.newStockAction(operator, other);
    const [paid] = await world.app.getStockActions(owner, { strategyId: long });
    expect([paid?.stockId, text(paid?.cash)]).toEqual(['msft', '0.002']);
  });

  it('has done nothing when it was refused at once', async () => {
    const { world, fail, repair } = await failing();
    const { owner, long } = await twoStrategies(world);
    const before = await view(world, owner, long);
    fail(0);
    await expect(split(world, '4')).rejects.toThrow('full');
    repair();
    await world.app.tick();
    expect(await view(world, owner, long)).toEqual(before);
  });
});

describe('a cash dividend', () => {
  it('is received by longs and paid by shorts, and is in the ledger', async () => {
    const world = await fixture();
    const { owner, long, short } = await twoStrategies(world);
    const before = [await view(world, owner, long), await view(world, owner, short)];
    await dividend(world, '2');
    const booked = async (strategyId: StrategyId) => {
      const [entry] = await world.app.getStockActions(owner, { strategyId });
      return text(entry?.cash);
    };
    expect([await booked(long), await booked(short)]).toEqual(['0.005', '-0.005']);
    const after = [await view(world, owner, long), await view(world, owner, short)];
    const gained = after.map(({ value }, at) =>
      decimal(value ?? '0')
        .minus(decimal(before[at]?.value ?? '0'))
        .toFixed(),
    );
    expect(gained).toEqual(['0.005', '-0.005']);
  });

  it('is shown in the position, also when that is closed', async () => {
    const world = await fixture();
    const { owner, long } = await twoStrategies(world);
    await dividend(world, '2');
    const { positions } = await world.app.getPositions(owner, { strategyId: long });
    const held = positions.find(({ position }) => position.stockId === 'aapl')?.position;
    expect(text(held?.dividends)).toBe('0.005');
    world.events.length = 0;
    await world.app.newOrderAllocations(owner, {
      strategyId: long,
      allocations: [{ stock: 'msft', percent: decimal('0.1') }],
      slippage: decimal('0'),
    });
    const published = world.events.find(({ kind }) => kind === 'book_changed');
    if (published?.kind !== 'book_changed') throw new Error('the fill was not told');
    const [closed] = world.app.changedPositions(published)?.positions ?? [];
    const { amount, realized, dividends } = closed?.position ?? {};
    // Bought at 200, sold at 199.9.
    expect([amount, realized, dividends].map(text)).toEqual(['0', '-0.00025', '0.005']);
  });

  it('does not affect a strategy that only has an order', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '200');
    await limitBuy(world, owner, strategyId, '180');
    await dividend(world, '2');
    expect(await world.app.getStockActions(owner, { strategyId })).toEqual([]);
  });

  it('is shown to the owner and active subscribers only', async () => {
    const world = await fixture();
    const { long } = await twoStrategies(world);
    const stranger = await world.user('stranger');
    await expect(world.app.getStockActions(stranger, { strategyId: long })).rejects.toMatchObject({
      code: 'not_owner',
    });
  });
});

describe('a delisting with a settle_price', () => {
  it('closes positions at the price and cancels the orders', async () => {
    const world = await fixture();
    const { owner, long, short } = await twoStrategies(world);
    await limitBuy(world, owner, long, '180');
    const { version } = await view(world, owner, long);
    await settle(world, '100');
    expect((await view(world, owner, long)).version).toBe(version + 1);
    for (const strategyId of [long, short]) {
      expect((await view(world, owner, strategyId)).amount).toBeNull();
      expect(await world.app.getOrders(owner, { strategyId })).toEqual([]);
    }
    const [trade] = await world.app.getTrades(owner, { strategyId: long });
    expect([trade?.action, text(trade?.price), text(trade?.feeTotal)]).toEqual([
      'sell',
      '100',
      '0',
    ]);
    const [cancelled] = await world.app.getOrders(owner, {
      strategyId: long,
      orderStatus: 'cancelled',
    });
    expect(cancelled?.order).toMatchObject({ reason: 'AAPL was delisted' });
  });

  it('cancels the orders at once, before the price is known', async () => {
    const world = await fixture();
    const { owner, long } = await twoStrategies(world);
    await limitBuy(world, owner, long, '180');
    const stocks = [{ stockId: 'aapl', stockStatus: 'delisted' }] as const;
    await world.app.updateStocks(operator, { stocks });
    const [cancelled] = await world.app.getOrders(owner, {
      strategyId: long,
      orderStatus: 'cancelled',
    });
    expect(cancelled?.order).toMatchObject({ reason: 'AAPL was delisted' });
    const left = await world.app.newOrderAllocations(owner, {
      strategyId: long,
      allocations: [],
      slippage: decimal('0'),
    });
    expect(left.map(({ order }) => order.stockId)).toEqual(['msft']);
    expect(await world.app.getOrders(owner, { strategyId: long })).toEqual([]);
    expect((await view(world, owner, long)).amount).toBe('0.0025');
  });

  it('can be worth nothing, and can come after the delisting', async () => {
    const world = await fixture();
    const { owner, long } = await twoStrategies(world);
    await world.app.updateStocks(operator, {
      stocks: [{ stockId: 'aapl', stockStatus: 'delisted' }],
    });
    expect((await view(world, owner, long)).amount).toBe('0.0025');
    await settle(world, '0');
    expect((await view(world, owner, long)).amount).toBeNull();
  });

  it("keeps the stock's names when the request spells them in other letters", async () => {
    const world = await fixture();
    const found = { symbol: 'aapl', exchange: 'nasdaq', stockStatus: 'delisted' } as const;
    const [changed] = await world.app.updateStocks(operator, { stocks: [found] });
    expect(changed?.stock).toMatchObject({
      id: 'aapl',
      symbol: 'AAPL',
      exchange: 'NASDAQ',
      status: 'delisted',
    });
  });

  it('is refused for a stock that is not delisted', async () => {
    const world = await fixture();
    await expect(
      world.app.updateStocks(operator, {
        stocks: [{ stockId: 'aapl', settlePrice: decimal('1') }],
      }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

describe('the track record', () => {
  interface Entry {
    readonly stock_id: string;
    readonly action?: 'buy' | 'sell';
    readonly amount?: string;
    readonly amount_after?: string;
  }
  /** What a reader of the record alone holds in the end. */
  const replayed = async (world: Fixture, owner: Caller, strategyId: StrategyId) => {
    const { entries } = await world.app.getTrackRecord(owner, { strategyId });
    const held = new Map<string, string>();
    for (const { body, kind } of withBodies(entries).toSorted(
      (first, second) => first.seq - second.seq,
    )) {
      if (kind === 'value') continue;
      const { stock_id, action, amount = '0', amount_after } = JSON.parse(body) as Entry;
      const before = decimal(held.get(stock_id) ?? '0');
      const signed = decimal(amount).times(decimal(action === 'sell' ? '-1' : '1'));
      held.set(stock_id, amount_after ?? before.plus(signed).toFixed());
    }
    return held;
  };

  it('records a delisting once, so that a replay ends flat', async () => {
    const world = await fixture();
    const { owner, long, short } = await twoStrategies(world);
    await split(world, '3');
    await dividend(world, '0.5');
    await settle(world, '12.5');
    for (const strategyId of [long, short]) {
      expect((await replayed(world, owner, strategyId)).get('aapl')).toBe('0');
    }
  });
});

describe('the ledger', () => {
  it('holds to the last digit over trades, splits, dividends and a delisting', async () => {
    const world = await fixture();
    const { owner, long, short } = await twoStrategies(world);
    await split(world, '3');
    await dividend(world, '0.333333333333333333');
    await hold(world, owner, long, '0.123456789');
    await hold(world, owner, short, '0.777');
    await split(world, '0.7');
    await dividend(world, '0.01');
    await settle(world, '12.345678');
    for (const strategyId of [long, short]) {
      const trades = await world.app.getTrades(owner, { strategyId });
      const actions = await world.app.getStockActions(owner, { strategyId });
      expect(actions).toHaveLength(5);
      const total = (action: 'buy' | 'sell'): Decimal =>
        sum(trades.filter((trade) => trade.action === action).map((trade) => trade.total));
      const cash = ONE.minus(total('buy'))
        .plus(total('sell'))
        .minus(sum(trades.map(({ feeTotal }) => feeTotal)))
        .minus(sum(trades.map(({ rounding }) => rounding)))
        .plus(sum(actions.map((action) => action.cash)));
      expect((await view(world, owner, strategyId)).cash).toBe(cash.toFixed());
    }
  });
});
