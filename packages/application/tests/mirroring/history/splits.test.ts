import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type BrokerAccount,
  type Decimal,
  type StockAction,
  ZERO,
  decimal,
  decimalText,
  divide,
  id,
  sum,
} from '@slipstream/domain';
import type { NewBot } from '../../../src/mirroring/index.js';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);

const aSplitOf = (figure: string, createdAt: number): StockAction => ({
  id: id(`split at ${createdAt}`),
  stockId: ACME,
  kind: 'split',
  figure: decimal(figure),
  newShares: null,
  oldShares: null,
  status: 'done',
  createdAt,
});

/** Splits ACME into so many new shares of each, at its broker and here. */
async function splitBy(world: BotWorld, figure: string, price: string): Promise<void> {
  world.clock.advance(1_000);
  const split = aSplitOf(figure, world.clock.now());
  world.price(ACME, price);
  await world.broker.adjust?.(split);
  await world.unitOfWork.run(({ stockActions }) => stockActions.save(split));
}

type Step =
  | { readonly split: string }
  | { readonly seconds: number }
  | { readonly fillsHalf: boolean }
  | { readonly share: string };

const aSplit = fc.record({ split: fc.constantFrom('2', '3', '0.5', '0.1', '1.5') });
const aPause = fc.record({ seconds: fc.integer({ min: 0, max: 30 }) });
const aChange = fc.record({ seconds: fc.integer({ min: -30, max: 30 }) });
const aTrade = fc.oneof(
  fc.record({ fillsHalf: fc.boolean() }),
  fc.record({ share: fc.constantFrom('0.2', '0.5', '0.8') }),
);
const acceptsFirst = fc.boolean();

/** Plays it for a bot that keeps what is not its own, and lets it come to rest. */
async function played(steps: readonly Step[], options: { readonly acceptsFirst: boolean }) {
  const world = await aBotWorld(options);
  let [price, share] = [decimal('100'), decimal('0.5')];
  const hold = (): Promise<void> => {
    const acme = decimalText(divide(share, price));
    return world.hold(STEADY, decimalText(decimal('1').minus(share)), { acme });
  };
  const pass = async (seconds: number): Promise<void> => {
    world.clock.advance(seconds * 1_000);
    await world.run();
  };
  await hold();
  const bot = await world.start({
    existingPositions: 'keep',
    limits: { maxDailyLoss: decimal('0.1'), maxOrdersPerDay: null, maxTurnoverPerDay: null },
  });
  for (let minute = 0; minute < 4; minute += 1) await pass(61);
  for (const step of steps) {
    if ('seconds' in step) await pass(step.seconds);
    else if ('fillsHalf' in step) world.faults.on('place', step.fillsHalf ? 'partial' : 'none');
    else if ('share' in step) {
      share = decimal(step.share);
      await hold();
      await world.run();
    } else {
      price = divide(price, decimal(step.split));
      await splitBy(world, step.split, decimalText(price));
      await hold();
    }
  }
  world.faults.clear();
  for (let minute = 0; minute < 8; minute += 1) await pass(61);
  const { status, breach, heldParts } = await world.find(bot.id);
  return { status, breach, kept: decimalText(heldParts.get(ACME)?.kept ?? ZERO) };
}

const IN_ORDER = { status: 'running', breach: null, kept: '0' };

describe('splits of a stock that a bot trades', () => {
  it('make no loss and no gift to its owner, however soon they follow, beside open orders too', async () => {
    const story = fc.array(fc.oneof(aSplit, aPause, aTrade), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(story, acceptsFirst, async (steps, accepts) => {
        expect(await played(steps, { acceptsFirst: accepts })).toEqual(IN_ORDER);
      }),
      {
        numRuns: 20 * MORE,
        examples: [[[{ share: '0.8' }, { split: '2' }, { split: '3' }], true]],
      },
    );
  });

  it('make neither while the clock is set back before and after one', async () => {
    const around = fc.array(fc.oneof(aChange, aTrade), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        around,
        aSplit,
        around,
        acceptsFirst,
        async (before, split, after, accepts) => {
          const steps = [...before, split, ...after];
          expect(await played(steps, { acceptsFirst: accepts })).toEqual(IN_ORDER);
        },
      ),
      {
        numRuns: 20 * MORE,
        examples: [
          [[{ share: '0.8' }, { seconds: -10 }], { split: '2' }, [], false],
          [[], { split: '0.5' }, [{ seconds: -1 }, { share: '0.2' }], false],
          [[{ share: '0.2' }, { seconds: -1 }, { share: '0.2' }], { split: '2' }, [], true],
        ],
      },
    );
  });

  it('leave the price of the trades that wait to be followed in shares of today', async () => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0.5', { bolt: '0.005' });
    const bot = await world.start();
    await world.run();
    world.closed.add(ACME);
    world.clock.advance(1_000);
    const amount = decimal('0.003');
    await world.hold(STEADY, '0.2', { bolt: '0.005', acme: '0.003' }, [
      { id: id('late'), stockId: ACME, price: decimal('100'), amount },
    ]);
    await world.run();
    await splitBy(world, '2', '50');
    await splitBy(world, '5', '10');
    await world.hold(STEADY, '0.2', { bolt: '0.005', acme: '0.03' });
    world.closed.delete(ACME);
    await world.run();
    const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    expect(orders.map((order) => [order.stockId, order.strategyPrice?.toFixed()])).toEqual([
      [ACME, '10'],
      [BOLT, undefined],
    ]);
  });
});

describe('a reverse split that its broker books before this service, at the price of before', () => {
  const HOUR = 3_600_000;

  /** The account with another price of ACME. */
  const atPrice = (account: BrokerAccount, price: Decimal): BrokerAccount => {
    const positions = account.positions.map((one) =>
      one.stockId === ACME ? { ...one, price, value: one.amount.times(price) } : one,
    );
    return {
      ...account,
      positions,
      equity: account.cash.plus(sum(positions.map(({ value }) => value))),
    };
  };

  /** Ten shares of ACME for one at the broker; `told` is the kind of the activity that it reports. */
  const booked = async (told: 'split' | 'other', change: Partial<NewBot> = {}) => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    const bot = await world.start(change);
    await world.run();
    world.clock.advance(60_000);
    await world.run();
    const before = { holdings: await world.holdings(bot), orders: await world.orders(bot) };
    world.clock.advance(60_000);
    const split = aSplitOf('0.1', world.clock.now());
    const activity = {
      ...{ id: 'one', at: split.createdAt, kind: told, name: 'SPLIT' },
      ...{ cash: ZERO, stockId: ACME, amount: ZERO },
    };
    let there = decimal('100');
    world.brokers.set('simulated', {
      ...world.broker,
      activities: async () => [activity],
      account: async (...asked) => atPrice(await world.broker.account(...asked), there),
    });
    await world.broker.adjust?.(split);
    await world.run();
    /** The broker, or this service with its split, has the price of new shares. */
    const priceComes = async (side: 'there' | 'here'): Promise<void> => {
      if (side === 'there') {
        there = decimal('1000');
        return;
      }
      world.price(ACME, '1000');
      await world.hold(STEADY, '0', { acme: '0.0005', bolt: '0.005' });
      const createdAt = world.clock.now();
      await world.unitOfWork.run(({ stockActions }) => stockActions.save({ ...split, createdAt }));
    };
    const runs = async (milliseconds: number): Promise<void> => {
      world.clock.advance(milliseconds);
      await world.run();
    };
    return { world, bot, before, priceComes, runs };
  };
  const LIMITED = { limits: { maxDailyLoss: decimal('0.1') } };
  const BOTS: readonly (readonly [string, Partial<NewBot>])[] = [
    ['with a limit of losses', LIMITED],
    ['without limits', {}],
    ['that keeps what is not its own', { existingPositions: 'keep' }],
    ['with a limit, that keeps what is not its own', { ...LIMITED, existingPositions: 'keep' }],
  ];

  it.each(BOTS)('is no loss of a bot %s, and trades nothing', async (_, change) => {
    const { world, bot, before, runs } = await booked('split', change);
    for (const minutes of [1, 10, 600]) await runs(minutes * 60_000);
    expect(await world.find(bot.id)).toMatchObject({ breach: null, attempts: 0 });
    expect(await world.orders(bot)).toEqual(before.orders);
    expect((await world.holdings(bot))['bolt']).toBe(before.holdings['bolt']);
    expect(world.notices.filter((text) => text.startsWith('warning'))).toEqual([]);
  });

  it.each(BOTS)('keeps no bot from closing another stock: one %s', async (_, change) => {
    const { world, bot, runs } = await booked('split', change);
    await world.hold(STEADY, '1', {});
    await runs(60_000);
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    const { breach, statusReason } = await world.find(bot.id);
    expect(breach).toBeNull();
    expect(statusReason).toContain('Waits until ACME');
  });

  it.each(BOTS)('is none once its price comes, here or there first: %s', async (_, change) => {
    for (const sides of [['here', 'there'] as const, ['there', 'here'] as const]) {
      const { world, bot, before, priceComes, runs } = await booked('split', change);
      for (const side of sides) {
        await priceComes(side);
        await runs(60_000);
      }
      for (const hours of [1, 100]) await runs(hours * HOUR);
      expect(await world.find(bot.id)).toMatchObject({ breach: null, attempts: 0 });
      await world.expectInLine(bot);
      expect(await world.orders(bot)).toEqual(before.orders);
    }
  });

  it('is a loss when the broker reports no split', async () => {
    const { world, bot } = await booked('other', LIMITED);
    expect((await world.find(bot.id)).breach).toMatchObject({ limit: 'max_daily_loss' });
  });

  it('is one when no new price has come after three days', async () => {
    const { world, bot, runs } = await booked('split', LIMITED);
    await runs(73 * HOUR);
    expect((await world.find(bot.id)).breach).not.toBeNull();
  });
});
