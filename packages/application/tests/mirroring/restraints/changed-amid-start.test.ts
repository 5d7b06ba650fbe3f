import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Bot } from '@slipstream/domain';
import type { Broker } from '@slipstream/ports';
import { STEADY, aBotWorld, follower } from '../bot-world.js';

/** What happens once while a broker is asked for an account. */
let meanwhile: () => Promise<unknown>;

/** That broker, by another name and with real money. */
const asReal = (broker: Broker, name: string, live: boolean): Broker => ({
  ...broker,
  name,
  live,
  link: async (request) => ({ ...(await broker.link(request)), live }),
  account: async (...given) => {
    const account = await broker.account(...given);
    const act = meanwhile;
    meanwhile = async () => undefined;
    await act();
    return account;
  },
});

const aWorld = async (live: boolean) => {
  const world = await aBotWorld();
  for (const name of ['simulated', 'other'])
    world.brokers.set(name, asReal(world.broker, name, live));
  await world.hold(STEADY, '0.5', { acme: '0.005' });
  return world;
};

beforeEach(() => {
  meanwhile = async () => undefined;
});

describe('a bot that is changed while startBot asks its broker', () => {
  const stays = async (
    world: Awaited<ReturnType<typeof aWorld>>,
    bot: Bot,
    code: string,
    live?: boolean,
  ): Promise<void> => {
    const start = world.bots.start(follower, { botId: bot.id, live });
    await expect(start).rejects.toMatchObject({ code });
    await world.run();
    expect((await world.find(bot.id)).status).toBe('off');
    expect(world.sent).toEqual([]);
  };

  it('from a dry run to real money needs live: true', async () => {
    const world = await aWorld(true);
    const bot = await world.aNewBot({ dryRun: true });
    meanwhile = () => world.bots.update(follower, { botId: bot.id, dryRun: false });
    await stays(world, bot, 'live_not_confirmed');
  });

  it('to another broker is not started on an account that nobody looked at', async () => {
    const world = await aWorld(false);
    const bot = await world.aNewBot({ credentials: { starting_balance: '10000' } });
    const credentials = { starting_balance: '1000' };
    meanwhile = () => world.bots.update(follower, { botId: bot.id, broker: 'other', credentials });
    await stays(world, bot, 'conflict');
  });

  it('by a halt is not started', async () => {
    const world = await aWorld(false);
    const bot = await world.aNewBot();
    meanwhile = () => world.halt(follower, 'user', follower);
    await stays(world, bot, 'trading_halted');
  });
});
