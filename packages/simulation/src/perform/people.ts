import { decimal } from '@slipstream/domain';
import { type CommandContext, acknowledge, requireExisting } from './context.js';
import { nameOf, strategyAt, userIdOf } from '../world/places.js';
import { mayRead } from '../invariants/rights.js';
import type { PeopleCommand } from '../story/story.js';

/** Reads all private data of a strategy: either every read succeeds, or none. */
async function read(
  context: CommandContext,
  command: Extract<PeopleCommand, { do: 'read' }>,
): Promise<void> {
  const { world, application } = context;
  const strategyId = requireExisting(strategyAt(world, command.strategy)).id;
  const caller = await context.callerOf(command.by);
  const before = mayRead(world, userIdOf(world, command.by), strategyId);
  for (const operation of ['getOrders', 'getPositions', 'getTrades'] as const) {
    let answered = true;
    try {
      await application.operations[operation](caller, { strategyId });
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

async function subscribe(
  context: CommandContext,
  command: Extract<PeopleCommand, { do: 'subscribe' | 'unsubscribe' }>,
): Promise<void> {
  const { world, application } = context;
  const strategyId = requireExisting(strategyAt(world, command.strategy)).id;
  const caller = await context.callerOf(command.by);
  if (command.do === 'unsubscribe') {
    await application.operations.deleteStrategySubscription(caller, { strategyId });
  } else {
    const { price } = requireExisting(strategyAt(world, command.strategy));
    const { id } = await application.operations.newStrategySubscription(caller, {
      strategyId,
      price,
      inputValue: decimal('10000'),
    });
    const sql = 'SELECT id FROM subscriptions WHERE id = ?';
    acknowledge(context, `subscription ${id} was made`, sql, id);
  }
}

/** Creates, changes, deletes, follows and reads strategies. */
export async function performPeople(
  context: CommandContext,
  command: PeopleCommand,
): Promise<void> {
  const { world, application } = context;
  const owned = async (place: number) => {
    const strategy = requireExisting(strategyAt(world, place));
    const owner = await context.callerOf(nameOf(world, strategy.user_id));
    return { strategyId: strategy.id, owner };
  };
  switch (command.do) {
    case 'newStrategy': {
      const { strategy } = await application.operations.newStrategy(
        await context.callerOf(command.by),
        {
          type: command.type,
          name: 'one more',
          private: command.private,
        },
      );
      const sql = 'SELECT id FROM strategies WHERE id = ?';
      return acknowledge(context, `strategy ${strategy.id} was made`, sql, strategy.id);
    }
    case 'updateStrategy': {
      const { strategyId, owner } = await owned(command.strategy);
      await application.operations.updateStrategy(owner, { strategyId, private: command.private });
      return;
    }
    case 'deleteStrategy': {
      const { strategyId, owner } = await owned(command.strategy);
      await application.operations.deleteStrategy(owner, { strategyId });
      const sql = 'SELECT id FROM strategies WHERE id = ? AND deleted_at IS NOT NULL';
      return acknowledge(context, `strategy ${strategyId} was deleted`, sql, strategyId);
    }
    case 'subscribe':
    case 'unsubscribe':
      return subscribe(context, command);
    case 'read':
      return read(context, command);
  }
}
