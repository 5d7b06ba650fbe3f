import { DAY } from '@slipstream/domain';
import { checkOverview } from '../invariants/counts.js';
import { checkOwnerTrades } from '../invariants/mirroring/owner-trades.js';
import type { HostCommand } from '../story/story.js';
import { nameOf } from '../world/places.js';
import type { CommandContext } from './context.js';

const OPERATOR = { kind: 'operator' } as const;

/** Computes the figures if they are due in this process, and compares what is published with the rows. */
async function measureOwnerTrades(context: CommandContext): Promise<void> {
  const { world, memory, application, callerOf } = context;
  const now = world.clock.now();
  const { measuredAt } = memory;
  memory.measuredAt = 'failed';
  await application.background.measureOwnerTrades();
  const isDue = measuredAt === undefined || (measuredAt !== 'failed' && now >= measuredAt + DAY);
  memory.measuredAt = isDue ? now : measuredAt;
  if (!isDue) return;
  await checkOwnerTrades(world, async ({ id: strategyId, user_id }) => {
    const owner = await callerOf(nameOf(world, user_id));
    const [view] = await application.operations.getStrategies(owner, { strategyIds: [strategyId] });
    return view?.ownerTrades;
  });
}

/** Figures over many rows, which are computed or kept beside them. */
export async function performFigures(
  context: CommandContext,
  command: Extract<HostCommand, { do: 'measureOwnerTrades' | 'getOverview' }>,
): Promise<void> {
  if (command.do === 'measureOwnerTrades') return measureOwnerTrades(context);
  const { world, application } = context;
  const overview = await application.operations.getOverview(OPERATOR);
  if (!world.interleaves) checkOverview(world, overview);
}
