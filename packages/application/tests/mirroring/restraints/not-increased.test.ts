import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, type BrokerAccount, MINUTE, decimal } from '@slipstream/domain';
import type { BotSettings } from '../../../src/mirroring/new-bot.js';
import { ACME, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;
/** What the broker lets the account do otherwise. */
let change: Partial<BrokerAccount>;
let lendsShorts: boolean;

beforeEach(async () => {
  world = await aBotWorld();
  change = {};
  lendsShorts = true;
  const { brokers } = world;
  const broker = brokers.get('simulated') ?? world.broker;
  brokers.set('simulated', {
    ...broker,
    account: async (...asked) => ({ ...(await broker.account(...asked)), ...change }),
    rules: async (...asked) =>
      new Map(
        [...(await broker.rules(...asked))].map(([stockId, rules]) => [
          stockId,
          { ...rules, allowsShort: lendsShorts },
        ]),
      ),
  });
});

const SIZES = [
  ['max_capital', { limits: { maxCapital: decimal('5000') } }],
  ['max_gross', { limits: { maxGross: decimal('0.5') } }],
  ['its leverage and the maximum of the account', { leverage: decimal('2') }],
] as const satisfies readonly (readonly [string, BotSettings])[];

const pass = async (minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    world.clock.advance(MINUTE);
    await world.run();
  }
};

async function aSizedBot(settings: BotSettings, bolt = '0.005'): Promise<Bot> {
  if (settings.leverage) change = { maxGross: decimal('1') };
  await world.hold(STEADY, bolt.startsWith('-') ? '1' : '0', { acme: '0.005', bolt });
  const bot = await world.start(settings);
  await world.run();
  return bot;
}

/** Nothing is traded in the next minutes, and the same is held after them. */
async function expectAtRest(bot: Bot): Promise<void> {
  const [held, sent] = [await world.holdings(bot), world.sent.length];
  expect(Object.keys(held).toSorted()).toEqual(['acme', 'bolt']);
  await pass(5);
  expect(await world.holdings(bot)).toEqual(held);
  expect(world.sent.length - sent).toBe(0);
  expect(await world.find(bot.id)).toMatchObject({ status: 'running' });
}

describe.each(SIZES)('a bot whose target is scaled down by %s', (_, settings) => {
  it('goes on with what it holds of a stock that it may not increase any more', async () => {
    const bot = await aSizedBot(settings);
    const held = await world.holdings(bot);
    await world.bots.update(follower, { botId: bot.id, denyStocks: [ACME] });
    await world.run();
    expect(await world.holdings(bot)).toEqual(held);
    await expectAtRest(bot);
    // The strategy sells half of it, and so does the bot.
    const before = Number(held['acme']);
    await world.hold(STEADY, '0.25', { acme: '0.0025', bolt: '0.005' });
    await world.run();
    const after = Number((await world.holdings(bot))['acme']);
    expect(after / before).toBeGreaterThan(0.45);
    expect(after / before).toBeLessThan(0.7);
  });

  it('goes on with what it held before a start that joins only what is new', async () => {
    const bot = await aSizedBot(settings);
    const held = await world.holdings(bot);
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await world.bots.update(follower, { botId: bot.id, join: 'new_only' });
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    expect(await world.holdings(bot)).toEqual(held);
    await expectAtRest(bot);
  });

  it('goes on with a short that its broker lends no more of', async () => {
    const bot = await aSizedBot(settings, '-0.005');
    const held = await world.holdings(bot);
    lendsShorts = false;
    await pass(1);
    expect(await world.holdings(bot)).toEqual(held);
    await expectAtRest(bot);
  });
});

describe('a start that joins only what is new', () => {
  it.each([
    ['max_capital, which sizes every check', SIZES[0][1], 1],
    ['max_gross, which binds no more beside a stock that is missing', SIZES[1][1], 0.5],
    ['the maximum of the account, which neither does', SIZES[2][1], 0.5],
  ])('goes on with the part that is held of a target sized by %s', async (_, settings, part) => {
    const bot = await aSizedBot(settings);
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await world.bots.update(follower, { botId: bot.id, join: 'new_only' });
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    const unjoined = (await world.find(bot.id)).following.unjoined.get(STEADY);
    expect(Number(unjoined?.get(ACME)?.part.toFixed(9))).toBeCloseTo(part, 1);
  });
});
