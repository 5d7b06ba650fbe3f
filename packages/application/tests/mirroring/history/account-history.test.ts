import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Bot,
  type StockAction,
  type Timeframe,
  DAY,
  MINUTE,
  ZERO,
  decimal,
  decimalText,
  id,
  sum,
} from '@slipstream/domain';
import { anAccess } from '@slipstream/port-contracts';
import { ACME, STEADY, type BotWorld, aBotWorld, follower, owner } from '../bot-world.js';
import { getBotHistory } from '../../../src/mirroring/index.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

const historyOf = async (bot: Bot, timeframe?: Timeframe) => {
  const rows = await getBotHistory(world.deps)(follower, { botId: bot.id, timeframe });
  const began = rows[0]?.at ?? 0;
  return rows.map(({ at, equity, flow, target }) => [
    (at - began) / MINUTE,
    decimalText(equity.round(2)),
    flow && decimalText(flow),
    target && decimalText(target),
  ]);
};

const minutes = async (count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute += 1) {
    world.clock.advance(MINUTE);
    await world.run();
  }
};

describe("the history of a bot's account", () => {
  it('has a row a minute from the first reading on, also when nothing changes', async () => {
    const bot = await world.running();
    await minutes(3);
    const rows = await historyOf(bot);
    expect(rows.map(([minute]) => minute)).toEqual([0, 1, 2, 3]);
    expect(rows.map(([, , , target]) => target)).toEqual(['1', '1', '1', '1']);
  });

  it('begins with the first reading, from before the first orders, however old it grows', async () => {
    const bot = await world.running({ limits: { maxDrawdown: decimal('0.5') } });
    await minutes(3);
    const rows = await historyOf(bot, 'five_year');
    expect(rows[0]).toEqual([0, '10000', '0', '1']);
    expect(Number(rows[1]?.[1])).toBeLessThan(10_000);
    for (const days of [1, 6, 90]) {
      world.clock.advance(days * DAY);
      await minutes(1);
      expect((await historyOf(bot, 'five_year'))[0]).toEqual(rows[0]);
    }
  });

  it('follows the strategy from 1, and shows the account beside it', async () => {
    const bot = await world.running();
    world.price(ACME, '110');
    await minutes(1);
    const [, last] = await historyOf(bot);
    expect(last).toEqual([1, expect.stringMatching(/^1049\d\.?\d*$/), null, '1.05']);
  });

  it('has no target any more once its owner may not see it, also while the bot waits to close', async () => {
    const bot = await world.running({ closeOnStop: true });
    await minutes(1);
    await world.bots.update(follower, { botId: bot.id, mode: 'paused' });
    await world.unitOfWork.run(async ({ subscriptions }) => {
      const row = await subscriptions.findCurrent(STEADY, follower);
      if (row) await subscriptions.save({ ...row, status: 'cancelled' });
    });
    world.price(ACME, '110');
    await minutes(2);
    expect((await world.find(bot.id)).status).toBe('stopping');
    const rows = await historyOf(bot);
    expect(rows.map(([, , , target]) => target)).toEqual(['1', '1', null, null]);
  });

  it('has what flowed since the row before, of a bot whose losses are measured', async () => {
    const bot = await world.running({ limits: { maxDrawdown: decimal('0.5') } });
    await minutes(1);
    const access = anAccess({ accountId: bot.accountId, credentials: { user_id: follower } });
    const transfer = async (cash: string): Promise<void> => {
      await world.broker.transfer(access, {
        cash: decimal(cash),
        stockId: null,
        amount: decimal('0'),
      });
      await minutes(1);
    };
    await transfer('5000');
    await transfer('-2000');
    await minutes(1);
    const rows = await historyOf(bot);
    expect(rows.map(([, , flow]) => flow)).toEqual(['0', '0', '0', '5000', '-2000', '0']);
    expect(new Set(rows.map(([, , , target]) => target))).toEqual(new Set(['1']));
  });

  it.each([
    ['above', '120', '11000'],
    ['below', '30', '6500'],
  ])(
    'moves with a delisting that settles %s the last price, without a flow',
    async (_, price, equity) => {
      const bot = await world.running({ limits: { maxDrawdown: decimal('0.9') } });
      await minutes(1);
      const delisting: StockAction = {
        ...{ id: id<'stock_action'>('delisting'), stockId: ACME, kind: 'delisting' },
        ...{ figure: decimal(price), newShares: null, oldShares: null, status: 'done' },
        createdAt: world.clock.now(),
      };
      world.delisted.add(ACME);
      await world.unitOfWork.run(({ stockActions }) => stockActions.save(delisting));
      await world.broker.adjust?.(delisting);
      await minutes(1);
      const last = (await historyOf(bot)).at(-1);
      expect(last?.[2]).toBe('0');
      expect(Math.abs(Number(last?.[1]) - Number(equity))).toBeLessThan(20);
    },
  );

  it('keeps its minutes while the clock is in doubt, however old they seem', async () => {
    const bot = await world.running();
    await minutes(3);
    const starts = () =>
      world.unitOfWork.read(async ({ botHistory }) =>
        (await botHistory.list(bot.id, 0)).map(({ length }) => length / MINUTE),
      );
    const now = world.clock.now();
    world.clock.advance(366 * DAY);
    world.clock.doubt(true);
    await minutes(1);
    await minutes(1);
    world.clock.set(now);
    world.clock.doubt(false);
    expect((await starts()).slice(0, 4)).toEqual([DAY / MINUTE, 1, 1, 1]);
    world.clock.advance(400 * DAY);
    await minutes(1);
    expect((await starts()).slice(0, 2)).toEqual([DAY / MINUTE, DAY / MINUTE]);
  });

  it('does not take what strategies did while the bot was off', async () => {
    const bot = await world.running();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    world.price(ACME, '200');
    world.clock.advance(10 * MINUTE);
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    const rows = await historyOf(bot);
    expect(rows.map(([minute, , , target]) => [minute, target])).toEqual([
      [0, '1'],
      [10, '1'],
    ]);
  });

  it('does not know the target while a strategy has no value above zero', async () => {
    const bot = await world.running();
    world.clock.advance(MINUTE);
    await world.hold(STEADY, '-0.6', { acme: '0.005' });
    await world.run();
    expect((await historyOf(bot)).map(([, , , target]) => target)).toEqual(['1', null]);
  });

  it('merges what is older than a day, and answers at most 500 rows', async () => {
    const bot = await world.running();
    await minutes(20);
    world.clock.advance(2 * DAY);
    await world.run();
    expect((await historyOf(bot)).length).toBeLessThan(6);
    const rows = Array.from({ length: 1_200 }, (_, index) => world.clock.now() + index * MINUTE);
    await world.unitOfWork.run(async ({ botHistory }) => {
      for (const start of rows)
        await botHistory.save(bot.id, {
          start,
          length: MINUTE,
          at: start,
          equity: decimal('1'),
          cash: decimal('1'),
          flow: decimal('1'),
          target: null,
          unheld: null,
        });
    });
    world.clock.advance(1_200 * MINUTE);
    const all = await getBotHistory(world.deps)(follower, { botId: bot.id, timeframe: 'day' });
    expect(all.length).toBeLessThanOrEqual(500);
    expect(decimalText(sum(all.map(({ flow }) => flow ?? ZERO)))).toBe('1200');
  });

  it("is its owner's, and ends with the bot", async () => {
    const bot = await world.running();
    await expect(getBotHistory(world.deps)(owner, { botId: bot.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    await world.bots.delete(follower, { botId: bot.id });
    const left = await world.unitOfWork.read(({ botHistory }) => botHistory.last(bot.id));
    expect(left).toBeUndefined();
  });
});
