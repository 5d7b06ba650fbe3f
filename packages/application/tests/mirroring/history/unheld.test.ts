import { describe, expect, it } from '@jest/globals';
import type { SimulatedOptions } from '@slipstream/adapter-broker-simulated';
import {
  type AccountBucket,
  type Bot,
  type StockAction,
  DAY,
  MINUTE,
  decimal,
  id,
} from '@slipstream/domain';
import { aQuote } from '@slipstream/port-contracts';
import type { NewBot } from '../../../src/mirroring/index.js';
import { ACME, BOLT, DARING, STEADY, type BotWorld, aBotWorld } from '../bot-world.js';

/** Losses that are measured make flows known. */
const MEASURED = { maxDrawdown: decimal('0.9') };

const minute = async (world: BotWorld): Promise<void> => {
  world.clock.advance(MINUTE);
  await world.run();
};

/** A strategy with half in ACME, which a list of its bot forbids. */
async function denied(): Promise<{ readonly world: BotWorld; readonly bot: Bot }> {
  const world = await aBotWorld();
  world.price(ACME, '100');
  await world.hold(STEADY, '0.5', { acme: '0.005' });
  const bot = await world.start({ limits: MEASURED, denyStocks: [ACME] });
  await world.run();
  return { world, bot };
}

const historyOf = (world: BotWorld, { id: botId }: Bot): Promise<AccountBucket[]> =>
  world.unitOfWork.read(({ botHistory }) => botHistory.list(botId, 0));

/** The last minute in parts of the equity before it: the account's return less its target's, and what of it was not held. */
async function lastOf(world: BotWorld, bot: Bot) {
  const [before, last] = (await historyOf(world, bot)).slice(-2);
  if (!before?.target || !last?.target || !last.unheld) throw new Error('no reading');
  const number = (value: { toFixed(): string }): number => Number(value.toFixed());
  const returnOf = (first: number, second: number): number => second / first - 1;
  const equity = number(before.equity);
  return {
    difference:
      returnOf(equity, number(last.equity)) - returnOf(number(before.target), number(last.target)),
    notHeld: number(last.unheld.notHeld) / equity,
    leverageAndCaps: number(last.unheld.leverageAndCaps) / equity,
  };
}

/** What the orders that bring the account in line again cost at most, in parts of equity. */
const COSTS = 0.0012;

interface Story {
  readonly bot?: Partial<NewBot>;
  readonly options?: SimulatedOptions;
  /** What the strategy holds at the start; half in ACME without it. */
  readonly held?: readonly [cash: string, holdings: Readonly<Record<string, string>>];
  /** What happens once the bot is in line. */
  readonly then?: (world: BotWorld) => Promise<void> | void;
  /** The new price of ACME. */
  readonly price?: string;
  readonly notHeld: number;
  readonly leverageAndCaps: number;
}

const limits = (more: NonNullable<NewBot['limits']>) => ({ limits: { ...MEASURED, ...more } });

describe('what a bot does not hold of its target', () => {
  it.each<[string, Story]>([
    ['is nothing where it holds it all', { notHeld: 0, leverageAndCaps: 0 }],
    [
      'is of the caps with max_gross: a quarter instead of a half',
      { bot: limits({ maxGross: decimal('0.25') }), notHeld: 0, leverageAndCaps: -0.025 },
    ],
    [
      'is of the caps with max_per_stock, also where the stock falls',
      {
        bot: limits({ maxPerStock: decimal('0.1') }),
        ...{ price: '90', notHeld: 0, leverageAndCaps: 0.04 },
      },
    ],
    [
      'is of the caps with max_capital',
      { bot: limits({ maxCapital: decimal('2000') }), notHeld: 0, leverageAndCaps: -0.04 },
    ],
    [
      'is of the caps where the broker lends no more: 2 instead of 2.5',
      {
        held: ['-0.25', { acme: '0.0125' }],
        ...{ bot: { leverage: decimal('2') }, notHeld: 0, leverageAndCaps: -0.05 },
      },
    ],
    [
      'is of the caps where the strategy is scaled down: 2 instead of 3',
      { held: ['-2', { acme: '0.03' }], notHeld: 0, leverageAndCaps: -0.1 },
    ],
    [
      'is of what is not held where a list forbids the stock',
      { bot: { denyStocks: [ACME] }, notHeld: -0.05, leverageAndCaps: 0 },
    ],
    [
      'is of what is not held where the bot did not join it',
      { bot: { join: 'new_only' }, notHeld: -0.05, leverageAndCaps: 0 },
    ],
    [
      'is of what is not held where a share costs more than the part that is wanted',
      {
        options: { wholeShares: true },
        bot: { leverage: decimal('0.01') },
        ...{ price: '200', notHeld: -0.005, leverageAndCaps: 0 },
      },
    ],
    [
      'is of what is not held where a stock is halted and the account has too much of it',
      {
        then: async (world) => {
          world.halted.add(ACME);
          await world.hold(STEADY, '0.75', { acme: '0.0025' });
        },
        ...{ notHeld: 0.025, leverageAndCaps: 0 },
      },
    ],
    [
      'is of what is not held in a dry run, whose orders are never filled',
      { bot: { dryRun: true }, notHeld: -0.05, leverageAndCaps: 0 },
    ],
    [
      'is told apart where a list and a cap act on the same target',
      {
        held: ['0', { acme: '0.005', bolt: '0.005' }],
        bot: { ...limits({ maxGross: decimal('0.25') }), denyStocks: [BOLT] },
        ...{ then: (world) => world.price(BOLT, '100'), notHeld: 0, leverageAndCaps: -0.025 },
      },
    ],
  ])('%s', async (_, { bot: change = {}, options, held, then, price = '110', ...expected }) => {
    const world = await aBotWorld(options);
    for (const stock of [ACME, BOLT]) world.price(stock, '100');
    await world.hold(STEADY, ...(held ?? ['0.5', { acme: '0.005' }]));
    const bot = await world.start({ limits: MEASURED, ...change });
    await world.run();
    await minute(world);
    await then?.(world);
    await minute(world);
    world.price(ACME, price);
    await minute(world);
    const { difference, notHeld, leverageAndCaps } = await lastOf(world, bot);
    expect({ notHeld, leverageAndCaps }).toEqual({
      notHeld: expect.closeTo(expected.notHeld, 3),
      leverageAndCaps: expect.closeTo(expected.leverageAndCaps, 3),
    });
    expect(Math.abs(difference - notHeld - leverageAndCaps)).toBeLessThan(COSTS);
  });

  it('loses with the bid where the account has too much of a long position', async () => {
    const world = await aBotWorld();
    world.price(ACME, '100');
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({ limits: MEASURED });
    await world.run();
    world.halted.add(ACME);
    await world.hold(STEADY, '0.75', { acme: '0.0025' });
    await minute(world);
    const [bid, ask] = [decimal('98'), decimal('102')];
    world.quotes.set(ACME, aQuote({ stockId: ACME, bid, ask }));
    await minute(world);
    const { difference, notHeld } = await lastOf(world, bot);
    expect(notHeld).toBeCloseTo(-0.005, 4);
    expect(difference).toBeCloseTo(-0.005, 4);
  });

  it('is left to the delay of the order while a trade waits for it', async () => {
    const world = await aBotWorld();
    world.price(ACME, '100');
    const bot = await world.start({ limits: MEASURED });
    await world.run();
    world.closed.add(ACME);
    const bought = { id: id<'trade'>('bought'), stockId: ACME, action: 'buy' as const };
    const trade = { ...bought, price: decimal('100'), amount: decimal('0.005') };
    await world.hold(STEADY, '0.5', { acme: '0.005' }, [trade]);
    await minute(world);
    world.price(ACME, '110');
    await minute(world);
    const { difference, notHeld, leverageAndCaps } = await lastOf(world, bot);
    expect([notHeld, leverageAndCaps]).toEqual([0, 0]);
    expect(difference).toBeCloseTo(-0.05, 4);
    world.closed.delete(ACME);
    await minute(world);
    const [order] = await world.bots.orders(bot.userId, { botId: bot.id, limit: 1 });
    expect([order?.strategyPrice, order?.plannedPrice].map(String)).toEqual(['100', '110']);
  });

  it('counts each move once, however often the account is read in between', async () => {
    const { world, bot } = await denied();
    for (const price of ['104', '101', '110']) {
      world.price(ACME, price);
      world.clock.advance(MINUTE / 3);
      await world.engine.wakeBots(STEADY);
      await world.run();
    }
    await minute(world);
    const rows = await historyOf(world, bot);
    const gains = rows.map(({ unheld }) => Number(unheld?.notHeld.toFixed()));
    // 50 shares of which none is held, from 100 to 110; each move at the shares of the last reading.
    expect(gains.reduce((sum, gain) => sum + gain, 0)).toBeCloseTo(-500, -1);
  });

  it('is in the shares of now once the stock is split', async () => {
    const { world, bot } = await denied();
    await minute(world);
    world.clock.advance(1_000);
    const split: StockAction = {
      id: id('split'),
      stockId: ACME,
      kind: 'split',
      figure: decimal('4'),
      newShares: null,
      oldShares: null,
      status: 'done',
      createdAt: world.clock.now(),
    };
    await world.unitOfWork.run(({ stockActions }) => stockActions.save(split));
    await world.hold(STEADY, '0.5', { acme: '0.02' });
    world.price(ACME, '27.5');
    await minute(world);
    const { difference, notHeld } = await lastOf(world, bot);
    expect(notHeld).toBeCloseTo(-0.05, 4);
    expect(difference).toBeCloseTo(-0.05, 4);
  });

  it.each([
    { kind: 'split', figure: '4', amount: '0.02', cash: '0.5', price: '25' },
    { kind: 'cash_dividend', figure: '4', amount: '0.005', cash: '0.52', price: '96' },
  ] as const)(
    'counts a $kind in the very millisecond of the last reading, and once',
    async ({ kind, figure, amount, cash, price }) => {
      const { world, bot } = await denied();
      await minute(world);
      const shares = { newShares: null, oldShares: null };
      const action: StockAction = {
        ...{ id: id('action'), stockId: ACME, kind, figure: decimal(figure), ...shares },
        ...{ status: 'done', createdAt: world.clock.now() },
      };
      await world.unitOfWork.run(({ stockActions }) => stockActions.save(action));
      await world.hold(STEADY, cash, { acme: amount });
      world.price(ACME, price);
      for (let minutes = 0; minutes < 2; minutes += 1) {
        await minute(world);
        expect(await lastOf(world, bot)).toMatchObject({ difference: 0, notHeld: 0 });
      }
    },
  );

  it('begins anew with each start', async () => {
    const { world, bot } = await denied();
    expect((await world.find(bot.id)).targetMark.unheld.size).toBe(1);
    await world.bots.stop(bot.userId, { botId: bot.id });
    await world.run();
    world.clock.advance(DAY);
    world.price(ACME, '200');
    await world.bots.start(bot.userId, { botId: bot.id });
    await world.run();
    const { notHeld, difference } = await lastOf(world, bot);
    expect([notHeld, difference]).toEqual([0, 0]);
  });

  it('is of each strategy that the bot mirrors', async () => {
    const world = await aBotWorld();
    for (const stock of [ACME, BOLT]) world.price(stock, '100');
    await world.hold(STEADY, '0', { acme: '0.01' });
    await world.hold(DARING, '0', { bolt: '0.01' });
    const half = { percent: decimal('0.5') };
    const bot = await world.start({
      allocations: [STEADY, DARING].map((strategyId) => ({ strategyId, ...half })),
      ...limits({ maxGross: decimal('0.5') }),
    });
    await world.run();
    await minute(world);
    world.price(ACME, '110');
    world.price(BOLT, '120');
    await minute(world);
    const { difference, leverageAndCaps } = await lastOf(world, bot);
    expect(leverageAndCaps).toBeCloseTo(-0.075, 4);
    expect(Math.abs(difference + 0.075)).toBeLessThan(COSTS);
  });
});
