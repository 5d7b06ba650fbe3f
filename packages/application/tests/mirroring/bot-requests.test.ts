import { describe, expect, it } from '@jest/globals';
import {
  type Bot,
  type BrokerAccount,
  ONE,
  type StockAction,
  ZERO,
  decimal,
  decimalText,
  id,
} from '@slipstream/domain';
import type { Broker } from '@slipstream/ports';
import { ACME, type BotWorld, STEADY, aBotWorld, follower, stockNamed } from './bot-world.js';

/** Twenty stocks beside those that every world has. */
const TWENTY = Array.from({ length: 20 }, (_, place) => stockNamed(`S${place + 1}`));
const EQUALLY = Object.fromEntries(TWENTY.map(({ id }) => [id, '0.0004']));

const METHODS = ['account', 'rules', 'place', 'find', 'cancel'] as const;

/** A world whose broker counts what it is asked, and may answer `account` otherwise. */
async function countingWorld(
  options: Parameters<typeof aBotWorld>[0] = {},
  change: Partial<BrokerAccount> = {},
) {
  const world = await aBotWorld(options, {}, [], TWENTY);
  const asked: string[] = [];
  const inner = world.brokers.get('simulated');
  if (!inner) throw new Error('there is a broker');
  const counted = Object.fromEntries(
    METHODS.map((method) => [
      method,
      (...given: unknown[]) => {
        asked.push(method);
        return (inner[method] as (...all: unknown[]) => Promise<unknown>)(...given);
      },
    ]),
  );
  const broker: Broker = { ...inner, ...counted };
  world.brokers.set('simulated', {
    ...broker,
    account: async (...given) => ({ ...(await broker.account(...given)), ...change }),
  });
  const count = async (act: () => Promise<unknown>): Promise<number> => {
    asked.length = 0;
    await act();
    return asked.length;
  };
  const start = async (): Promise<Bot> => {
    const bot = await world.aNewBot({ allocations: [{ strategyId: STEADY, percent: ONE }] });
    return world.bots.start(follower, { botId: bot.id });
  };
  /** So many ticks, five seconds apart, as a server has them. */
  const pass = async (ticks: number): Promise<void> => {
    for (let tick = 0; tick < ticks; tick += 1) {
      world.clock.advance(5_000);
      await world.run();
    }
  };
  return { world, asked, count, start, pass };
}

describe('what a bot of twenty stocks asks its broker', () => {
  it.each([
    ['fills at once', {}],
    ['accepts first', { acceptsFirst: true }],
  ])('is at most 26 requests a rebalance, of a broker that %s', async (_, options) => {
    const { world, asked, count, start, pass } = await countingWorld(options);
    await world.hold(STEADY, '0.2', EQUALLY);
    const bot = await start();
    const requests = await count(async () => {
      await world.run();
      await pass(2);
    });
    expect(asked.filter((method) => method === 'place')).toHaveLength(20);
    expect(requests).toBeLessThanOrEqual(26);
    await world.expectInLine(bot);
  });

  it('is at most 20 a minute while twenty orders are open', async () => {
    const { world, asked, count, start, pass } = await countingWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0.2', EQUALLY);
    await start();
    await world.run();
    for (const { id } of TWENTY) world.closed.add(id);
    const requests = await count(() => pass(12));
    expect(asked.every((method) => method === 'find')).toBe(true);
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(20);
  });

  it('is at most 3 a minute while it is in line', async () => {
    const { world, count, start, pass } = await countingWorld();
    await world.hold(STEADY, '0.2', EQUALLY);
    const bot = await start();
    await world.run();
    await pass(1);
    expect(await count(() => pass(12))).toBeLessThanOrEqual(3);
    await world.expectInLine(bot);
  });
});

describe('an order that waits at a broker that takes its time', () => {
  const waiting = async () => {
    const found = await countingWorld({ acceptsFirst: true, slowCancel: true });
    await found.world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await found.start();
    await found.world.run();
    found.world.closed.add(ACME);
    return { ...found, bot };
  };
  const cancels = (asked: readonly string[]) => asked.filter((method) => method === 'cancel');

  it('is cancelled once when its bot stops, which is off when the broker says so', async () => {
    const { world, asked, bot } = await waiting();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'stopping' });
    for (let tick = 0; tick < 3; tick += 1) {
      world.clock.advance(5_000);
      await world.run();
    }
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(cancels(asked)).toHaveLength(1);
    expect(await world.orders(bot)).toEqual(['cancelled: buy 0 acme']);
  });

  it('is as large as its broker makes it when its stock is split', async () => {
    const { world, bot, pass } = await waiting();
    const split: StockAction = {
      id: id('split-1'),
      stockId: ACME,
      kind: 'split',
      figure: decimal('2'),
      newShares: null,
      oldShares: null,
      status: 'done',
      createdAt: world.clock.now(),
    };
    await world.unitOfWork.run(({ stockActions }) => stockActions.save(split));
    await world.broker.adjust?.(split);
    world.price(ACME, '50');
    await world.hold(STEADY, '0.5', { acme: '0.01' });
    world.closed.delete(ACME);
    await pass(15);
    await world.expectInLine(bot);
    expect(await world.orders(bot)).toEqual(['filled: buy 99.98 acme']);
    const [order] = await world.bots.orders(follower, { botId: bot.id, limit: 1 });
    expect(decimalText(order?.amount ?? ZERO)).toBe('99.98');
  });

  /** A tenth as many shares, at ten times their price. */
  const reverseSplit = async (world: BotWorld): Promise<void> => {
    world.clock.advance(1_000);
    const split: StockAction = {
      id: id('split-1'),
      stockId: ACME,
      kind: 'split',
      figure: decimal('0.1'),
      newShares: null,
      oldShares: null,
      status: 'done',
      createdAt: world.clock.now(),
    };
    await world.broker.adjust?.(split);
    world.price(ACME, '1000');
    await world.unitOfWork.run(({ stockActions }) => stockActions.save(split));
  };

  it('has as much filled of it as its broker says, also after a reverse split', async () => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.faults.on('place', 'partial');
    const bot = await world.start();
    await world.run();
    await reverseSplit(world);
    await world.hold(STEADY, '0.5', { acme: '0.0005' });
    world.clock.advance(6_000);
    await world.run();
    expect(await world.orders(bot)).toEqual(['filled: buy 4.999 acme']);
    await world.expectInLine(bot);
  });

  it("leaves what is filled after a reverse split the bot's own", async () => {
    const world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({ existingPositions: 'keep' });
    const minutes = async (count: number): Promise<void> => {
      for (let minute = 0; minute < count; minute += 1) {
        world.clock.advance(60_000);
        await world.run();
      }
    };
    await minutes(3);
    await world.hold(STEADY, '0.3', { acme: '0.007' });
    await world.run();
    await reverseSplit(world);
    await world.hold(STEADY, '0.3', { acme: '0.0007' });
    await minutes(5);
    const part = (await world.find(bot.id)).heldParts.get(ACME);
    expect(decimalText(part?.kept ?? decimal('-1'))).toBe('0');
    await world.expectInLine(bot);
  });

  it.each([
    ['at once', false],
    ['after an answer without a fill', true],
  ])('is no loss and no gift when it is filled after a split, %s', async (_, isSeenBefore) => {
    const world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({
      existingPositions: 'keep',
      limits: { maxDailyLoss: decimal('0.1'), maxOrdersPerDay: null, maxTurnoverPerDay: null },
    });
    const pass = async (count: number): Promise<void> => {
      for (let minute = 0; minute < count; minute += 1) {
        world.clock.advance(20_000);
        await world.run();
      }
    };
    await pass(3);
    await world.hold(STEADY, '0.3', { acme: '0.007' });
    await world.run();
    await reverseSplit(world);
    await world.hold(STEADY, '0.3', { acme: '0.0007' });
    if (isSeenBefore) {
      world.closed.add(ACME);
      await pass(1);
      world.closed.delete(ACME);
    }
    await pass(6);
    const { heldParts, breach } = await world.find(bot.id);
    expect(breach).toBeNull();
    expect(decimalText(heldParts.get(ACME)?.kept ?? decimal('-1'))).toBe('0');
    await world.expectInLine(bot);
  });

  it('is planned again under another id when it expires', async () => {
    const { world, bot, pass } = await waiting();
    world.faults.on('find', 'expire');
    await pass(1);
    expect(await world.orders(bot)).toEqual(['cancelled: buy 0 acme']);
    world.closed.delete(ACME);
    await pass(15);
    await world.expectInLine(bot);
    world.expectSentOnce();
  });
});

describe('an account that the broker blocked', () => {
  it.each([
    ['closing', 'The broker lets this account only close positions: a margin call.'],
    ['nothing', 'The broker lets this account trade nothing: a margin call.'],
  ] as const)(
    'and that allows %s gets no order that increases, and is told once',
    async (...row) => {
      const [allows, reason] = row;
      const blocked = { allows, because: 'a margin call' };
      const { world, start, pass } = await countingWorld({}, blocked);
      await world.hold(STEADY, '0.5', { acme: '0.005' });
      const bot = await start();
      await world.run();
      await pass(60);
      expect(world.sent).toEqual([]);
      expect(await world.find(bot.id)).toMatchObject({
        status: 'scheduled_rebalance',
        statusReason: reason,
        attempts: 0,
      });
      expect(world.notices.filter((notice) => !notice.startsWith('start'))).toEqual([
        `warning: ${reason}`,
      ]);
    },
  );
});

describe('a broker that reserves more than an order costs', () => {
  it('rejects nothing of an account that is used to its last dollar', async () => {
    const { world, start } = await countingWorld({ checkReserve: decimal('0.03') });
    await world.hold(STEADY, '-1', { acme: '0.01', bolt: '0.01' });
    const bot = await start();
    await world.run();
    const orders = await world.orders(bot);
    expect(orders.length).toBeGreaterThan(1);
    expect(orders.filter((order) => !order.startsWith('filled'))).toEqual([]);
  });

  it('is never sent what its own check rejects', async () => {
    const { world, start } = await countingWorld({}, { buyingPower: decimal('1000') });
    await world.hold(STEADY, '0', { acme: '0.01' });
    const bot = await start();
    await world.run();
    const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    expect(orders.length).toBeGreaterThan(0);
    for (const { amount } of orders)
      expect(amount.times(decimal('100.02')).lte(decimal('1000'))).toBe(true);
  });
});
