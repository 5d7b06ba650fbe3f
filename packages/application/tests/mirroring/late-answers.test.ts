import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault } from '@slipstream/adapter-broker-simulated';
import { type Bot, ZERO, decimal, decimalText, sum } from '@slipstream/domain';
import { type Broker, type BrokerOrder, BrokerUnreachable } from '@slipstream/ports';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;
/** The world's broker; each story replaces what it answers. */
let broker: { -readonly [Name in keyof Broker]: Broker[Name] };

beforeEach(async () => {
  world = await aBotWorld();
  broker = world.deps.brokers.get('simulated') as typeof broker;
});

const stillOpen = (order: BrokerOrder): BrokerOrder => ({
  ...order,
  status: 'open',
  filledAmount: ZERO,
  filledPrice: null,
});
const outstanding = (bot: Bot) =>
  world.unitOfWork.read(({ botOrders }) => botOrders.outstanding(bot.id));
const checks = async (times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) {
    world.clock.advance(60_000);
    await world.run();
  }
};

describe('an order that the broker may have received and does not show yet', () => {
  /** The order reaches the broker, its answer is lost, and the broker shows it late. */
  const sentInDoubt = async () => {
    await world.hold(STEADY, '0', { acme: '0.01' });
    const { place, find } = broker;
    let isHidden = true;
    broker.place = async (access, order) => {
      await place(access, { ...order, limit: decimal('1') });
      throw new BrokerUnreachable('timed out');
    };
    broker.find = async (access, ids) => (isHidden ? new Map() : find(access, ids));
    const bot = await world.start({ existingPositions: 'keep' });
    await world.run();
    const show = (): void => {
      isHidden = false;
      broker.place = place;
    };
    return { bot, show };
  };

  it.each(['halt', 'stop'] as const)(
    'is asked for until it shows, and cancelled then: %s',
    async (how) => {
      const { bot, show } = await sentInDoubt();
      if (how === 'halt') await world.halt(follower, 'user');
      else await world.bots.stop(follower, { botId: bot.id });
      await world.run();
      expect(await outstanding(bot)).toMatchObject([{ status: 'unknown' }]);
      show();
      world.clock.advance(10_000);
      await world.run();
      world.clock.advance(10_000);
      await world.run();
      expect(await outstanding(bot)).toEqual([]);
      expect(await world.orders(bot)).toEqual(['cancelled: buy 0 acme']);
    },
  );

  it('counts as never received after a minute', async () => {
    const { bot } = await sentInDoubt();
    await world.halt(follower, 'user');
    await checks(2);
    expect(await outstanding(bot)).toEqual([]);
  });
});

describe('an order that the broker accepted and does not show yet', () => {
  it('is asked for until it shows, for a minute, and nothing is sent in its place', async () => {
    await world.hold(STEADY, '0', { acme: '0.01' });
    const { place, find } = broker;
    let sent = 0;
    let isHidden = true;
    broker.place = async (access, order) => {
      sent += 1;
      return stillOpen(await place(access, order));
    };
    broker.find = async (access, ids) => (isHidden ? new Map() : find(access, ids));
    const bot = await world.start();
    await world.run();
    world.clock.advance(5_000);
    await world.run();
    const [first] = await outstanding(bot);
    expect(first).toMatchObject({ status: 'open' });
    expect(sent).toBe(1);
    isHidden = false;
    world.clock.advance(5_000);
    await world.run();
    expect((await outstanding(bot)).map((order) => order.id)).not.toContain(first?.id);
    expect(await world.orders(bot)).toContainEqual(expect.stringMatching(/^filled: buy/));
  });
});

describe('a halt while the broker cannot tell of the open orders', () => {
  it('cancels each of them all the same, also after one could not be cancelled', async () => {
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    const { place, find } = broker;
    const cancelled = new Set<string>();
    broker.place = async (access, order) => stillOpen(await place(access, order));
    broker.find = async (access, ids) =>
      new Map([...(await find(access, ids))].map(([id, order]) => [id, stillOpen(order)]));
    const bot = await world.start();
    await world.run();
    expect(await outstanding(bot)).toHaveLength(2);
    broker.find = () => Promise.reject(new BrokerUnreachable('an order of an unknown status'));
    broker.cancel = (_access, id) => {
      cancelled.add(id);
      return cancelled.size === 1 ? Promise.reject(new BrokerUnreachable('no')) : Promise.resolve();
    };
    await world.halt(follower, 'user');
    await world.run();
    expect(cancelled.size).toBe(2);
  });
});

describe('a loss that is not sure while an order is open', () => {
  it('never makes a fill that is not recorded yet a holding of the owner', async () => {
    await world.hold(STEADY, '0', { acme: '0.01' });
    const { place } = broker;
    let isLate = false;
    broker.place = async (access, order) => {
      const answer = await place(access, order);
      return isLate && order.action === 'buy' ? stillOpen(answer) : answer;
    };
    const limits = { maxDailyLoss: decimal('0.15') };
    const bot = await world.start({ existingPositions: 'keep', limits });
    await world.run();
    await checks(1);
    isLate = true;
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    await checks(1);
    world.price(ACME, '67');
    world.deps.losses.quotesChanged([{ stockId: ACME }]);
    isLate = false;
    world.clock.advance(6_000);
    await world.engine.runDueBots();
    await checks(2);
    const { heldParts, breach } = await world.find(bot.id);
    expect(decimalText(heldParts.get(BOLT)?.kept ?? ZERO)).toBe('0');
    expect(decimalText(breach?.equity ?? ZERO)).toMatch(/^8[0-9]{3}/);
  });
});

describe('an account that is told as it was before the last fills', () => {
  /** The next reading lacks so much of the stock, whose price is 100. */
  const lackOnce = (amount: string): void => {
    const { account } = broker;
    broker.account = async (...asked) => {
      broker.account = account;
      const now = await account(...asked);
      const lacking = decimal(amount);
      const positions = now.positions
        .map((position) => ({ ...position, amount: position.amount.minus(lacking) }))
        .map((position) => ({ ...position, value: position.amount.times(position.price) }));
      const cash = now.equity.minus(sum(positions.map(({ value }) => value)));
      return { ...now, cash, positions: positions.filter(({ value }) => !value.eq(ZERO)) };
    };
  };
  const halves: readonly Fault[] = ['partial'];

  it.each<[string, readonly Fault[], string | undefined, string, number]>([
    ['of one order', [], undefined, '49.99', 1],
    ['of the later part of one', halves, undefined, '24.995', 1],
    ['of a smaller part', halves, undefined, '10', 1],
    ['of all parts', halves, undefined, '49.99', 1],
    ['of the last of several orders', [], '2000', '9.9', 3],
    ['of a small order after a large one', [], '4950', '0.9', 2],
  ])(
    "is read again: nothing is bought twice, and what was bought stays the bot's (%s)",
    async (_, faults, maxOrder, lacking, orders) => {
      await world.hold(STEADY, '0.5', { acme: '0.005' });
      world.faults.on('place', ...faults);
      const { place } = broker;
      broker.place = async (...asked) => {
        const answer = await place(...asked);
        if (world.sent.length === orders && answer.status === 'filled') lackOnce(lacking);
        return answer;
      };
      const limits = { maxOrder: maxOrder === undefined ? null : decimal(maxOrder) };
      const bot = await world.start({ existingPositions: 'keep', limits });
      await world.run();
      if (faults.length > 0) {
        lackOnce(lacking);
        world.clock.advance(5_000);
        await world.run();
      }
      await checks(2);
      expect(world.sent).toHaveLength(orders);
      const part = (await world.find(bot.id)).heldParts.get(ACME);
      expect(decimalText(part?.kept ?? ZERO)).toBe('0');
      expect(await world.find(bot.id)).toMatchObject({ status: 'running', attempts: 0 });
    },
  );

  it("is read again after a sale: what is still to be sold is not the owner's", async () => {
    const bot = await world.running({ existingPositions: 'keep' });
    const { place } = broker;
    broker.place = async (...asked) => {
      const answer = await place(...asked);
      lackOnce('-7');
      return answer;
    };
    await world.hold(STEADY, '0.7', { acme: '0.003' });
    await world.run();
    await checks(2);
    const part = (await world.find(bot.id)).heldParts.get(ACME);
    expect(decimalText(part?.kept ?? ZERO)).toBe('0');
    await world.expectInLine(bot);
  });
});

describe('an account that is told as empty at once', () => {
  /** The next readings find nothing in it. */
  const emptyFor = (readings: number): void => {
    const { account } = broker;
    let left = readings;
    broker.account = async (...asked) => {
      const now = await account(...asked);
      left -= 1;
      return left < 0 ? now : { ...now, equity: ZERO, cash: ZERO, positions: [] };
    };
  };
  const limits = { maxDailyLoss: decimal('0.15') };

  it.each([1, 5])(
    'is read again: nothing is lost, bought or given away (%i times)',
    async (times) => {
      const bot = await world.running({ existingPositions: 'keep', limits });
      const sent = world.sent.length;
      emptyFor(times);
      await checks(times + 2);
      const { breach, heldParts } = await world.find(bot.id);
      expect([breach, heldParts.get(ACME)?.kept.toFixed()]).toEqual([null, '0']);
      expect(world.sent).toHaveLength(sent);
      await world.expectInLine(bot);
    },
  );

  it('is empty when that is told again and again', async () => {
    const bot = await world.running({ existingPositions: 'keep', limits });
    emptyFor(Infinity);
    await checks(30);
    expect((await world.find(bot.id)).breach).toMatchObject({ limit: 'max_daily_loss' });
  });
});

describe('an order that ended before all of its fills were told', () => {
  /** The broker fills the orders, and tells of the first ones that they were cancelled with `told` of it. `find` tells the truth once it is due. */
  const endsWith = (told: string, orders = 1): { tellAll: () => void } => {
    const { place, find } = broker;
    let isTold = false;
    const late = new Set<string>();
    const less = (order: BrokerOrder): BrokerOrder => {
      const filledAmount = decimal(told);
      const filledPrice = filledAmount.eq(ZERO) ? null : order.filledPrice;
      return { ...order, status: 'cancelled', filledAmount, filledPrice };
    };
    broker.place = async (access, order) => {
      const answer = await place(access, order);
      if (late.size === orders) return answer;
      late.add(order.clientOrderId);
      return less(answer);
    };
    broker.find = async (access, ids) =>
      new Map(
        [...(await find(access, ids))].map(([id, order]) => [
          id,
          late.has(id) && !isTold ? less(order) : order,
        ]),
      );
    return {
      tellAll: () => {
        isTold = true;
      },
    };
  };
  const partsOf = async ({ id }: Bot): Promise<readonly string[]> => {
    const part = (await world.find(id)).heldParts.get(ACME);
    return [part?.kept, part?.own].map((amount) => decimalText(amount ?? ZERO));
  };

  it.each(['0', '10'])(
    'with %s of it is asked for again while the account shows more: nothing is bought twice',
    async (told) => {
      await world.hold(STEADY, '0.5', { acme: '0.005' });
      const { tellAll } = endsWith(told);
      const bot = await world.start({ existingPositions: 'keep' });
      await world.run();
      expect(await world.find(bot.id)).toMatchObject({
        statusReason: expect.stringContaining('the account shows more than the last orders tell'),
      });
      tellAll();
      await checks(1);
      expect(world.sent).toHaveLength(1);
      expect(await partsOf(bot)).toEqual(['0', '49.99']);
      expect(await world.orders(bot)).toEqual(['filled: buy 49.99 acme']);
      expect(await world.find(bot.id)).toMatchObject({ status: 'running' });
    },
  );

  it('is given up after a minute in which nothing more was told: what came is the owner’s', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    endsWith('0');
    const bot = await world.start({ existingPositions: 'keep' });
    await world.run();
    await checks(3);
    const [kept, own] = await partsOf(bot);
    expect([kept, own === '0']).toEqual(['49.99', false]);
    expect(world.notices).toContainEqual(expect.stringContaining('49.99 ACME'));
  });

  it('is asked for also when the account showed its fills late: what came is the bot’s', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const { account } = broker;
    const { tellAll } = endsWith('0');
    let isOld = true;
    broker.account = async (...asked) => {
      const now = await account(...asked);
      const cash = decimal('10000');
      return isOld ? { ...now, cash, equity: cash, positions: [] } : now;
    };
    const bot = await world.start({ existingPositions: 'keep' });
    await world.run();
    isOld = false;
    tellAll();
    await checks(4);
    expect((await partsOf(bot))[0]).toBe('0');
    await world.expectInLine(bot);
  });

  it('delays what its owner buys by no more than a minute', async () => {
    const bot = await world.running({ existingPositions: 'keep' });
    const { place } = broker;
    broker.place = async (access, order) => {
      await place(access, { ...order, limit: decimal('1') });
      await broker.cancel(access, order.clientOrderId);
      broker.place = place;
      const byHand = { ...order, clientOrderId: 'by-hand', amount: decimal('3') };
      return {
        ...(await place(access, byHand)),
        ...order,
        status: 'cancelled',
        filledAmount: ZERO,
      };
    };
    await world.hold(STEADY, '0.4', { acme: '0.006' });
    await world.run();
    await checks(3);
    expect((await partsOf(bot))[0]).toBe('3');
    await world.expectInLine(bot);
  });
});

describe('a bot that waits for a trade with what it still holds', () => {
  it('is judged by its limits of losses', async () => {
    await world.hold(STEADY, '0', { acme: '0.01' });
    const limits = { maxDailyLoss: decimal('0.1') };
    const bot = await world.start({ limits });
    await world.run();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await world.bots.start(follower, { botId: bot.id, rebalanceOnStart: false });
    await world.run();
    await checks(1);
    world.price(ACME, '88');
    await checks(2);
    expect((await world.find(bot.id)).breach).toMatchObject({ limit: 'max_daily_loss' });
  });
});
