import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, decimal, id } from '@slipstream/domain';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

/** Each order of the bot, oldest first: its stock, the trades that it follows, and their price. */
const followed = async (bot: Bot): Promise<string[]> => {
  const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
  return orders
    .toSorted((first, second) => first.cycle - second.cycle)
    .map(
      ({ stockId, tradeIds, strategyPrice }) =>
        `${stockId}: ${tradeIds.join(' ')} at ${strategyPrice?.toFixed() ?? null}`,
    );
};

const trade = (name: string, stockId: typeof ACME, price: string, amount = '0.005') => ({
  id: id<'trade'>(name),
  stockId,
  price: decimal(price),
  amount: decimal(amount),
});

describe('an order of a bot', () => {
  it('follows no trade when the bot joins', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' }, [trade('before', ACME, '90')]);
    const bot = await world.start();
    await world.run();
    expect(await followed(bot)).toEqual(['acme:  at null']);
  });

  it('follows the trades in its stock since the plan before, in whichever plan it comes', async () => {
    const bot = await world.running();
    world.clock.advance(1_000);
    await world.hold(STEADY, '0.3', { bolt: '0.007' }, [
      trade('sale', ACME, '100.1'),
      trade('first', BOLT, '100', '0.005'),
      trade('second', BOLT, '103', '0.0025'),
    ]);
    await world.run();
    // The purchases are planned after the sale was filled.
    expect(await followed(bot)).toEqual([
      'acme:  at null',
      'acme: sale at 100.1',
      'bolt: second first at 101',
    ]);
    world.clock.advance(60_000);
    await world.run();
    expect((await world.find(bot.id)).following.open.size).toBe(0);
  });

  it('follows a trade that waits for its market', async () => {
    const bot = await world.running();
    world.closed.add(BOLT);
    world.clock.advance(1_000);
    await world.hold(STEADY, '0.2', { acme: '0.005', bolt: '0.003' }, [trade('late', BOLT, '100')]);
    await world.run();
    world.clock.advance(60_000);
    await world.run();
    world.closed.delete(BOLT);
    world.clock.advance(60_000);
    await world.run();
    expect(await followed(bot)).toEqual(['acme:  at null', 'bolt: late at 100']);
  });

  it('follows none when prices made it drift', async () => {
    const bot = await world.running();
    world.clock.advance(60_000);
    await world.hold(STEADY, '0.5', { acme: '0.005' }, [trade('nothing', BOLT, '100')]);
    await world.run();
    world.price(ACME, '150');
    await world.hold(STEADY, '0.9', { acme: '0.005' });
    world.clock.advance(60_000);
    await world.run();
    expect(await followed(bot)).toEqual(['acme:  at null', 'acme:  at null']);
  });

  it('follows the trade that a bot waited for', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({ rebalanceOnStart: false });
    await world.run();
    world.clock.advance(1_000);
    await world.hold(STEADY, '0.4', { acme: '0.006' }, [trade('awaited', ACME, '100', '0.001')]);
    await world.run();
    expect(await followed(bot)).toEqual(['acme: awaited at 100']);
  });

  it('follows a trade again after its order was rejected, not after it was filled', async () => {
    const bot = await world.running();
    world.clock.advance(1_000);
    world.faults.on('place', 'reject');
    await world.hold(STEADY, '0.2', { acme: '0.005', bolt: '0.003' }, [trade('one', BOLT, '100')]);
    await world.run();
    world.clock.advance(600_000);
    await world.run();
    expect(await followed(bot)).toEqual(['acme:  at null', 'bolt: one at 100', 'bolt: one at 100']);
  });

  it('of a dry run follows a trade once', async () => {
    const bot = await world.running();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await world.bots.update(follower, { botId: bot.id, dryRun: true });
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    world.clock.advance(1_000);
    await world.hold(STEADY, '0.2', { acme: '0.005', bolt: '0.003' }, [trade('one', BOLT, '100')]);
    await world.run();
    world.clock.advance(60_000);
    await world.hold(STEADY, '0.1', { acme: '0.005', bolt: '0.004' }, [trade('two', BOLT, '102')]);
    await world.run();
    expect(await followed(bot)).toEqual(['acme:  at null', 'bolt: one at 100', 'bolt: two at 102']);
  });
});
