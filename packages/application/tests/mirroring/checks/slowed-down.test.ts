import { beforeEach, describe, expect, it } from '@jest/globals';
import { BrokerRateLimited } from '@slipstream/ports';
import { type BotWorld, aBotWorld, follower } from '../bot-world.js';

const TEN_SECONDS = 10_000;
const A_MINUTE = 6;

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

/** So many tens of seconds. */
const pass = async (steps: number): Promise<void> => {
  for (let step = 0; step < steps; step += 1) {
    world.clock.advance(TEN_SECONDS);
    await world.run();
  }
};
const warnings = (): readonly string[] =>
  world.notices.filter((notice) => notice.startsWith('warning'));
const SAID =
  'warning: The broker asks to slow down. The account was last read at 2026-01-05 17:00 UTC.';

describe('a broker that asks to slow down', () => {
  it('again and again is told to the owner after ten minutes, once', async () => {
    const bot = await world.running();
    world.faults.always({ rateLimited: TEN_SECONDS });
    await pass(9 * A_MINUTE);
    expect(warnings()).toEqual([]);
    expect((await world.find(bot.id)).statusReason).toBe('The broker asks to slow down.');
    await pass(20 * A_MINUTE);
    expect(warnings()).toEqual([SAID]);

    world.faults.always(undefined);
    await pass(2 * A_MINUTE);
    await world.expectInLine(bot);
    world.faults.always({ rateLimited: TEN_SECONDS });
    await pass(20 * A_MINUTE);
    expect(warnings()).toHaveLength(2);
  });

  it('for an hour is told at once', async () => {
    await world.running();
    world.faults.always({ rateLimited: 3_600_000 });
    await pass(2 * A_MINUTE);
    expect(warnings()).toEqual([SAID]);
  });

  it('now and then is no news', async () => {
    await world.running();
    for (let hour = 0; hour < 3; hour += 1) {
      world.faults.on('account', { rateLimited: 60_000 }, { rateLimited: 60_000 });
      await pass(60 * A_MINUTE);
    }
    expect(warnings()).toEqual([]);
  });

  it('before a bot has read its account for the first time is told as that', async () => {
    const bot = await world.start();
    world.faults.always({ rateLimited: TEN_SECONDS });
    await pass(20 * A_MINUTE);
    expect(warnings()).toEqual([
      'warning: The broker asks to slow down. The account was not read yet.',
    ]);
    expect(await world.find(bot.id)).toMatchObject({ attempts: 0 });
  });

  it('says why', async () => {
    const bot = await world.running();
    const broker = world.brokers.get('simulated') ?? world.broker;
    const account = async (): Promise<never> => {
      throw new BrokerRateLimited(TEN_SECONDS, 'another program uses this key');
    };
    world.brokers.set('simulated', { ...broker, account });
    await pass(12 * A_MINUTE);
    const said = 'Another program uses this key.';
    expect((await world.find(bot.id)).statusReason).toBe(said);
    expect(warnings()).toEqual([expect.stringContaining(`warning: ${said} The account was last`)]);
    await expect(world.bots.account(follower, { botId: bot.id })).rejects.toThrow(
      'another program uses this key, try again later',
    );
  });
});
