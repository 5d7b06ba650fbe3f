import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type StockAction, ZERO, decimal, decimalText, divide, id } from '@slipstream/domain';
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

describe('a reverse split that its broker books in the night, and nobody has traded since', () => {
  /** Ten shares of ACME for one at the broker, at the price of before; `told` is the kind of the activity that it reports. */
  const booked = async (told: 'split' | 'other') => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0', { acme: '0.01' });
    const bot = await world.start({ limits: { maxDailyLoss: decimal('0.1') } });
    await world.run();
    world.clock.advance(60_000);
    await world.run();
    world.clock.advance(60_000);
    const split = aSplitOf('0.1', world.clock.now());
    const activity = {
      ...{ id: 'one', at: split.createdAt, kind: told, name: 'SPLIT' },
      ...{ cash: ZERO, stockId: ACME, amount: ZERO },
    };
    world.brokers.set('simulated', { ...world.broker, activities: async () => [activity] });
    await world.broker.adjust?.(split);
    await world.run();
    const inNight = await world.find(bot.id);
    world.price(ACME, '1000');
    world.clock.advance(60_000);
    await world.run();
    return { inNight, atOpen: await world.find(bot.id) };
  };

  it('is no loss, and nothing is planned by such a reading', async () => {
    const { inNight, atOpen } = await booked('split');
    expect(inNight).toMatchObject({ breach: null, attempts: 1 });
    expect(inNight.statusReason).toBe(
      'The account cannot be read yet: its broker has split ACME, but not its price.',
    );
    expect(atOpen).toMatchObject({ breach: null, attempts: 0 });
  });

  it('is one when the broker reports no split', async () => {
    const { inNight } = await booked('other');
    expect(inNight.breach).toMatchObject({ limit: 'max_daily_loss' });
  });
});
