import {
  type ClaimedPoint,
  type HistoryPoint,
  type Strategy,
  type StrategyView,
  Refusal,
  claimedAtEqualTimes,
  claimedPoints,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { requireStorage } from '../caps.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { ownStrategy } from '../strategies/access.js';
import { ownView } from '../strategies/strategies.js';
import { type HistoryCommand, stepsFor } from './history-steps.js';

/** Keeps what the owner claims of the time before the strategy was here; it replaces an earlier import. */
export const newClaimedHistory =
  (core: Core) =>
  async (
    caller: Caller,
    command: { readonly strategyId: string; readonly points: readonly ClaimedPoint[] },
  ): Promise<StrategyView> =>
    core.unitOfWork.run(
      async (stores) => {
        const strategy = await ownStrategy(stores, caller, command.strategyId);
        await requireStorage(core, stores, strategy.userId);
        const now = core.clock.now();
        const points = claimedPoints(command.points, strategy.createdAt);
        const [{ at: start }] = points;
        const end = points.at(-1)?.at ?? start;
        await stores.claimedHistories.save(strategy.id, points);
        const claimed = { start, end, importedAt: now };
        const after: Strategy = { ...strategy, claimed, updatedAt: now };
        await stores.strategies.save(after);
        const view = await ownView(core, stores, after);
        stores.answerWith(view);
        return view;
      },
      { onCommit: (view) => core.catalogue.put(view) },
    );

export const deleteClaimedHistory =
  (core: Core) =>
  async (caller: Caller, { strategyId }: { readonly strategyId: string }): Promise<StrategyView> =>
    core.unitOfWork.run(
      async (stores) => {
        const strategy = await ownStrategy(stores, caller, strategyId);
        if (!strategy.claimed)
          throw new Refusal('not_found', `strategy ${strategy.id} has no claimed history`);
        await stores.claimedHistories.remove(strategy.id);
        const after: Strategy = { ...strategy, claimed: null, updatedAt: core.clock.now() };
        await stores.strategies.save(after);
        const view = await ownView(core, stores, after);
        stores.answerWith(view);
        return view;
      },
      { onCommit: (view) => core.catalogue.put(view) },
    );

/** The claimed values at equal steps of time, never beyond the claimed span. */
export async function claimedHistory(
  stores: Pick<ReadStores, 'claimedHistories'>,
  strategy: Strategy,
  { timeframe, from, to, interval }: HistoryCommand,
): Promise<HistoryPoint[]> {
  if (timeframe !== undefined && timeframe !== 'all')
    throw new Refusal(
      'invalid_field',
      'a claimed history ends before the strategy began: give from and to, or the timeframe all',
    );
  const points = await stores.claimedHistories.find(strategy.id);
  if (!strategy.claimed || !points) return [];
  const start = Math.max(from ?? -Infinity, strategy.claimed.start);
  const end = Math.min(to ?? Infinity, strategy.claimed.end);
  if (start > end) return [];
  return claimedAtEqualTimes(points, stepsFor(start, end, interval));
}
