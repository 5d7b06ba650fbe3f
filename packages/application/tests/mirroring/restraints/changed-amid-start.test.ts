import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, decimal } from '@slipstream/domain';
import { anAccess } from '@slipstream/port-contracts';
import type { Broker } from '@slipstream/ports';
import { startBot } from '../../../src/mirroring/index.js';
import { wrongMoments } from '../../moments.js';
import { ACME, STEADY, aBotWorld, follower } from '../bot-world.js';

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
});

describe('at every moment of startBot until the bot is started', () => {
  type World = Awaited<ReturnType<typeof aWorld>>;
  const acts: [string, string, (world: World, bot: Bot) => Promise<unknown>][] = [
    ['a halt', 'trading_halted', ({ halt }) => halt(follower, 'user', follower)],
    ['deleteBot', 'not_found', ({ bots }, { id: botId }) => bots.delete(follower, { botId })],
    ['startBot', 'bot_not_off', ({ bots }, { id: botId }) => bots.start(follower, { botId })],
    [
      'updateBot without allocations',
      'no_allocations',
      ({ bots }, { id: botId }) => bots.update(follower, { botId, allocations: [] }),
    ],
    [
      'updateBot that keeps what the account holds',
      'insufficient_balance',
      ({ bots }, { id: botId }) => bots.update(follower, { botId, existingPositions: 'keep' }),
    ],
    [
      'the end of its subscription',
      'not_found',
      ({ unitOfWork }) =>
        unitOfWork.run(async ({ subscriptions }) => {
          const row = await subscriptions.findCurrent(STEADY, follower);
          if (row) await subscriptions.save({ ...row, status: 'cancelled' });
        }),
    ],
    [
      'the end of its strategy',
      'strategy_ended',
      ({ unitOfWork, clock }) =>
        unitOfWork.run(async ({ strategies }) => {
          const row = await strategies.find(STEADY);
          if (row) await strategies.save({ ...row, endedAt: clock.now() });
        }),
    ],
  ];

  /** Most of the account is in a stock that the owner bought. */
  const holdsMost = ({ broker, stockOf }: World, { accountId }: Bot): Promise<unknown> =>
    broker.place(anAccess({ accountId, credentials: { user_id: follower } }), {
      clientOrderId: 'by hand',
      stock: stockOf(ACME),
      action: 'buy',
      amount: decimal('81'),
      limit: null,
      closes: false,
    });

  it.each(acts)('%s has it refused by %s', async (_, code, act) => {
    const wrong = await wrongMoments(async (moments) => {
      const world = await aWorld(false);
      const bot = await world.aNewBot({ existingPositions: 'take_over' });
      await holdsMost(world, bot);
      world.brokers.set('simulated', moments.watched(world.broker));
      const start = startBot({
        ...world.deps,
        unitOfWork: moments.watched(world.deps.unitOfWork),
      });
      let isStarted = false;
      let answer: string | undefined;
      await moments.amid(
        async () => {
          isStarted = (await world.find(bot.id)).status !== 'off';
          if (!isStarted) await act(world, bot);
        },
        () =>
          start(follower, { botId: bot.id }).then(
            () => undefined,
            (error: unknown) => (answer = (error as { code: string }).code),
          ),
      );
      return isStarted || !moments.hasCome || answer === code;
    });
    expect(wrong).toEqual([]);
  });
});
