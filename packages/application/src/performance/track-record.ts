import type { StrategyId, TrackEntry } from '@slipstream/domain';
import { followedStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { DEFAULT_LIMIT } from '../page.js';

/** A part of a strategy's tamper-evident record, oldest first. */
export interface TrackRecordView {
  readonly strategyId: StrategyId;
  readonly entries: readonly TrackEntry[];
}

/** The entries after `after`, for callers who may see the trades. */
export const getTrackRecord =
  ({ unitOfWork }: Core) =>
  async (
    caller: Caller,
    command: {
      readonly strategyId: string;
      readonly after?: number | undefined;
      readonly limit?: number | undefined;
    },
  ): Promise<TrackRecordView> => {
    const { after = 0, limit = DEFAULT_LIMIT } = command;
    return unitOfWork.read(async (stores) => {
      const { id } = await followedStrategy(stores, caller, command.strategyId);
      return { strategyId: id, entries: await stores.track.listAfter(id, after, limit) };
    });
  };
