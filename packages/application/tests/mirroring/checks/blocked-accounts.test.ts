import { beforeEach, describe, expect, it } from '@jest/globals';
import { type BrokerAccount, DAY, MINUTE, ONE, decimal } from '@slipstream/domain';
import type { BotSettings } from '../../../src/mirroring/new-bot.js';
import { previewBot } from '../../../src/mirroring/trial/preview-bot.js';
import { ACME, type BotWorld, STEADY, aBotWorld, follower } from '../bot-world.js';

const BLOCKED = { allows: 'nothing', because: 'The account is closed.' } as const;
const MARGIN_CALL = { allows: 'closing', because: 'a margin call' } as const;
const SAID = 'The broker lets this account trade nothing: The account is closed.';
const ONLY_CLOSES = 'The broker lets this account only close positions: a margin call.';

let world: BotWorld;
let block: Partial<BrokerAccount>;

beforeEach(async () => {
  world = await aBotWorld();
  block = {};
  const { brokers } = world;
  const broker = brokers.get('simulated') ?? world.broker;
  brokers.set('simulated', {
    ...broker,
    account: async (...asked) => ({ ...(await broker.account(...asked)), ...block }),
  });
});

const pass = async (minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    world.clock.advance(MINUTE);
    await world.run();
  }
};
const warnings = (): readonly string[] =>
  world.notices.filter((notice) => notice.startsWith('warning'));

describe('an account that its broker blocks while its bot is in line', () => {
  it.each([
    ['trade nothing', BLOCKED, SAID],
    ['only close', MARGIN_CALL, ONLY_CLOSES],
  ])('and lets %s: the owner is told at once, and once', async (_, change, said) => {
    const bot = await world.running();
    block = change;
    await pass(5);
    expect(await world.find(bot.id)).toMatchObject({ status: 'running', statusReason: said });
    expect(warnings()).toEqual([`warning: ${said}`]);
    block = {};
    await pass(1);
    expect(await world.find(bot.id)).toMatchObject({ status: 'running', statusReason: null });
  });

  it('is told once more the day after, and when the broker gives another reason', async () => {
    await world.running();
    block = BLOCKED;
    await pass(2);
    block = MARGIN_CALL;
    await pass(2);
    block = BLOCKED;
    await pass(2);
    expect(warnings()).toEqual([`warning: ${SAID}`, `warning: ${ONLY_CLOSES}`]);
    world.clock.advance(DAY);
    await pass(2);
    expect(warnings().slice(2)).toEqual([`warning: ${SAID}`]);
  });

  it('is told by a bot that closes, and the closing goes on once it may', async () => {
    const bot = await world.running();
    block = BLOCKED;
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await pass(3);
    expect(await world.find(bot.id)).toMatchObject({ status: 'stopping', statusReason: SAID });
    expect(warnings()).toEqual([`warning: ${SAID}`]);
    block = {};
    await pass(1);
    expect(await world.find(bot.id)).toMatchObject({ status: 'off', statusReason: null });
    expect(await world.holdings(bot)).toEqual({});
  });

  it.each<[string, BotSettings]>([
    ['is paused', { mode: 'paused' }],
    ['makes a dry run', { dryRun: true }],
    ['awaits a trade', { rebalanceOnStart: false, limits: { maxDailyLoss: decimal('0.5') } }],
  ])('is told by a bot that %s, too', async (_, settings) => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    block = BLOCKED;
    await world.start(settings);
    await pass(2);
    expect(warnings()).toEqual([`warning: ${SAID}`]);
    expect(world.sent).toEqual([]);
  });

  it('is told by a preview that has nothing to trade', async () => {
    const bot = await world.running();
    block = BLOCKED;
    const preview = previewBot(world.deps);
    expect((await preview(follower, { botId: bot.id })).warnings).toEqual([SAID]);
    await world.hold(STEADY, '0', { acme: '0.01' });
    const allocations = [{ strategyId: STEADY, percent: ONE }];
    const { orders, warnings: told } = await preview(follower, { botId: bot.id, allocations });
    expect([orders, told]).toEqual([[], [SAID]]);
    expect(world.sent).toHaveLength(1);
    expect(ACME in (await world.holdings(bot))).toBe(true);
  });
});
