import { decimal } from '@slipstream/domain';
import { performBot } from './perform-bot.js';
import { performTrade } from './perform-trade.js';
import { type Doing, acknowledge, there } from './doing.js';
import { nameOf, stockAt, strategyAt, userIdOf } from './places.js';
import { moveQuotes } from './quotes.js';
import { newClient } from './stream-client.js';
import type { Command, UserName } from './story.js';
import { mayRead } from './rights.js';
import type { World } from './world.js';

async function listen(doing: Doing, command: Command & { do: 'listen' }): Promise<void> {
  const { world, application } = doing;
  const { by, channel } = command;
  const caller = await doing.callerOf(by);
  const { token, text } = await application.newToken(caller, { name: 'stream', scope: ['*'] });
  const process = there(world.process);
  const named =
    channel === 'wsBot'
      ? world.database.rows<{ id: string }>('SELECT id FROM bots ORDER BY id')
      : world.database.rows<{ id: string }>('SELECT id FROM strategies ORDER BY id');
  const { id } = there(named[command.of % Math.max(1, named.length)]);
  const client = newClient(world, { user: by, userId: userIdOf(world, by), tokenId: token.id });
  await process.streams.accept(client.socket as never, text);
  process.clients.push(client);
  client.say({ action: 'subscribe', channels: [`${channel}:${id}`] });
}

/** Reads everything private of a strategy: all of it is answered, or none. */
async function read(doing: Doing, command: Command & { do: 'read' }): Promise<void> {
  const { world, application } = doing;
  const strategyId = there(strategyAt(world, command.strategy)).id;
  const caller = await doing.callerOf(command.by);
  const before = mayRead(world, userIdOf(world, command.by), strategyId);
  for (const operation of ['getOrders', 'getPositions', 'getTrades'] as const) {
    let answered = true;
    try {
      await application[operation](caller, { strategyId });
    } catch (error) {
      if ((error as Error).name !== 'Refusal') throw error;
      answered = false;
    }
    const now = mayRead(world, userIdOf(world, command.by), strategyId);
    if (answered && !before && !now) {
      world.violate('A1', `${command.by} reads ${operation} of ${strategyId} without a right to`);
    } else if (!answered && before && now) {
      world.violate('A1', `${command.by} is refused ${operation} of ${strategyId}`);
    }
  }
}

async function deleteToken(doing: Doing, by: UserName): Promise<void> {
  const { world, application } = doing;
  const client = world.process?.clients.findLast(
    (one) => one.user === by && one.socket.readyState === 1,
  );
  const { tokenId } = there(client);
  await application.deleteToken(await doing.callerOf(by), { tokenId });
  world.memory.acknowledged.push(() =>
    world.database.rows('SELECT id FROM tokens WHERE id = ?', tokenId).length === 0
      ? undefined
      : `token ${tokenId} was deleted`,
  );
}

async function subscribe(
  doing: Doing,
  command: Command & { do: 'subscribe' | 'unsubscribe' },
): Promise<void> {
  const { world, application } = doing;
  const strategyId = there(strategyAt(world, command.strategy)).id;
  const caller = await doing.callerOf(command.by);
  if (command.do === 'unsubscribe') {
    await application.deleteStrategySubscription(caller, { strategyId });
  } else {
    const { id } = await application.newStrategySubscription(caller, {
      strategyId,
      inputValue: decimal('10000'),
    });
    const sql = 'SELECT id FROM subscriptions WHERE id = ?';
    acknowledge(world, `subscription ${id} was made`, sql, id);
  }
}

/** Does one command as a caller would; answers nothing, since what counts is in the tables. */
export async function perform(doing: Doing, command: Command): Promise<void> {
  const { world, application } = doing;
  const owned = async (place: number) => {
    const strategy = there(strategyAt(world, place));
    const owner = await doing.callerOf(nameOf(world, strategy.user_id));
    return { strategyId: strategy.id, owner };
  };
  switch (command.do) {
    case 'newStrategy': {
      const { strategy } = await application.newStrategy(await doing.callerOf(command.by), {
        type: command.type,
        name: 'one more',
        private: command.private,
      });
      const sql = 'SELECT id FROM strategies WHERE id = ?';
      return acknowledge(world, `strategy ${strategy.id} was made`, sql, strategy.id);
    }
    case 'updateStrategy': {
      const { strategyId, owner } = await owned(command.strategy);
      await application.updateStrategy(owner, { strategyId, private: command.private });
      return;
    }
    case 'deleteStrategy': {
      const { strategyId, owner } = await owned(command.strategy);
      await application.deleteStrategy(owner, { strategyId });
      const sql = 'SELECT id FROM strategies WHERE id = ? AND deleted_at IS NOT NULL';
      return acknowledge(world, `strategy ${strategyId} was deleted`, sql, strategyId);
    }
    case 'newQuotes':
      return moveQuotes(doing, command.quotes);
    case 'subscribe':
    case 'unsubscribe':
      return subscribe(doing, command);
    case 'listen':
      return listen(doing, command);
    case 'read':
      return read(doing, command);
    case 'deleteToken':
      return deleteToken(doing, command.by);
    case 'tick':
      return application.tick();
    case 'runBots':
      return application.runBots();
    case 'crash':
      return world.crash('as told');
    case 'advance':
      world.clock.advance(command.seconds * 1000);
      return world.process?.timers.ring();
    case 'setBack':
      return world.clock.advance(command.seconds * -1000);
    case 'updateStocks': {
      const { id: stockId } = stockAt(world, command.stock);
      const { status: stockStatus } = command;
      await application.updateStocks({ kind: 'operator' }, { stocks: [{ stockId, stockStatus }] });
      return;
    }
    case 'advanceTo':
      return advanceTo(world, command.moment);
    case 'newOrder':
    case 'newOrderAllocations':
    case 'newOrderWebhook':
    case 'deleteOrder':
      return performTrade(doing, command);
    default:
      return performBot(doing, command);
  }
}

/** To a second after the exchange opens, or closes, next. */
function advanceTo(world: World, moment: 'opening' | 'closing'): void {
  const stock = there(world.market.view().stock('AAPL' as never));
  const now = world.clock.now();
  const session = world.hours.sessionAt(stock, now);
  const next = world.hours.nextSession(stock, now);
  const at = moment === 'closing' ? (session ?? next)?.closesAt : next?.opensAt;
  world.clock.set((at ?? now) + 1000);
  world.process?.timers.ring();
}
