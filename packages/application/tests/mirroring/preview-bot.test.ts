import { describe, expect, it } from '@jest/globals';
import { BOT_NOTIFICATIONS, ONE, SECOND, decimal, decimalText } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { type BotPreview, type NewBot, previewBot } from '../../src/mirroring/index.js';
import { fixture } from '../fixture.js';
import { STEADY, aBotWorld, follower, owner } from './bot-world.js';

const A_BOT: NewBot = {
  type: 'stock',
  broker: 'simulated',
  allocations: [{ strategyId: STEADY, percent: ONE }],
  notifications: BOT_NOTIFICATIONS,
};

const legs = ({ orders }: BotPreview): string[] =>
  orders.map(
    ({ action, stockId, amount }) => `${action} ${decimalText(amount.round(0))} ${stockId}`,
  );

describe('previewBot', () => {
  it('is answered ten times a minute for a user', async () => {
    const { app, user } = await fixture();
    const [ada, bob] = [await user('ada'), await user('bob')];
    const refusedAs = (caller: Caller) => expect(app.previewBot(caller, {})).rejects;
    for (let call = 0; call < 10; call += 1)
      await refusedAs(ada).toMatchObject({ code: 'invalid_field' });
    await refusedAs(ada).toMatchObject({ name: 'TriedTooOften', seconds: 60 });
    await refusedAs(bob).toMatchObject({ code: 'invalid_field' });
  });

  it('shows what a new bot would do, and stores and sends nothing', async () => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const credentials = { starting_balance: '20000' };
    const preview = await previewBot(world.deps)(follower, { ...A_BOT, credentials });
    expect(preview).toMatchObject({
      account: { live: false, equity: decimal('20000'), cash: decimal('20000') },
      kept: [],
      warnings: [],
    });
    expect(legs(preview)).toEqual(['buy 100 acme']);
    expect(world.sent).toEqual([]);
    const stored = await world.unitOfWork.read(async ({ bots, brokerAccounts }) => [
      await bots.listOf(follower),
      await brokerAccounts.list(),
    ]);
    expect(stored).toEqual([[], []]);
  });

  it.each([
    [
      '1999.99',
      ['It cannot start: the broker balance is 1999.99 USD; at least 2000 USD is needed.'],
    ],
    ['2000', []],
  ])('warns that a bot cannot start with %s USD', async (starting_balance, expected) => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const ofStart = async (command: Parameters<ReturnType<typeof previewBot>>[1]) => {
      const { warnings } = await previewBot(world.deps)(follower, command);
      return warnings.filter((warning) => warning.includes('start'));
    };
    const made = { ...A_BOT, credentials: { starting_balance } };
    expect(await ofStart(made)).toEqual(expected);
    const { id: botId } = await world.bots.new(follower, made);
    expect(await ofStart({ botId })).toEqual(expected);
    const start = world.bots.start(follower, { botId });
    if (expected.length > 0)
      await expect(start).rejects.toMatchObject({ code: 'insufficient_balance' });
    else {
      await start;
      expect(await ofStart({ botId })).toEqual([]);
    }
  });

  it('shows what a change of a bot would do, while the bot goes on as it is', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    const before = await world.find(bot.id);
    const preview = await previewBot(world.deps)(follower, {
      botId: bot.id,
      leverage: decimal('0.2'),
    });
    expect(legs(preview)).toEqual(['sell 40 acme']);
    expect(await world.find(bot.id)).toEqual(before);
    const denied = await previewBot(world.deps)(follower, { botId: bot.id, mode: 'paused' });
    expect(denied.orders).toEqual([]);
  });

  it('shows no order of a bot that waits for the next trade, and why', async () => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const preview = (command: Parameters<ReturnType<typeof previewBot>>[1]) =>
      previewBot(world.deps)(follower, command);
    const waits = { orders: [], warnings: ['Waits for the next trade of a mirrored strategy.'] };
    expect(await preview({ ...A_BOT, rebalanceOnStart: false })).toMatchObject(waits);
    const { id: botId } = await world.bots.new(follower, { ...A_BOT, rebalanceOnStart: false });
    expect(await preview({ botId })).toMatchObject(waits);
    expect(legs(await preview({ botId, rebalanceOnStart: true }))).not.toEqual([]);
    await world.bots.start(follower, { botId });
    expect(await preview({ botId })).toMatchObject(waits);
    world.clock.advance(SECOND);
    await world.hold(STEADY, '0.2', { acme: '0.008' }, [{ action: 'buy' }]);
    expect(legs(await preview({ botId }))).not.toEqual([]);
    await world.halt('operator', 'all');
    const halted = await preview({ ...A_BOT, rebalanceOnStart: false });
    expect(halted.warnings).toEqual([
      'Trading is halted by the operator: prices look wrong.',
      ...waits.warnings,
    ]);
  });

  it('shows what is kept, and the reasons for what is left out', async () => {
    const world = await aBotWorld();
    await world.running({ accountId: 'savings' });
    await world.hold(STEADY, '0.2', { acme: '0.004', bolt: '0.004' });
    const preview = await previewBot(world.deps)(follower, {
      ...A_BOT,
      accountId: 'savings',
      existingPositions: 'keep',
      denyStocks: ['bolt'],
    });
    expect(preview.kept).toEqual([{ stockId: 'acme', amount: decimal('49.99') }]);
    expect(legs(preview)).toEqual(['buy 20 acme']);
    expect(preview.warnings).toContain('Increases of BOLT are left out, by the lists of the bot.');
    await world.halt('operator', 'all');
    const halted = await previewBot(world.deps)(follower, A_BOT);
    expect(halted.orders).toEqual([]);
    expect(halted.warnings).toContain('Trading is halted by the operator: prices look wrong.');
  });

  it('refuses what newBot and updateBot refuse', async () => {
    const world = await aBotWorld();
    const bot = await world.aNewBot();
    const refused = (command: Parameters<ReturnType<typeof previewBot>>[1], userId = follower) =>
      expect(previewBot(world.deps)(userId, command)).rejects;
    await refused({ botId: bot.id }, owner).toMatchObject({ code: 'not_found' });
    await refused({ botId: bot.id, leverage: decimal('3') }).toMatchObject({
      code: 'invalid_field',
    });
    await refused({ ...A_BOT, credentials: { key: 'x' } }).toMatchObject({
      code: 'invalid_field',
    });
    await refused({ ...A_BOT, broker: 'nowhere' }).toMatchObject({ code: 'invalid_field' });
  });
});
