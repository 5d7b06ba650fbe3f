import { describe, expect, it } from '@jest/globals';
import type { Bot, GivenLimits } from '@slipstream/domain';
import { BotReconciler } from '../../../src/mirroring/index.js';
import { STEADY, type BotWorld, aBotWorld } from '../bot-world.js';

interface Story {
  /** How many milliseconds after the bot was due its strategy trades. */
  readonly later: number;
  readonly limits?: GivenLimits;
  /** Before the moments are counted. */
  readonly before?: (world: BotWorld, bot: Bot) => Promise<void>;
}

/** The bot is in line, and its next check fails. */
async function checkFails({ faults, clock, run, find }: BotWorld, { id }: Bot): Promise<void> {
  await run();
  faults.on('account', 'server_error');
  clock.advance(60_000);
  await run();
  const { attempts, nextRunAt } = await find(id);
  expect(attempts).toBe(1);
  clock.set(nextRunAt ?? clock.now());
}

/**
 * A bot is checked until it is in line. At one moment of that, counted in uses of the storage and of its broker, its strategy closes
 * everything. Returns what the bot holds then; undefined when there is no such moment.
 */
async function heldAfter(moment: number, { later, limits = {}, before }: Story) {
  const world = await aBotWorld();
  await world.hold(STEADY, '0', { acme: '0.006', bolt: '0.004' });
  const bot = await world.start({ limits });
  await before?.(world, bot);
  let moments = 0;
  const pass = async (): Promise<void> => {
    moments += 1;
    if (moments !== moment) return;
    world.clock.advance(later);
    await world.hold(STEADY, '1', {});
  };
  const { unitOfWork } = world.deps;
  const engine = new BotReconciler({
    ...world.deps,
    unitOfWork: {
      ...unitOfWork,
      read: async (work) => {
        await pass();
        return unitOfWork.read(work);
      },
      run: async (work, options) => {
        await pass();
        return unitOfWork.run(work, options);
      },
    },
  });
  const broker = world.brokers.get('simulated') ?? world.broker;
  world.brokers.set('simulated', {
    ...broker,
    account: async (...given) => {
      await pass();
      return broker.account(...given);
    },
  });
  await engine.runBot(bot.id);
  if (moments < moment) return undefined;
  await world.run();
  return world.holdings(bot);
}

describe('a trade of the strategy amid a check of its bot', () => {
  it.each<[string, Story]>([
    ['in the millisecond in which the bot was due', { later: 0 }],
    ['a millisecond later', { later: 1 }],
    [
      'when its owner is notified of a limit that is reached',
      { later: 1, limits: { maxOrdersPerDay: 1 } },
    ],
    ['when the check before failed', { later: 1, before: checkFails }],
  ])('is followed at once, at every moment of it: %s', async (_, story) => {
    const late: number[] = [];
    let moment = 1;
    for (; ; moment += 1) {
      const held = await heldAfter(moment, story);
      if (!held) break;
      if (Object.keys(held).length > 0) late.push(moment);
    }
    expect(moment).toBeGreaterThan(5);
    expect(late).toEqual([]);
  });
});
