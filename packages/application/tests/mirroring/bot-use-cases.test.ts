import { beforeEach, describe, expect, it } from '@jest/globals';
import { startBot } from '../../src/mirroring/index.js';
import { ONE, decimal, decimalText, id } from '@slipstream/domain';
import { type BotWorld, DARING, MINTED, STEADY, aBotWorld, follower, owner } from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

const refused = (code: string, word = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(word) });

describe('newBot (contract 4)', () => {
  it('makes a bot that is off, with the defaults', async () => {
    const bot = await world.bots.new(follower, { type: 'stock', broker: 'simulated' });
    expect(bot).toMatchObject({
      userId: follower,
      status: 'off',
      condition: 'off',
      live: false,
      rebalanceOnStart: true,
      closeOnStop: false,
      allocations: [],
    });
    expect([bot.leverage, bot.slippage].map(decimalText)).toEqual(['1', '0.002']);
    expect(decimalText((await world.bots.account(follower, { botId: bot.id })).cash)).toBe('10000');
    expect(await world.bots.list(follower)).toHaveLength(1);
  });

  it.each([
    ['a broker that is not here', { broker: 'nobody' }, 'invalid_field'],
    [
      'credentials that the broker refuses',
      { credentials: { starting_balance: '0' } },
      'broker_access',
    ],
    ['a leverage beyond 2', { leverage: decimal('2.01') }, 'invalid_field'],
    [
      'a strategy of another type',
      { allocations: [{ strategyId: MINTED, percent: ONE }] },
      'invalid_field',
    ],
    [
      'a strategy that is not there',
      { allocations: [{ strategyId: id<'strategy'>('none'), percent: ONE }] },
      'not_found',
    ],
  ])('refuses %s', async (_, change, code) => {
    await expect(world.aNewBot(change)).rejects.toThrow(refused(code));
  });

  it('makes ten for a user, those that are off too', async () => {
    const bot = () => world.bots.new(follower, { type: 'stock', broker: 'simulated' });
    for (let made = 0; made < 10; made += 1) await bot();
    await expect(bot()).rejects.toThrow(refused('cap_reached', 'have 10 bots at most'));
    const [first] = await world.bots.list(follower);
    await world.bots.delete(follower, { botId: first?.id ?? '' });
    await bot();
  });

  it('refuses a strategy that the user neither owns nor follows', async () => {
    const stranger = id<'user'>('user-3');
    const attempt = world.bots.new(stranger, {
      type: 'stock',
      broker: 'simulated',
      allocations: [{ strategyId: STEADY, percent: ONE }],
    });
    await expect(attempt).rejects.toThrow(refused('not_found'));
  });

  it('lets an owner mirror an own strategy', async () => {
    const allocations = [{ strategyId: STEADY, percent: ONE }];
    const bot = await world.bots.new(owner, { type: 'stock', broker: 'simulated', allocations });
    expect(bot.allocations).toEqual(allocations);
  });

  it('never uses the brokerage account of somebody else, whatever it is called', async () => {
    const theirs = await world.aNewBot({ accountId: 'mine' });
    const own = await world.bots.new(owner, {
      type: 'stock',
      broker: 'simulated',
      accountId: 'mine',
    });
    expect(theirs.accountId).toBe('mine');
    expect(own.accountId).not.toBe('mine');
  });
});

describe('startBot (spec 3)', () => {
  it('changes nothing when its notification cannot be stored: both are one transaction', async () => {
    const bot = await world.aNewBot();
    const { deps } = world;
    const unitOfWork: typeof deps.unitOfWork = {
      ...deps.unitOfWork,
      run: (work, options) =>
        deps.unitOfWork.run((stores) => {
          stores.notifications.save = () => Promise.reject(new Error('the disk is full'));
          return work(stores);
        }, options),
    };
    const starting = startBot({ ...deps, unitOfWork })(follower, { botId: bot.id });
    await expect(starting).rejects.toThrow('the disk is full');
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
  });

  it('schedules a rebalance', async () => {
    const bot = await world.aNewBot();
    const started = await world.bots.start(follower, { botId: bot.id });
    expect(started).toMatchObject({ status: 'scheduled_rebalance', condition: 'active' });
    expect(world.notices).toEqual(['start: Started.']);
  });

  it('refuses a bot that is not off', async () => {
    const bot = await world.aNewBot();
    await world.bots.start(follower, { botId: bot.id });
    await expect(world.bots.start(follower, { botId: bot.id })).rejects.toThrow(
      refused('bot_not_off'),
    );
  });

  it('refuses without allocations', async () => {
    const bot = await world.aNewBot({ allocations: [] });
    await expect(world.bots.start(follower, { botId: bot.id })).rejects.toThrow(
      refused('no_allocations'),
    );
  });

  it.each([
    ['refused', 'refused access'],
    ['lost_answer', 'cannot be reached'],
    [{ rateLimited: 1000 }, 'slow down'],
  ] as const)('refuses when access is %j', async (fault, word) => {
    const bot = await world.aNewBot();
    world.faults.on('account', fault);
    await expect(world.bots.start(follower, { botId: bot.id })).rejects.toThrow(
      refused('broker_access', word),
    );
    expect((await world.find(bot.id)).status).toBe('off');
  });

  it.each([
    ['stock', STEADY, '1999.99'],
    ['cryptocurrency', MINTED, '99.99'],
  ] as const)('refuses a %s account below its minimum', async (type, strategyId, balance) => {
    const bot = await world.aNewBot({
      type,
      allocations: [{ strategyId, percent: ONE }],
      credentials: { starting_balance: balance },
    });
    await expect(world.bots.start(follower, { botId: bot.id })).rejects.toThrow(
      refused('insufficient_balance'),
    );
  });

  it('refuses a second active bot on a brokerage account', async () => {
    const [first, second] = [
      await world.aNewBot({ accountId: 'mine' }),
      await world.aNewBot({ accountId: 'mine' }),
    ];
    await world.bots.start(follower, { botId: first.id });
    await expect(world.bots.start(follower, { botId: second.id })).rejects.toThrow(
      refused('account_limit', 'brokerage account'),
    );
  });

  it('refuses an eleventh active bot of a user', async () => {
    world = await aBotWorld({}, { bots: 11 });
    for (let count = 0; count < 10; count += 1) {
      const bot = await world.aNewBot();
      await world.bots.start(follower, { botId: bot.id });
    }
    const last = await world.aNewBot();
    await expect(world.bots.start(follower, { botId: last.id })).rejects.toThrow(
      refused('account_limit', '10'),
    );
  });
});

describe('who may', () => {
  it("answers someone else's bot as one that does not exist", async () => {
    const bot = await world.aNewBot();
    const command = { botId: bot.id };
    const missing = refused('not_found', 'does not exist');
    await expect(world.bots.start(owner, command)).rejects.toThrow(missing);
    await expect(world.bots.stop(owner, command)).rejects.toThrow(missing);
    await expect(world.bots.reset(owner, command)).rejects.toThrow(missing);
    await expect(world.bots.update(owner, command)).rejects.toThrow(missing);
    await expect(
      world.bots.updateNotifications(owner, { ...command, notifications: [] }),
    ).rejects.toThrow(missing);
    await expect(world.bots.delete(owner, command)).rejects.toThrow(missing);
    await expect(world.bots.account(owner, command)).rejects.toThrow(missing);
    await expect(world.bots.orders(owner, { ...command, limit: 10 })).rejects.toThrow(missing);
    expect(await world.bots.list(owner)).toEqual([]);
  });
});

describe('changing a bot (contract 4)', () => {
  it('changes allocations and settings while active, and looks at once', async () => {
    const bot = await world.aNewBot();
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    world.clock.advance(1000);
    const changed = await world.bots.update(follower, {
      botId: bot.id,
      leverage: decimal('1.5'),
      allocations: [{ strategyId: DARING, percent: ONE }],
    });
    expect(decimalText(changed.leverage)).toBe('1.5');
    expect(changed.nextRunAt).toBe(world.clock.now());
  });

  it('changes credentials only while off', async () => {
    const bot = await world.aNewBot();
    const command = { botId: bot.id, credentials: { starting_balance: '10000' } };
    await expect(world.bots.update(follower, command)).resolves.toMatchObject({
      accountId: bot.accountId,
    });
    await world.bots.start(follower, { botId: bot.id });
    await expect(world.bots.update(follower, command)).rejects.toThrow(
      refused('bot_not_off', 'credentials'),
    );
  });

  it('replaces the notifications', async () => {
    const bot = await world.aNewBot();
    const changed = await world.bots.updateNotifications(follower, {
      botId: bot.id,
      notifications: ['error', 'error'],
    });
    expect(changed.notifications).toEqual(['error']);
  });

  it('deletes a bot only while it is off', async () => {
    const bot = await world.aNewBot();
    await world.bots.start(follower, { botId: bot.id });
    await expect(world.bots.delete(follower, { botId: bot.id })).rejects.toThrow(
      refused('bot_not_off'),
    );
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    await world.bots.delete(follower, { botId: bot.id });
    expect(await world.bots.list(follower)).toEqual([]);
  });

  it('keeps a bot off that is reset while off', async () => {
    const bot = await world.aNewBot();
    expect(await world.bots.reset(follower, { botId: bot.id })).toMatchObject({ status: 'off' });
  });
});
