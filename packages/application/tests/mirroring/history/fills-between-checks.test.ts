import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, decimal, decimalText } from '@slipstream/domain';
import { anAccess } from '@slipstream/port-contracts';
import { previewBot } from '../../../src/mirroring/index.js';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;
let bot: Bot;

const check = async (): Promise<void> => {
  world.clock.advance(60_000);
  await world.run();
};

/** A check that sends orders, which the broker fills a moment later. */
const checkAndFill = async (): Promise<void> => {
  world.clock.advance(60_000);
  await world.engine.runDueBots();
  world.clock.advance(1);
};

/** What is the bot's of the account, and what its owner's, as it is shown. */
const seen = async () => {
  const { positions, managedEquity } = await world.bots.account(follower, { botId: bot.id });
  const part = (take: 'kept' | 'own') =>
    Object.fromEntries(
      positions.map(({ stockId, amount, kept }) => [
        stockId,
        decimalText(take === 'kept' ? kept : amount.minus(kept)),
      ]),
    );
  return { kept: part('kept'), own: part('own'), equity: Number(decimalText(managedEquity)) };
};

const previewed = async () => {
  const { kept } = await previewBot(world.deps)(follower, { botId: bot.id });
  return Object.fromEntries(kept.map(({ stockId, amount }) => [stockId, decimalText(amount)]));
};

beforeEach(async () => {
  world = await aBotWorld({ acceptsFirst: true });
  await world.hold(STEADY, '0.5', { acme: '0.005' });
  bot = await world.aNewBot({ existingPositions: 'keep' });
  const access = anAccess({ accountId: bot.accountId, credentials: { user_id: follower } });
  for (const [stockId, amount] of [
    [ACME, '10'],
    [BOLT, '20'],
  ] as const)
    await world.broker.place(access, {
      clientOrderId: `by hand ${stockId}`,
      stock: world.stockOf(stockId),
      action: 'buy',
      amount: decimal(amount),
      limit: null,
      closes: false,
    });
  world.clock.advance(1);
  await world.broker.account(access, world.deps.instruments);
  await world.bots.start(follower, { botId: bot.id });
});

/** What the strategy holds before and after the order, and how the bot's holding of ACME changes. */
const CASES = [
  ['opens', {}, { acme: '0.005' }, (before: number, after: number) => before === 0 && after > 30],
  ['adds', { acme: '0.002' }, { acme: '0.005' }, (before, after) => after > before && before > 0],
  ['reduces', { acme: '0.005' }, { acme: '0.002' }, (before, after) => after < before && after > 0],
  ['closes', { acme: '0.005' }, {}, (before, after) => before > 30 && after === 0],
] as const satisfies readonly (readonly [
  string,
  Record<string, string>,
  Record<string, string>,
  (before: number, after: number) => boolean,
])[];

describe('an order that was filled since the last check of its bot', () => {
  it.each(CASES)("is the bot's own when it %s", async (_, from, to, isChanged) => {
    await world.hold(STEADY, '0.5', from);
    await check();
    await check();
    const before = await seen();
    await world.hold(STEADY, '0.5', to);
    await checkAndFill();
    const filled = await seen();
    expect(isChanged(Number(before.own['acme'] ?? 0), Number(filled.own['acme'] ?? 0))).toBe(true);
    expect(filled.kept).toEqual({ acme: '10', bolt: '20' });
    expect(await previewed()).toEqual({ acme: '10', bolt: '20' });
    expect(Math.abs(filled.equity / before.equity - 1)).toBeLessThan(0.01);
  });
});
